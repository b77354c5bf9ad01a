import Foundation
import Geography
import Routing

// A route as `odometer route` prints it.

extension Route {
  /// For people: a line a step, distances and times on the left.
  var text: String {
    var lines = ["\(name): \(metres(distance)), \(duration(expectedTravelTime))"]
    if let departure = expectedDepartureDate, let arrival = expectedArrivalDate {
      lines.append("\(departure.formatted(.iso8601)) to \(arrival.formatted(.iso8601))")
    }
    lines += advisoryNotices
    lines.append("")
    for step in steps {
      // Who takes steps, a ferry or an elevator is told so already.
      let isToldAlready = [.takeSteps, .takeFerry, .takeElevator, .takeCarTrain, .push].contains(step.maneuver)
      let notice = isToldAlready ? "" : step.notice.map { " (\($0.lowercased()))" } ?? ""
      let measures = padded(metres(step.distance), 8) + "  " + padded(duration(step.expectedTravelTime), 9)
      lines.append("\(measures)  \(step.instructions)\(notice)")
    }
    return lines.joined(separator: "\n")
  }

  /// For programs: one object.
  func json(link: String?) -> String {
    var text = TextBuffer()
    text.append("{")
    text.appendProperties(of: self, link: link)
    text.append(",\"steps\":[")
    for (number, step) in steps.enumerated() {
      if number > 0 { text.append(",") }
      text.append("{")
      text.appendProperties(of: step, number: number)
      text.append(",")
      text.appendGeometry(step.polyline)
      text.append("}")
    }
    text.append("],")
    text.appendGeometry(polyline)
    text.append("}")
    return text.string()
  }
}

/// For maps: each route, then its steps, as Features.
func geoJSON(_ routes: [Route], link: String?) -> String {
  var text = TextBuffer()
  text.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
  for (alternative, route) in routes.enumerated() {
    if alternative > 0 { text.append(",\n") }
    text.append(text: "{\"type\":\"Feature\",\"properties\":{\"alternative\":\(alternative),")
    text.appendProperties(of: route, link: link)
    text.append("},")
    text.appendGeometry(route.polyline)
    text.append("}")
    for (number, step) in route.steps.enumerated() {
      text.append(text: ",\n{\"type\":\"Feature\",\"properties\":{\"alternative\":\(alternative),")
      text.appendProperties(of: step, number: number)
      text.append("},")
      text.appendGeometry(step.polyline)
      text.append("}")
    }
  }
  text.append("\n]}")
  return text.string()
}

extension TextBuffer {
  fileprivate mutating func appendProperties(of route: Route, link: String?) {
    append("\"name\":")
    append(jsonString: route.name)
    append(text: ",\"distance\":\(decimal(route.distance, 2))")
    append(text: ",\"expected_travel_time\":\(decimal(route.expectedTravelTime, 3))")
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

  fileprivate mutating func appendProperties(of step: RouteStep, number: Int) {
    append(text: "\"step\":\(number),\"instructions\":")
    append(jsonString: step.instructions)
    append(",\"notice\":")
    if let notice = step.notice { append(jsonString: notice) } else { append("null") }
    append(text: ",\"maneuver\":\"\(step.maneuver.rawValue)\",\"street\":")
    append(jsonString: step.street)
    append(text: ",\"distance\":\(decimal(step.distance, 2))")
    append(text: ",\"expected_travel_time\":\(decimal(step.expectedTravelTime, 3))")
    append(text: ",\"transport_type\":\"\(step.transportType.rawValue)\"")
  }

  fileprivate mutating func appendGeometry(_ line: Polyline) {
    append("\"geometry\":{\"type\":\"LineString\",\"coordinates\":[")
    append(positions: line.points)
    if line.count == 1 {
      append(",")
      append(positions: line.points)
    }
    append("]}")
  }
}

/// A number with at most so many decimals, in no locale.
func decimal(_ value: Double, _ places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  var text = TextBuffer()
  text.append(decimal: Int64((value * scale).rounded()), places: places)
  return text.string()
}

private func metres(_ value: Double) -> String {
  value < 9_999.5 ? "\(Int(value.rounded())) m" : "\(decimal(value / 1000, 1)) km"
}

private func duration(_ seconds: Double) -> String {
  let whole = Int(seconds.rounded())
  switch whole {
  case ..<60: return "\(whole) s"
  case ..<3600: return "\(whole / 60) min \(whole % 60) s"
  default: return "\(whole / 3600) h \(whole / 60 % 60) min"
  }
}

private func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}
