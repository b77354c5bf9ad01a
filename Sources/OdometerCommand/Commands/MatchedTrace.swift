import Foundation
import Geography
import Routing
import StreetNetwork

/// A trace and its match, as printed by `odometer match`.
package struct MatchedTrace {
  let id: String
  let fixes: [Fix]
  let match: Match
  let router: Router

  package init(id: String, fixes: [Fix], match: Match, router: Router) {
    (self.id, self.fixes, self.match, self.router) = (id, fixes, match, router)
  }

  /// A matched street, or several consecutive streets with the same name; times are in seconds.
  private struct Section {
    var name: String
    var metres = 0.0
    var expected = 0.0
    var observed: Double?
    var isUTurn: Bool
  }

  // MARK: Text

  var text: String {
    let kept = match.fixes.count(where: \.isKept)
    let matched = match.fixes.count { $0.reason == nil }
    var lines = ["\(id): \(headline)"]
    lines.append(
      "\(fixes.count) \(fixes.count == 1 ? "fix" : "fixes"), \(kept) kept, \(matched) of them matched; standard deviation "
        + "\(MeasureText.decimal(match.sigma, 1)) m")
    let reasons = FixReason.allCases.compactMap { reason in
      let count = match.fixes.count { $0.reason == reason }
      return count > 0 ? "\(reason.rawValue) \(count)" : nil
    }
    if !reasons.isEmpty { lines.append("left out: \(reasons.joined(separator: ", "))") }
    if match.offRoadLength > 0 { lines.append("off the streets: \(MeasureText.metres(match.offRoadLength))") }
    for (index, part) in match.parts.enumerated() {
      let times = part.observedTime.map { ", \(MeasureText.duration($0))" } ?? ""
      lines.append("")
      lines.append(
        "part \(index + 1) (\(part.beginReason.rawValue)), \(part.name): \(MeasureText.metres(part.distance))\(times)")
      lines.append("\(RouteText.padded("", 8))  \(RouteText.padded("observed", 9))  \(RouteText.padded("expected", 9))")
      for section in sections(of: part) {
        let observed = section.observed.map { MeasureText.duration($0) } ?? "-"
        lines.append(
          "\(RouteText.padded(MeasureText.metres(section.metres), 8))  \(RouteText.padded(observed, 9))  "
            + "\(RouteText.padded(MeasureText.duration(section.expected), 9))  "
            + (section.isUTurn ? "turning around: " : "") + section.name)
      }
    }
    for stop in match.stops {
      lines.append(
        "stood still for \(MeasureText.duration(stop.duration)) from \(stop.arrivalDate.formatted(.iso8601))")
    }
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    guard !match.parts.isEmpty else {
      return match.status.rawValue.replacing("_", with: " ") + (match.statusReason.map { ": \($0)" } ?? "")
    }
    let observed = match.parts.compactMap(\.observedTime)
    let time = observed.isEmpty ? "" : " in \(MeasureText.duration(observed.reduce(0, +)))"
    let doubt = match.statusReason.map { "; \(match.status.rawValue): \($0)" } ?? ""
    return MeasureText.metres(match.distance) + time
      + ", expected \(MeasureText.duration(match.expectedTravelTime))\(doubt)"
  }

  private func sections(of part: MatchedPart) -> [Section] {
    var sections: [Section] = []
    for piece in part.pieces where piece.to > piece.from {
      let name = router.name(of: piece.street.street)
      if sections.last?.name != name || piece.isUTurn { sections.append(Section(name: name, isUTurn: piece.isUTurn)) }
      sections[sections.count - 1].metres += piece.weight.metres
      sections[sections.count - 1].expected += piece.weight.seconds
      if let seconds = piece.observedTime {
        sections[sections.count - 1].observed = (sections[sections.count - 1].observed ?? 0) + seconds
      }
    }
    return sections
  }

  // MARK: JSON

  var json: String {
    var text = TextBuffer()
    append(to: &text) { $0.appendGeometry($1) }
    return text.string()
  }

  /// Appends the trace as a JSON object.
  ///
  /// - Parameter shape: A function that writes a line as a member of the object.
  package func append(to text: inout TextBuffer, shape: (inout TextBuffer, Polyline) -> Void) {
    text.append("{")
    text.member("trace_id", id)
    text.member("status", match.status.rawValue)
    text.member("status_reason", orNull: match.statusReason)
    text.member("sigma", match.sigma, places: 2)
    text.member("distance", match.distance, places: 2)
    text.member("expected_travel_time", match.expectedTravelTime, places: 3)
    text.member("off_road_length", match.offRoadLength, places: 2)
    text.member("u_turn_count", match.uTurnCount)
    text.key("parts")
    text.list(match.parts.enumerated()) { text, part in
      text.append("{")
      appendProperties(of: part.element, part.offset, to: &text)
      text.key("streets")
      text.list(sections(of: part.element)) { text, section in
        text.append("{")
        text.member("street", section.name)
        text.member("distance", section.metres, places: 2)
        text.member("expected_travel_time", section.expected, places: 3)
        text.member("observed_time", orNull: section.observed, places: 3)
        text.append("}")
      }
      text.append(",")
      shape(&text, part.element.polyline)
      text.append("}")
    }
    text.key("stops")
    text.list(match.stops) { text, stop in
      text.append("{")
      appendProperties(of: stop, to: &text)
      text.append("}")
    }
    text.key("fixes")
    text.list(fixes.indices) { text, index in
      text.append("{")
      appendProperties(ofFix: index, to: &text)
      text.append("}")
    }
    text.append("}")
  }

  /// GeoJSON Features for maps: the parts, the stops and the fixes.
  var features: [String] {
    func feature(_ layer: String, _ propertiesAndGeometry: (inout TextBuffer) -> Void) -> String {
      var text = TextBuffer()
      text.append("{\"type\":\"Feature\",\"properties\":{")
      text.member("layer", layer)
      text.member("trace_id", id)
      propertiesAndGeometry(&text)
      return text.string()
    }
    let parts = match.parts.enumerated().map { index, part in
      feature("part") {
        appendProperties(of: part, index, to: &$0)
        $0.endFeature(along: part.polyline)
      }
    }
    let stops = match.stops.map { stop in
      feature("stop") {
        appendProperties(of: stop, to: &$0)
        $0.endFeature(at: FixedCoordinate(stop.coordinate))
      }
    }
    let points = fixes.indices.filter { fixes[$0].coordinate.isValid }.map { index in
      feature("fix") {
        appendProperties(ofFix: index, to: &$0)
        $0.endFeature(at: FixedCoordinate(fixes[index].coordinate))
      }
    }
    return parts + stops + points
  }

  private func appendProperties(of part: MatchedPart, _ index: Int, to text: inout TextBuffer) {
    text.member("part", index)
    text.member("begin_reason", part.beginReason.rawValue)
    text.member("name", part.name)
    text.member("first_fix", part.firstFix)
    text.member("last_fix", part.lastFix)
    text.member("distance", part.distance, places: 2)
    text.member("expected_travel_time", part.expectedTravelTime, places: 3)
    text.member("observed_time", orNull: part.observedTime, places: 3)
    text.member("departure_date", part.startDate?.formatted(.iso8601))
    text.member("arrival_date", part.endDate?.formatted(.iso8601))
  }

  private func appendProperties(of stop: TraceStop, to text: inout TextBuffer) {
    text.member("seconds", stop.duration, places: 3)
    text.member("arrival_date", stop.arrivalDate.formatted(.iso8601))
    text.member("departure_date", stop.departureDate.formatted(.iso8601))
  }

  private func appendProperties(ofFix index: Int, to text: inout TextBuffer) {
    let (fix, matched) = (fixes[index], match.fixes[index])
    text.member("n", index)
    text.member("kept", matched.isKept)
    text.member("reason", orNull: matched.reason?.rawValue)
    text.member("date", fix.timestamp?.formatted(.iso8601))
    guard let place = matched.place else { return }
    text.member("part", place.part)
    text.member("snap_distance", place.snapDistance, places: 2)
    text.member("along", place.along, places: 2)
    text.key("matched")
    text.append(positions: [FixedCoordinate(place.coordinate)])
  }
}
