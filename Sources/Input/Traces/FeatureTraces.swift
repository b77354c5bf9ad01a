import Foundation
import Geography
import Routing
import Tables

/// The traces of a GeoJSON file: each line is a trace, and consecutive points with the same `trace_id` form a trace.
///
/// The times of a line's positions are in properties (`coordTimes`, `times`), otherwise in the fourth number of each
/// position.
final class FeatureTraces: TraceFileReader {
  private let path: String
  private let splitter: FeatureSplitter
  private let decoder = JSONDecoder()
  private let input: TraceInput
  /// The current trace of points.
  private var pointTrace: RecordedTrace?
  /// Lines read but not yet returned; the next one to return is at the end.
  private var lines: [RecordedTrace] = []
  private(set) var hasRowPerFix = false
  let unit = RowUnit.feature

  /// *Throws*: `OdometerError`.
  init(path: String, _ input: TraceInput) throws {
    (self.path, self.input) = (path, input)
    splitter = try FeatureSplitter(path)
  }

  func next() throws -> RecordedTrace? {
    if let line = lines.popLast() { return line }
    while let text = try splitter.feature() {
      var id: String?
      do throws(RowProblem) {
        let feature: TraceFeature = try decoder.feature(from: text)
        id = self.id(of: feature)
        if feature.isPoint {
          if let finished = try add(point: feature) { return finished }
        } else {
          try add(lines: feature)
          if let finished = pointTrace {
            pointTrace = nil
            return finished
          }
          if let line = lines.popLast() { return line }
        }
      } catch {
        let known = id ?? FeatureIDs.own.id(ofInvalid: text)
        reject(String(decoding: text, as: UTF8.self), of: known, error)
      }
    }
    defer { pointTrace = nil }
    return pointTrace
  }

  /// - Returns: The previous trace, if the point begins another one.
  private func add(point feature: TraceFeature) throws(RowProblem) -> RecordedTrace? {
    hasRowPerFix = true
    var fix = try self.fix(at: feature.lines[0][0])
    if let time = value(.time, of: feature) { fix.timestamp = try date(time.text, in: "time") }
    if let received = value(.received, of: feature) { fix.received = try date(received.text, in: "received") }
    fix.horizontalAccuracy = try measure(.accuracy, of: feature)
    fix.speed = try measure(.speed, of: feature)
    fix.course = try measure(.course, of: feature)
    let id = Identifier(id(of: feature))
    if pointTrace?.id == id {
      pointTrace?.fixes.append(fix)
      return nil
    }
    defer { pointTrace = newTrace(id, feature, [fix]) }
    return pointTrace
  }

  private func add(lines feature: TraceFeature) throws(RowProblem) {
    guard !feature.lines.isEmpty else { throw RowProblem("expected a LineString, a MultiLineString or a Point") }
    let name = id(of: feature)
    if let times = feature.times {
      let (expected, got) = (feature.lines.map(\.count), times.map(\.count))
      guard expected == got else {
        throw RowProblem("got \(got.reduce(0, +).counted("time")), expected one per position: \(expected.reduce(0, +))")
      }
    }
    for (index, positions) in feature.lines.enumerated().reversed() {
      let id = feature.lines.count == 1 ? name : "\(name)/\(index + 1)"
      lines.append(newTrace(Identifier(id), feature, fixes(positions, feature.times?[index], of: id)))
    }
  }

  private func id(of feature: TraceFeature) -> String {
    let stem = TraceFiles.stem(of: path)
    return value(.trace, of: feature)?.text ?? (feature.isPoint ? stem : feature.id ?? "\(stem)/\(splitter.count)")
  }

  /// Returns the fixes at valid positions; rejects the others one by one.
  private func fixes(_ positions: [[Double]], _ times: [TraceFeature.Value?]?, of id: String) -> [Fix] {
    var fixes: [Fix] = []
    for (index, position) in positions.enumerated() {
      do throws(RowProblem) {
        var fix = try fix(at: position)
        if let time = times?[index] {
          fix.timestamp = try date(time.text, in: "time")
        } else if times == nil, position.count >= 4 {
          fix.timestamp = try date(position[3].plainText, in: "time")
        }
        fixes.append(fix)
      } catch {
        reject("[\(position.map { String($0) }.joined(separator: ","))]", of: id, error)
      }
    }
    return fixes
  }

