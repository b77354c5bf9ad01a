import Geography
import Routing

/// `odometer route FROM TO`.
enum RouteCommand: Command {
  static let name = "route"
  static let summary = "Find the route between two places and print its steps"
  static let operands = Operand.places
  static let options = [
    CommonOptions.map, CommonOptions.by, CommonOptions.profile, CommonOptions.pace, CommonOptions.elevation,
    CommonOptions.snapLimit, alternates,
    CommonOptions.depart, CommonOptions.arrive, CommonOptions.waitLimit, CommonOptions.speeds, CommonOptions.traffic,
    CommonOptions.avoid,
    CommonOptions.language, links, CommonOptions.cache,
    format,
  ]
  static let exitCodes = ExitCode.ofTrips
  static let details = """
    FROM and TO are latitude,longitude in degrees:

        odometer route 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf

    With --alternates the best route comes first; json prints one line per route, geojson one
    collection of all.
    """

  private static let alternates = Option("alternates", help: "up to two other good routes, too")
  private static let links = Option("links", help: "add the link that opens the trip in Maps")
  private static let format = Option(
    "format", "FORMAT", .choice(["text", "json", "geojson"]), help: "text (default), json or geojson")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    var request = try arguments.request()
    request.requestsAlternateRoutes = arguments.has(alternates)
    let format = try arguments.choice(format) ?? "text"
    let directions = try arguments.directions(console)
    try arguments.checkPlaces(of: request, directions, console)
    let routes = try directions.calculate(request)
    request.transportType = routes[0].transportType
    let link = arguments.has(links) ? request.url.absoluteString : nil
    switch format {
    case "json": try console.print(routes.map { RouteJSON.object($0, link: link) }.joined(separator: "\n"))
    case "geojson": try console.print(RouteJSON.collection(routes, link: link))
    default:
      let text = (routes.map(RouteText.text) + [link].compactMap(\.self)).joined(separator: "\n\n")
      try console.print(printable(text, atMost: .max))
    }
    return .finished
  }
}
