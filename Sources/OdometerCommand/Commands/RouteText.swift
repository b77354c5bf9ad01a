import Foundation
import Geography
import Routing

/// A route as `odometer route` prints it for people.
enum RouteText {
  /// One line per step, distances and times on the left.
  static func text(_ route: Route) -> String {
    var lines = ["\(route.name): \(metres(route.distance)), \(duration(route.expectedTravelTime))"]
    if let ascent = route.ascent, let descent = route.descent {
      lines[0] += ", \(metres(ascent)) up, \(metres(descent)) down"
    }
    if let waiting = route.waitingTime, waiting > 0 { lines[0] += ", \(duration(waiting)) of it waiting" }
    if let departure = route.expectedDepartureDate, let arrival = route.expectedArrivalDate {
      lines.append("\(departure.formatted(.iso8601)) to \(arrival.formatted(.iso8601))")
    }
    lines += route.advisoryNotices
    lines.append("")
    for step in route.steps {
      // An instruction to take steps, a ferry or an elevator says what its notice would.
      let isSaid = [.takeSteps, .takeFerry, .takeElevator, .takeCarTrain, .takeTrain, .push].contains(step.maneuver)
      let notice = isSaid ? "" : step.notice.map { " (\($0.lowercased()))" } ?? ""
      let measures = padded(metres(step.distance), 8) + "  " + padded(duration(step.expectedTravelTime), 9)
      lines.append("\(measures)  \(step.instructions)\(notice)")
    }
    return lines.joined(separator: "\n")
  }

  /// A number with at most the given number of decimals, in no locale.
  static func decimal(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    var text = TextBuffer()
    text.append(decimal: Int64((value * scale).rounded()), places: places)
    return text.string()
  }

  static func metres(_ value: Double) -> String {
    value < 9_999.5 ? "\(Int(value.rounded())) m" : "\(decimal(value / 1000, 1)) km"
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min \(whole % 60) s"
    default: return "\(whole / 3600) h \(whole / 60 % 60) min"
    }
  }

  static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
