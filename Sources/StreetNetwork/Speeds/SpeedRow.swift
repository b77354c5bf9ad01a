/// A row of a speed file: a place, a speed and its times.
package struct SpeedRow: Sendable {
  package var place: SpeedPlace
  package var value: SpeedValue
  /// The line number in the file.
  package var line: Int

  package init(_ place: SpeedPlace, _ value: SpeedValue, line: Int) {
    (self.place, self.value, self.line) = (place, value, line)
  }
}

/// The place of a speed, by OpenStreetMap IDs: a way, or a section from one node to another.
package struct SpeedPlace: Hashable, Sendable, CustomStringConvertible {
  /// 0 for any way.
  package var way: Int64
  /// Nil for the whole way.
  package var nodes: Nodes?
  /// Forward or backward along the way; nil for both. Nodes imply the direction.
  package var direction: Direction?

  package struct Nodes: Hashable, Sendable {
    package var from: Int64
    package var to: Int64
    package init(from: Int64, to: Int64) { (self.from, self.to) = (from, to) }
  }

  package enum Direction: Sendable { case forward, backward }

  package init(way: Int64 = 0, nodes: Nodes? = nil, direction: Direction? = nil) {
    (self.way, self.nodes, self.direction) = (way, nodes, direction)
  }

  package var description: String {
    let way = way == 0 ? [] : ["way \(way)"]
    return (way + (nodes.map { ["nodes \($0.from) to \($0.to)"] } ?? [])).joined(separator: ", ")
  }
}

/// A speed and its times.
package enum SpeedValue: Sendable {
  /// 0 for stopped traffic.
  case kmh(Double, WeekHours)
  case slowness(Double, WeekHours)
  /// The speed in km/h in each slot of five minutes from midnight on Monday; NaN if unknown.
  case week([Float])
}
