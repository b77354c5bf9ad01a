import Geography
import Tables

/// Problem places and rejected rows of the input, to check before a run, as GeoJSON: one Feature per line.
struct ProblemFile {
  /// Whether all ids are numbers; else they are all text, as in tables.
  let areNumbers: Bool
  private var features: [String] = []
  private var counts: [(reason: String, count: Int)] = []

  init(areNumbers: Bool) { self.areNumbers = areNumbers }

  var count: Int { features.count }

  mutating func add(_ row: PlaceRow, _ reason: String) {
    add(reason, at: row.coordinate) { [areNumbers] text in
      text.member("id", areNumbers ? row.id : row.id.asText)
      text.member("role", row.role.rawValue)
      text.member("name", row.name)
      text.member("status", row.status.rawValue)
      text.member("reason", reason)
      text.property("snap_distance", row.snapDistance)
      if let size = row.passedComponentSize ?? row.componentSize { text.property("component_size", Double(size)) }
      text.property("weight", row.weight)
    }
  }

  /// Adds the points of a rejected row, such as both ends of a pair.
  mutating func add(_ row: RejectedRow) {
    for point in row.points {
      add("rejected", at: point) { [areNumbers] text in
        let id = row.id.map(Identifier.init)
        if let id { text.member("id", areNumbers ? id : id.asText) } else { text.member("id", orNull: nil) }
        text.member("file", row.file)
        text.property("line", Double(row.line))
        text.member("status", "rejected")
        text.member("reason", row.reason)
        text.property("snap_distance", nil)
        text.property("weight", nil)
      }
    }
  }

  private mutating func add(
    _ reason: String, at point: FixedCoordinate, _ writeProperties: (inout TextBuffer) -> Void
  ) {
    var text = TextBuffer()
    text.append("{\"type\":\"Feature\",\"properties\":{")
    writeProperties(&text)
    text.endFeature(at: point)
    features.append(text.string())
    if let index = counts.firstIndex(where: { $0.reason == reason }) {
      counts[index].count += 1
    } else {
      counts.append((reason, 1))
    }
  }

  /// The counts of points by reason: "2 off_map, 1 rejected".
  var summary: String { counts.map { "\($0.count) \($0.reason)" }.joined(separator: ", ") }

  /// Writes the file at `path`. *Throws*: `ResultsError`.
  func write(to path: String) throws {
    let lines = features.isEmpty ? "" : "\n" + features.joined(separator: ",\n")
    let text = "{\"type\":\"FeatureCollection\",\"features\":[" + lines + "\n]}\n"
    try WrittenFile(path, .problems).write(Array(text.utf8))
  }
}

extension TextBuffer {
  fileprivate mutating func property(_ name: String, _ value: Double?) {
    key(name)
    guard let value, value.isFinite else { return append("null") }
    append(number: value)
  }
}
