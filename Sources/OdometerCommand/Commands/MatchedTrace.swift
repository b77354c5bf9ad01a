import Foundation
import Geography
import Routing
import StreetNetwork

/// A trace and its match, as `odometer match` prints them.
package struct MatchedTrace {
  let id: String
  let fixes: [Fix]
  let match: Match
  let router: Router

  package init(id: String, fixes: [Fix], match: Match, router: Router) {
    (self.id, self.fixes, self.match, self.router) = (id, fixes, match, router)
  }

  /// What was passed of one street, or of several in a row with one name.
  private struct Passage {
    var name: String
    var metres = 0.0
    var expected = 0.0
    var observed: Double?
    var isUTurn: Bool
  }

  // MARK: For people

  var text: String {
    let kept = match.fixes.count(where: \.isKept)
    let matched = match.fixes.count { $0.reason == nil }
    var lines = ["\(id): \(headline)"]
    lines.append(
      "\(fixes.count) fixes, \(kept) kept, \(matched) of them matched; standard deviation "
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
      for passage in passages(of: part) {
        let observed = passage.observed.map { MeasureText.duration($0) } ?? "-"
        lines.append(
          "\(RouteText.padded(MeasureText.metres(passage.metres), 8))  \(RouteText.padded(observed, 9))  "
            + "\(RouteText.padded(MeasureText.duration(passage.expected), 9))  "
            + (passage.isUTurn ? "turning around: " : "") + passage.name)
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

  private func passages(of part: MatchedPart) -> [Passage] {
    var passages: [Passage] = []
    for piece in part.pieces where piece.to > piece.from {
      let name = router.name(of: piece.street.street)
      if passages.last?.name != name || piece.isUTurn { passages.append(Passage(name: name, isUTurn: piece.isUTurn)) }
      passages[passages.count - 1].metres += piece.distance
      passages[passages.count - 1].expected += piece.expectedTravelTime
      if let seconds = piece.observedTime {
        passages[passages.count - 1].observed = (passages[passages.count - 1].observed ?? 0) + seconds
      }
    }
    return passages
  }

  // MARK: For programs

  /// One object.
  var json: String {
    var text = TextBuffer()
    append(to: &text) { $0.appendGeometry($1) }
    return text.string()
  }

  /// The same.
  ///
  /// - Parameter shape: Writes the member for a line.
  package func append(to text: inout TextBuffer, shape: (inout TextBuffer, Polyline) -> Void) {
    text.append("{\"trace_id\":")
    text.append(jsonString: id)
    text.append(text: ",\"status\":\"\(match.status.rawValue)\",\"status_reason\":")
    text.append(jsonStringOrNull: match.statusReason)
    text.append(
      text: ",\"sigma\":\(MeasureText.decimal(match.sigma, 2)),\"distance\":\(MeasureText.decimal(match.distance, 2))")
    text.append(text: ",\"expected_travel_time\":\(MeasureText.decimal(match.expectedTravelTime, 3))")
    text.append(
      text: ",\"off_road_length\":\(MeasureText.decimal(match.offRoadLength, 2)),\"u_turn_count\":\(match.uTurnCount)")
    text.append(",\"parts\":[")
    for (index, part) in match.parts.enumerated() {
      text.append(text: index > 0 ? ",{" : "{")
      appendProperties(of: part, index, to: &text)
      text.append(",\"streets\":[")
      for (index, passage) in passages(of: part).enumerated() {
        text.append(text: index > 0 ? ",{\"street\":" : "{\"street\":")
        text.append(jsonString: passage.name)
        text.append(text: ",\"distance\":\(MeasureText.decimal(passage.metres, 2))")
        text.append(text: ",\"expected_travel_time\":\(MeasureText.decimal(passage.expected, 3))")
        text.append(text: ",\"observed_time\":\(passage.observed.map { MeasureText.decimal($0, 3) } ?? "null")}")
      }
      text.append("],")
      shape(&text, part.polyline)
      text.append("}")
    }
    text.append("],\"stops\":[")
    for (index, stop) in match.stops.enumerated() {
      text.append(text: index > 0 ? ",{" : "{")
      appendProperties(of: stop, to: &text)
      text.append("}")
    }
    text.append("],\"fixes\":[")
    for index in fixes.indices {
      text.append(text: index > 0 ? ",{" : "{")
      appendProperties(ofFix: index, to: &text)
      text.append("}")
    }
    text.append("]}")
  }

  /// Features for maps: the parts, the stops, the fixes.
  var features: [String] {
    func feature(_ layer: String, _ properties: (inout TextBuffer) -> Void, _ geometry: (inout TextBuffer) -> Void)
      -> String
    {
      var text = TextBuffer()
      text.append(text: "{\"type\":\"Feature\",\"properties\":{\"layer\":\"\(layer)\",\"trace_id\":")
      text.append(jsonString: id)
      text.append(",")
      properties(&text)
      text.append("},")
      geometry(&text)
      text.append("}")
      return text.string()
    }
    func point(_ place: Coordinate, _ text: inout TextBuffer) {
      text.append("\"geometry\":{\"type\":\"Point\",\"coordinates\":")
      text.append(positions: [FixedCoordinate(place)])
      text.append("}")
    }
    return match.parts.enumerated().map { index, part in
      feature("part") {
        appendProperties(of: part, index, to: &$0)
      } _: {
        $0.appendGeometry(part.polyline)
      }
    }
      + match.stops.map { stop in
        feature("stop") {
          appendProperties(of: stop, to: &$0)
        } _: {
          point(stop.coordinate, &$0)
        }
      }
      + fixes.indices.filter { fixes[$0].coordinate.isValid }.map { index in
        feature("fix") {
          appendProperties(ofFix: index, to: &$0)
        } _: {
          point(fixes[index].coordinate, &$0)
        }
      }
  }

  private func appendProperties(of part: MatchedPart, _ index: Int, to text: inout TextBuffer) {
    text.append(text: "\"part\":\(index),\"begin_reason\":\"\(part.beginReason.rawValue)\"")
    text.append(",\"name\":")
    text.append(jsonString: part.name)
    text.append(text: ",\"first_fix\":\(part.firstFix),\"last_fix\":\(part.lastFix)")
    text.append(text: ",\"distance\":\(MeasureText.decimal(part.distance, 2))")
    text.append(text: ",\"expected_travel_time\":\(MeasureText.decimal(part.expectedTravelTime, 3))")
    text.append(text: ",\"observed_time\":\(part.observedTime.map { MeasureText.decimal($0, 3) } ?? "null")")
    text.append(dates: [("departure_date", part.startDate), ("arrival_date", part.endDate)])
  }

  private func appendProperties(of stop: TraceStop, to text: inout TextBuffer) {
    text.append(text: "\"seconds\":\(MeasureText.decimal(stop.duration, 3))")
    text.append(dates: [("arrival_date", stop.arrivalDate), ("departure_date", stop.departureDate)])
  }

  private func appendProperties(ofFix index: Int, to text: inout TextBuffer) {
    let (fix, matched) = (fixes[index], match.fixes[index])
    text.append(text: "\"n\":\(index),\"kept\":\(matched.isKept),\"reason\":")
    text.append(jsonStringOrNull: matched.reason?.rawValue)
    text.append(dates: [("date", fix.timestamp)])
    guard let place = matched.place else { return }
    text.append(text: ",\"part\":\(place.part),\"snap_distance\":\(MeasureText.decimal(place.snapDistance, 2))")
    text.append(text: ",\"along\":\(MeasureText.decimal(place.along, 2)),\"matched\":")
    text.append(positions: [FixedCoordinate(place.coordinate)])
  }
}

extension MatchedPiece {
  fileprivate var distance: Double { Double(weight.centimetres) / 100 }
  fileprivate var expectedTravelTime: Double { Double(weight.milliseconds) / 1000 }
}

extension TextBuffer {
  fileprivate mutating func append(jsonStringOrNull string: String?) {
    if let string { append(jsonString: string) } else { append("null") }
  }

  /// Members for the dates that there are.
  fileprivate mutating func append(dates: [(String, Date?)]) {
    for (key, date) in dates {
      guard let date else { continue }
      append(text: ",\"\(key)\":\"\(date.formatted(.iso8601))\"")
    }
  }
}