  private func newTrace(_ id: Identifier, _ feature: TraceFeature, _ fixes: [Fix]) -> RecordedTrace {
    RecordedTrace(
      id: id, group: value(.group, of: feature)?.text, fixes: fixes, file: path, line: splitter.count, unit: unit)
  }

  private func fix(at position: [Double]) throws(RowProblem) -> Fix {
    guard position.count >= 2 else {
      throw RowProblem("got a position of \(position.count.counted("number")), expected 2")
    }
    return Fix(coordinate: try input.check.fix(at: Coordinate(latitude: position[1], longitude: position[0])))
  }

  private func date(_ text: String, in name: String) throws(RowProblem) -> Date {
    Date(timeIntervalSince1970: try input.clock.seconds(text, in: name))
  }

  private func measure(_ column: PointColumns.Column, of feature: TraceFeature) throws(RowProblem) -> Double? {
    guard let value = value(column, of: feature) else { return nil }
    return try CoordinateCheck.measure(try CoordinateCheck.number(value.text, in: column.rawValue), in: column.rawValue)
  }

  private func value(_ column: PointColumns.Column, of feature: TraceFeature) -> TraceFeature.Value? {
    column.names.lazy.compactMap { feature.properties[$0] }.first { !$0.text.isEmpty }
  }

  private func reject(_ text: String, of id: String?, _ problem: RowProblem) {
    input.reject(RejectedRow(file: path, line: splitter.count, id: id, text: text, reason: problem.reason))
  }
}

/// A GeoJSON feature that is a trace (lines with a time per position) or a fix (a point with its time).
struct TraceFeature: Decodable {
  /// The positions of each line, or of a Point.
  let lines: [[[Double]]]
  let isPoint: Bool
  /// Times of positions, line by line, if the properties have them.
  let times: [[Value?]]?
  /// Properties that are strings or numbers, by name in lower case.
  let properties: [String: Value]
  let id: String?

  /// A JSON string or number, as text.
  struct Value: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      text = try (try? value.decode(String.self))?.trimmed ?? value.decodeNumberText()
    }
  }

  private enum Keys: String, CodingKey { case type, id, geometry, properties, coordinates }

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let feature = try decoder.container(keyedBy: Keys.self)
    guard try feature.decode(String.self, forKey: .type) == "Feature" else {
      throw DecodingError.dataCorruptedError(forKey: .type, in: feature, debugDescription: "not a Feature")
    }
    let shape = try feature.nestedContainer(keyedBy: Keys.self, forKey: .geometry)
    let type = try shape.decode(String.self, forKey: .type)
    isPoint = type == "Point"
    switch type {
    case "Point": lines = [[try shape.decode([Double].self, forKey: .coordinates)]]
    case "LineString": lines = [try shape.decode([[Double]].self, forKey: .coordinates)]
    case "MultiLineString": lines = try shape.decode([[[Double]]].self, forKey: .coordinates)
    default: lines = []
    }
    id = (try? feature.decode(Value.self, forKey: .id))?.text
    let container = try? feature.nestedContainer(keyedBy: Name.self, forKey: .properties)
    var properties: [String: Value] = [:]
    for key in container?.allKeys ?? [] {
      if let value = try? container?.decode(Value.self, forKey: key) {
        properties[key.stringValue.lowercased()] = value
      }
    }
    self.properties = properties
    times = container.flatMap(TraceFeature.times)
  }

  /// Returns the times in `coordTimes` or `times`, also within `coordinateProperties`: a list, or a list per line.
  private static func times(_ properties: KeyedDecodingContainer<Name>) -> [[Value?]]? {
    let nested = try? properties.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: "coordinateProperties"))
    for container in [properties, nested].compactMap(\.self) {
      for name in ["coordTimes", "times"].map(Name.init) {
        if let times = try? container.decode([Value?].self, forKey: name) { return [times] }
        if let times = try? container.decode([[Value?]].self, forKey: name) { return times }
      }
    }
    return nil
  }
}
