/// The columns of a file of speeds with a header, including Uber's names; others are ignored.
struct LongColumns {
  private(set) var way: Int?
  private(set) var from: Int?
  private(set) var to: Int?
  private(set) var forward: Int?
  private(set) var weekday: Int?
  private(set) var start: Int?
  private(set) var end: Int?
  private(set) var hour: Int?
  private(set) var kmh: Int?
  private(set) var mph: Int?
  private(set) var slowness: Int?
  let count: Int
  let header: [String]

  private static let ways = ["way_id", "osm_way_id"]
  private static let froms = ["from_node", "osm_start_node_id"]
  private static let tos = ["to_node", "osm_end_node_id"]
  private static let speeds = ["kmh", "speed_kph_mean", "slowness", "speed_mph_mean"]

  /// Whether these are column names, including one of a place.
  static func isHeader(_ header: [String]) -> Bool { header.contains { (ways + froms).contains($0) } }

  /// *Throws*: `InputError`.
  init(_ header: [String], file: String) throws {
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
      throw InputError(file: file, noColumnFor: "street", in: header, of: ["way_id", "from_node and to_node"])
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
  var hasTimes: Bool { weekday != nil || start != nil || hour != nil }
}
