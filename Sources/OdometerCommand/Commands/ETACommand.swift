import Routing

/// `odometer eta FROM TO`.
enum ETACommand: Command {
  static let name = "eta"
  static let summary = "Print the travel time and distance between two places"
  static let operands = Operand.places
  static let options = [
    CommonOptions.map, CommonOptions.by, CommonOptions.profile, CommonOptions.pace, CommonOptions.elevation,
    CommonOptions.snapLimit, CommonOptions.depart,
    CommonOptions.arrive, CommonOptions.waitLimit, CommonOptions.speeds, CommonOptions.traffic, CommonOptions.avoid,
    CommonOptions.cache,
  ]
  static let exitCodes = ExitCode.ofTrips
  static let details = """
    FROM and TO are latitude,longitude in degrees:

        odometer eta 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf

    Prints one line: seconds, then metres, with a tab between them; with --depart or --arrive also
    the seconds spent waiting: for a street to open, and for ferries and trains.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let request = try arguments.request()
    let directions = try arguments.directions(console)
    try arguments.checkPlaces(of: request, directions, console)
    let eta = try directions.calculateETA(request)
    let values =
      [RouteText.decimal(eta.expectedTravelTime, 3), RouteText.decimal(eta.distance, 2)]
      + (eta.waitingTime.map { [RouteText.decimal($0, 3)] } ?? [])
    try console.print(values.joined(separator: "\t"))
    return .finished
  }
}
