/// The columns of a file of speeds with a header, including Uber's names; others are ignored.
package struct LongColumns {
  package private(set) var way: Int?
  package private(set) var from: Int?
  package private(set) var to: Int?
  package private(set) var forward: Int?
  package private(set) var weekday: Int?
  package private(set) var start: Int?
  package private(set) var end: Int?
  package private(set) var hour: Int?
  package private(set) var kmh: Int?
  package private(set) var mph: Int?
  package private(set) var slowness: Int?
  package let count: Int
  package let header: [String]

  private static let ways = ["way_id", "osm_way_id"]
  private static let froms = ["from_node", "osm_start_node_id"]
  private static let tos = ["to_node", "osm_end_node_id"]
  private static let speeds = ["kmh", "speed_kph_mean", "slowness", "speed_mph_mean"]

  /// Whether these are column names, including one of a place.
  static func isHeader(_ header: [String]) -> Bool { header.contains { (ways + froms).contains($0) } }

  /// *Throws*: `InputError`.
  package init(_ header: [String], file: String) throws {
    func index(_ names: String...) -> Int? { header.firstIndex { names.contains($0) } }
    (self.header, count) = (header, header.count)
    way = header.firstIndex { LongColumns.ways.contains($0) }
    from = header.firstIndex { LongColumns.froms.contains($0) }
    to = header.firstIndex { LongColumns.tos.contains($0) }
    forward = index("forward")
    weekday = index("weekday")
    start = index("from")
    end = index("to")
    hour = index("hour", "hour_of_day")
    kmh = index("kmh", "speed_kph_mean")
    mph = index("speed_mph_mean")
    slowness = index("slowness")
    guard way != nil || from != nil && to != nil else {
      throw InputError(
        file: file, noColumnFor: "street", in: header, of: ["way_id", "from_node and to_node"])
    }
    guard (from == nil) == (to == nil) else {
      throw InputError(file: file, noColumnFor: "other node", in: header, of: ["from_node and to_node"])
    }
    guard kmh != nil || mph != nil || slowness != nil else {
      throw InputError(file: file, noColumnFor: "speed", in: header, of: LongColumns.speeds)
    }
    guard (start == nil) == (end == nil), start == nil || hour == nil else {
      throw InputError(file: file, noColumnFor: "hours", in: header, of: ["from and to", "hour"])
    }
  }

  /// Whether rows have times.
  package var hasTimes: Bool { weekday != nil || start != nil || hour != nil }
}
