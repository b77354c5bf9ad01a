import Foundation
import Geography
import Tables

/// A problem place of the input, or a rejected row, to check before a run.
struct ProblemPoint {
  /// The place; nil for a rejected row.
  var row: PlaceRow?
  /// The rejected row; nil for a place.
  var rejected: RejectedRow?
  var point: FixedCoordinate
  var reason: String
}

/// Problem points as GeoJSON, one Feature per line.
struct ProblemFile {
  private var points: [ProblemPoint] = []

  package init() {}

  package var count: Int { points.count }

  /// Adds a place with a reason.
  package mutating func add(_ row: PlaceRow, _ reason: String) {
    points.append(ProblemPoint(row: row, point: row.coordinate, reason: reason))
  }

  /// Adds the points of a rejected row, such as both ends of a pair.
  package mutating func add(_ row: RejectedRow) {
    points += row.points.map { ProblemPoint(rejected: row, point: $0, reason: row.reason) }
  }

  /// The counts of points by reason: "2 off_map, 1 rejected".
  package var summary: String {
    var counts: [(reason: String, count: Int)] = []
    for point in points {
      let reason = point.row == nil ? "rejected" : point.reason
      if let index = counts.firstIndex(where: { $0.reason == reason }) {
        counts[index].count += 1
      } else {
        counts.append((reason, 1))
      }
    }
    return counts.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
  }

  /// Writes the file at `path`. *Throws*: `ResultsError`.
  package func write(to path: String) throws {
    var text = TextBuffer()
    text.append("{\"type\":\"FeatureCollection\",\"features\":[")
    for (index, point) in points.enumerated() {
      text.append(text: index == 0 ? "\n" : ",\n")
      text.append(point)
    }
    text.append("\n]}\n")
    try WrittenFile(path, .problems).write(text.withBytes { Array($0) })
  }
}

extension TextBuffer {
  fileprivate mutating func append(_ problem: ProblemPoint) {
    append("{\"type\":\"Feature\",\"properties\":{")
    if let row = problem.row {
      member("id", row.id)
      member("role", row.role.rawValue)
      member("name", row.name)
      member("status", row.status.rawValue)
      member("reason", problem.reason)
      property("snap_distance", row.snapDistance)
      if let size = row.passedComponentSize ?? row.componentSize { property("component_size", Double(size)) }
      property("weight", row.weight)
    } else if let row = problem.rejected {
      member("id", orNull: nil)
      member("file", row.file)
      property("line", Double(row.line))
      member("status", "rejected")
      member("reason", problem.reason)
      property("snap_distance", nil)
      property("weight", nil)
    }
    endFeature(at: problem.point)
  }

  private mutating func property(_ name: String, _ value: Double?) {
    key(name)
    guard let value, value.isFinite else { return append("null") }
    append(number: value)
  }
}
