import Foundation
import Geography
import Routing

/// Routes in the machine-readable output of `odometer route`.
package enum RouteJSON {
  static func object(_ route: Route, link: String?) -> String {
    var text = TextBuffer()
    text.append("{")
    appendMembers(of: route, link: link, to: &text) { $0.appendGeometry($1) }
    text.append("}")
    return text.string()
  }

  /// Appends the members of a route's JSON object.
  ///
  /// - Parameter shape: A function that writes a line as a member of the object.
  package static func appendMembers(
    of route: Route, link: String?, to text: inout TextBuffer, shape: (inout TextBuffer, Polyline) -> Void
  ) {
    text.appendProperties(of: route, link: link)
    text.key("steps")
    text.list(route.steps.enumerated()) { text, step in
      text.append("{")
      text.appendProperties(of: step.element, index: step.offset)
      text.append(",")
      shape(&text, step.element.polyline)
      text.append("}")
    }
    text.append(",")
    shape(&text, route.polyline)
  }

  /// Returns a FeatureCollection for maps, with a Feature for each route and each step.
  static func collection(_ routes: [Route], link: String?) -> String {
    var text = TextBuffer()
    text.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
    for (alternative, route) in routes.enumerated() {
      if alternative > 0 { text.append(",\n") }
      text.append(text: "{\"type\":\"Feature\",\"properties\":{\"alternative\":\(alternative)")
      text.appendProperties(of: route, link: link)
      text.endFeature(along: route.polyline)
      for (index, step) in route.steps.enumerated() {
        text.append(text: ",\n{\"type\":\"Feature\",\"properties\":{\"alternative\":\(alternative)")
        text.appendProperties(of: step, index: index)
        text.endFeature(along: step.polyline)
      }
    }
    text.append("\n]}")
    return text.string()
  }
}

extension TextBuffer {
  fileprivate mutating func appendProperties(of route: Route, link: String?) {
    member("name", route.title)
    member("distance", route.distance, places: 2)
    member("expected_travel_time", route.expectedTravelTime, places: 3)
    member("static_travel_time", route.staticTravelTime, places: 3)
    member("waiting_time", route.waitingTime, places: 3)
    // Nil if the network has no elevations.
    member("ascent", route.ascent, places: 2)
    member("descent", route.descent, places: 2)
    member("transport_type", route.transportType.rawValue)
    member("step_count", route.steps.count)
    member("has_tolls", route.hasTolls)
    member("has_highways", route.hasHighways)
    key("advisory_notices")
    list(route.advisoryNotices) { $0.append(jsonString: $1) }
    member("departure_date", route.expectedDepartureDate?.formatted(.iso8601))
    member("expected_arrival_date", route.expectedArrivalDate?.formatted(.iso8601))
    member("link", link)
  }

  fileprivate mutating func appendProperties(of step: RouteStep, index: Int) {
    member("step", index)
    member("instructions", step.instructions)
    member("notice", orNull: step.notice)
    member("maneuver", step.maneuver.rawValue)
    member("street", step.street)
    member("distance", step.distance, places: 2)
    member("expected_travel_time", step.expectedTravelTime, places: 3)
    member("ascent", step.ascent, places: 2)
    member("descent", step.descent, places: 2)
    member("transport_type", step.transportType.rawValue)
  }
}

enum RouteCommand: Command {
  static let name = "route"
  static let summary = "Find the route between two places and print its steps"
  static let operands = Operand.places
  static let options =
    CommonOptions.ofPlaces + [alternates] + CommonOptions.ofTimes
    + [CommonOptions.language, links, CommonOptions.cache, CommonOptions.format]
  static let exitCodes = ExitCode.ofTrips
  static let details = """
    FROM and TO are latitude,longitude in degrees:

        odometer route 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf

    A Maps link may replace both places; its transport mode is used unless --by is given. Quote it for the shell:

        odometer route 'maps://?daddr=60.1770,24.9500' --here 60.1660,24.9380 --map helsinki.osm.pbf

    With --alternates, the best route is printed first. --format json prints one line per route, geojson one
    collection.
    """

  private static let alternates = Option("alternates", help: "also find up to two alternate routes")
  private static let links = Option("links", help: "add a Maps link")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    var request = try arguments.request()
    request.requestsAlternateRoutes = arguments.has(alternates)
    let format = try arguments.choice(CommonOptions.format) ?? "text"
    let directions = try arguments.directions(console, for: request.transportType)
    try arguments.checkPlaces(of: request, directions, console)
    let routes = try directions.calculateAndWait(request)
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

/// A route in the text output of `odometer route`.
enum RouteText {
  /// Returns one line per step, with distance and time on the left.
  static func text(_ route: Route) -> String {
    var lines = [
      "\(route.title): \(MeasureText.metres(route.distance)), \(MeasureText.duration(route.expectedTravelTime))"
    ]
    if let ascent = route.ascent, let descent = route.descent {
      lines[0] += ", \(MeasureText.metres(ascent)) up, \(MeasureText.metres(descent)) down"
    }
    if let waiting = route.waitingTime, waiting > 0 { lines[0] += ", \(MeasureText.duration(waiting)) of it waiting" }
    if let departure = route.expectedDepartureDate, let arrival = route.expectedArrivalDate {
      lines.append("\(departure.formatted(.iso8601)) to \(arrival.formatted(.iso8601))")
    }
    lines += route.advisoryNotices
    lines.append("")
    for step in route.steps {
      // An instruction to take steps, a ferry, a train or an elevator, or to push the bicycle, contains its notice.
      let isInInstruction = [
        .takeSteps, .takeEscalator, .takeFerry, .takeElevator, .takeCarTrain, .takeTrain, .push,
      ].contains(step.maneuver)
      let notice = isInInstruction ? "" : step.notice.map { " (\($0.lowercased()))" } ?? ""
      let measures =
        padded(MeasureText.metres(step.distance), 8) + "  " + padded(MeasureText.duration(step.expectedTravelTime), 9)
      lines.append("\(measures)  \(step.instructions)\(notice)")
    }
    return lines.joined(separator: "\n")
  }

  static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
