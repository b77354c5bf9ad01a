import Foundation
import Geography
import Routing

/// Routes as `odometer route` prints them for programs.
package enum RouteJSON {
  /// For programs: one object.
  static func object(_ route: Route, link: String?) -> String {
    var text = TextBuffer()
    text.append("{")
    appendMembers(of: route, link: link, to: &text) { $0.appendGeometry($1) }
    text.append("}")
    return text.string()
  }

  /// The members of such an object.
  ///
  /// - Parameter shape: Writes the member for a line.
  package static func appendMembers(
    of route: Route, link: String?, to text: inout TextBuffer, shape: (inout TextBuffer, Polyline) -> Void
  ) {
    text.appendProperties(of: route, link: link)
    text.append(",\"steps\":[")
    for (index, step) in route.steps.enumerated() {
      if index > 0 { text.append(",") }
      text.append("{")
      text.appendProperties(of: step, index: index)
      text.append(",")
      shape(&text, step.polyline)
      text.append("}")
    }
    text.append("],")
    shape(&text, route.polyline)
  }

  /// For maps: each route, then its steps, as Features.
  static func collection(_ routes: [Route], link: String?) -> String {
    var text = TextBuffer()
    text.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
    for (alternative, route) in routes.enumerated() {
      if alternative > 0 { text.append(",\n") }
      text.append(text: "{\"type\":\"Feature\",\"properties\":{\"alternative\":\(alternative),")
      text.appendProperties(of: route, link: link)
      text.append("},")
      text.appendGeometry(route.polyline)
      text.append("}")
      for (index, step) in route.steps.enumerated() {
        text.append(text: ",\n{\"type\":\"Feature\",\"properties\":{\"alternative\":\(alternative),")
        text.appendProperties(of: step, index: index)
        text.append("},")
        text.appendGeometry(step.polyline)
        text.append("}")
      }
    }
    text.append("\n]}")
    return text.string()
  }
}

extension TextBuffer {
  fileprivate mutating func appendProperties(of route: Route, link: String?) {
    append("\"name\":")
    append(jsonString: route.name)
    append(text: ",\"distance\":\(RouteText.decimal(route.distance, 2))")
    append(text: ",\"expected_travel_time\":\(RouteText.decimal(route.expectedTravelTime, 3))")
    for (key, seconds) in [("static_travel_time", route.staticTravelTime), ("waiting_time", route.waitingTime)] {
      if let seconds { append(text: ",\"\(key)\":\(RouteText.decimal(seconds, 3))") }
    }
    appendClimb(route.ascent, route.descent)
    append(text: ",\"transport_type\":\"\(route.transportType.rawValue)\",\"step_count\":\(route.steps.count)")
    append(text: ",\"has_tolls\":\(route.hasTolls),\"has_highways\":\(route.hasHighways)")
    append(",\"advisory_notices\":[")
    for (index, notice) in route.advisoryNotices.enumerated() {
      if index > 0 { append(",") }
      append(jsonString: notice)
    }
    append("]")
    let dates = [("departure_date", route.expectedDepartureDate), ("expected_arrival_date", route.expectedArrivalDate)]
    for (key, value) in dates.map({ ($0, $1?.formatted(.iso8601)) }) + [("link", link)] {
      guard let value else { continue }
      append(text: ",\"\(key)\":")
      append(jsonString: value)
    }
  }

  /// Metres up and down, where the ground is known.
  private mutating func appendClimb(_ ascent: Double?, _ descent: Double?) {
    for (key, metres) in [("ascent", ascent), ("descent", descent)] {
      if let metres { append(text: ",\"\(key)\":\(RouteText.decimal(metres, 2))") }
    }
  }

  fileprivate mutating func appendProperties(of step: RouteStep, index: Int) {
    append(text: "\"step\":\(index),\"instructions\":")
    append(jsonString: step.instructions)
    append(",\"notice\":")
    if let notice = step.notice { append(jsonString: notice) } else { append("null") }
    append(text: ",\"maneuver\":\"\(step.maneuver.rawValue)\",\"street\":")
    append(jsonString: step.street)
    append(text: ",\"distance\":\(RouteText.decimal(step.distance, 2))")
    append(text: ",\"expected_travel_time\":\(RouteText.decimal(step.expectedTravelTime, 3))")
    appendClimb(step.ascent, step.descent)
    append(text: ",\"transport_type\":\"\(step.transportType.rawValue)\"")
  }
}

extension TextBuffer {
  /// A member `geometry` with a line.
  mutating func appendGeometry(_ line: Polyline) {
    append("\"geometry\":{\"type\":\"LineString\",\"coordinates\":[")
    append(positions: line.points)
    if line.count == 1 {
      append(",")
      append(positions: line.points)
    }
    append("]}")
  }
}
