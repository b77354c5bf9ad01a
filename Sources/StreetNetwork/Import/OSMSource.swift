import COsmium
import Foundation
import Geography

/// A map to import: an OpenStreetMap file, or OPL text in memory.
package enum OSMSource: Sendable {
  /// `.osm.pbf`, `.osm`, `.osm.gz`, `.osm.bz2` and other formats that libosmium recognizes by the file's name.
  case file(String)
  /// One object per line (libosmium's OPL).
  case opl(String)

  package var name: String {
    switch self {
    case .file(let path): path
    case .opl: "the map in memory"
    }
  }

  /// Visits every way with one of `keys`, and the relations of turn restrictions, boundaries, areas, ferry routes and
  /// public transport stops; returns counts of ignored data. *Throws*: `OdometerError`.
  @discardableResult package func readWays(
    having keys: [String], _ body: (WayOrRelation) -> Void
  ) throws -> COsmiumOmissions {
    let keys = keys.map { strdup($0) }
    defer { keys.forEach { free($0) } }
    let pointers = keys.map { UnsafePointer($0) }
    return try read(body) { source, context, omissions, message, size in
      cosmium_read_ways(
        source, pointers, pointers.count, context,
        { context, way in
          let body = context!.assumingMemoryBound(to: ((WayOrRelation) -> Void).self)
          body.pointee(.way(way!.pointee))
        },
        { context, relation in
          let body = context!.assumingMemoryBound(to: ((WayOrRelation) -> Void).self)
          body.pointee(.relation(relation!.pointee))
        }, omissions, message, size)
    }
  }

  /// Visits the ways with these IDs. *Throws*: `OdometerError`.
  package func readWays(_ ids: Set<Int64>, _ body: (COsmiumWay) -> Void) throws {
    let ids = ids.sorted()
    _ = try read(body) { source, context, _, message, size in
      cosmium_read_ways_by_id(
        source, ids, ids.count, context,
        { context, way in
          let body = context!.assumingMemoryBound(to: ((COsmiumWay) -> Void).self)
          body.pointee(way!.pointee)
        }, message, size)
    }
  }

  package enum WayOrRelation {
    case way(COsmiumWay)
    case relation(COsmiumRelation)
  }

  /// Visits every node with a location; returns counts of ignored data. *Throws*: `OdometerError`.
  @discardableResult package func readNodes(_ body: (COsmiumNode) -> Void) throws -> COsmiumOmissions {
    try read(body) { source, context, omissions, message, size in
      cosmium_read_nodes(
        source, context,
        { context, node in
          let body = context!.assumingMemoryBound(to: ((COsmiumNode) -> Void).self)
          body.pointee(node!.pointee)
        }, omissions, message, size)
    }
  }

  /// Returns the timestamp of the data in ISO 8601; empty if the map does not have one. *Throws*: `OdometerError`.
  func date() throws -> String {
    var date = [CChar](repeating: 0, count: 64)
    try call { source, message, size in cosmium_map_date(source, &date, date.count, message, size) }
    return OSMSource.text(date)
  }

  private func read<Item>(
    _ body: (Item) -> Void,
    _ read: (
      UnsafePointer<COsmiumSource>, UnsafeMutableRawPointer, UnsafeMutablePointer<COsmiumOmissions>,
      UnsafeMutablePointer<CChar>, Int
    ) -> Int32
  ) throws -> COsmiumOmissions {
    var omissions = COsmiumOmissions()
    try withoutActuallyEscaping(body) { body in
      var body = body
      try withUnsafeMutablePointer(to: &body) { context in
        try call { source, message, size in read(source, context, &omissions, message, size) }
      }
    }
    return omissions
  }

  /// Calls libosmium, and throws the error that it reports.
  func call(_ body: (UnsafePointer<COsmiumSource>, UnsafeMutablePointer<CChar>, Int) -> Int32) throws {
    try withSource { source in
      var source = source
      var message = [CChar](repeating: 0, count: 512)
      guard body(&source, &message, message.count) != 0 else { return }
      let reason = OSMSource.text(message)
      if reason.contains("Could not detect file format") {
        throw .input(name, "unknown map format; expected an .osm.pbf, .osm, .osm.gz, .osm.bz2 or .network")
      }
      throw .input(name, "the map cannot be read: \(reason)\(OSMSource.advice(on: reason))")
    }
  }

  /// Returns a hint to check the download if the file is truncated or corrupt.
  private static func advice(on reason: String) -> String {
    let signs = [
      "truncated", "EOF", "end of", "unexpected end", "data error", "uncompress", "decompress", "zlib", "inflate",
    ]
    return signs.contains { reason.localizedCaseInsensitiveContains($0) } ? "; is the download complete?" : ""
  }

  private static func text(_ characters: [CChar]) -> String {
    let text = String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  private func withSource(_ body: (COsmiumSource) throws -> Void) rethrows {
    switch self {
    case .file(let path):
      try path.withCString { try body(COsmiumSource(path: $0, bytes: nil, size: 0, format: nil)) }
    case .opl(let text):
      try text.withCString { bytes in
        try "opl".withCString { format in
          try body(COsmiumSource(path: nil, bytes: bytes, size: text.utf8.count, format: format))
        }
      }
    }
  }
}

extension OdometerError {
  /// Creates the error for a map that has no ways open to `profile`. The message lists the map's kinds of ways, for
  /// which the map is read again, or states `reason` if some ways would be open.
  init(noWayOpenIn source: OSMSource, for profile: Profile, because reason: String? = nil) {
    let mode = profile.transportType.rawValue
    let suffix = profile.name == mode ? "" : " under profile \(profile.name)"
    self.init(
      file: source.name,
      problem:
        "no way in this map is open to \(mode)\(suffix): \(reason ?? OdometerError.kindsOfWays(in: source, profile))")
  }

  /// Returns the most frequent kinds of ways: "its ways are 12 highway=footway, 3 highway=steps and 2 others".
  private static func kindsOfWays(in source: OSMSource, _ profile: Profile) -> String {
    var counts: [String: Int] = [:]
    // The map has been read before, so read errors have already been reported.
    _ = try? source.readWays(having: profile.wayKeys) { object in
      guard case .way(let way) = object else { return }
      let tags = Tags(way.tags)
      guard let (key, value) = profile.wayKeys.lazy.compactMap({ key in tags[key].map { (key, $0) } }).first else {
        return
      }
      let problem = profile.mayUse(tags) ? " without a second node" : ""
      counts["\(key)=\(value)\(problem)", default: 0] += 1
    }
    guard !counts.isEmpty else {
      return "it has no ways with \(profile.wayKeys.map { $0 + "=*" }.joined(separator: " or "))"
    }
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    let others = counts.values.reduce(0, +) - counts.values.sorted(by: >).prefix(3).reduce(0, +)
    return "its ways are " + kinds.prefix(3).joined(separator: ", ") + (others > 0 ? " and \(others) others" : "")
  }
}

/// A point, a line or an area of a map.
struct MapShape {
  enum Kind { case point, line, area }

  /// The object type of its source: a node, a way, or a multipolygon relation.
  enum Origin: UInt8 {
    case node = 0x6E  // n
    case way = 0x77  // w
    case relation = 0x72  // r
  }

  var kind: Kind
  /// Lines or rings; a point is one line with one point.
  var lines: [[FixedCoordinate]]
}

/// The context passed to libosmium's callbacks.
private final class ShapeHandlers {
  let choose: (MapShape.Origin, Tags) -> MapShape.Kind?
  let handle: (MapShape, Tags) -> Void

  init(choose: @escaping (MapShape.Origin, Tags) -> MapShape.Kind?, handle: @escaping (MapShape, Tags) -> Void) {
    (self.choose, self.handle) = (choose, handle)
  }

  /// Returns 0 to skip an object, 2 for an area and 1 for other shapes, as `COsmiumChooser` expects.
  func choice(_ type: CChar, _ tags: COsmiumTags) -> Int32 {
    guard let origin = MapShape.Origin(rawValue: UInt8(bitPattern: type)), let kind = choose(origin, Tags(tags)) else {
      return 0
    }
    return kind == .area ? 2 : 1
  }

  func pass(_ shape: COsmiumShape) {
    let kinds: [UInt8: MapShape.Kind] = [0x70: .point, 0x6C: .line, 0x61: .area]  // p, l, a
    guard let kind = kinds[UInt8(bitPattern: shape.type)] else { return }
    var start = 0
    let lines = UnsafeBufferPointer(start: shape.ends, count: shape.ring_count).map { end in
      defer { start = end }
      return (start..<end).map {
        FixedCoordinate(longitude: shape.coordinates[2 * $0], latitude: shape.coordinates[2 * $0 + 1])
      }
    }
    handle(MapShape(kind: kind, lines: lines), Tags(shape.tags))
  }
}

extension OSMSource {
  /// Visits the shapes that `choose` selects by their tags: points, then areas of relations, then ways. Areas have
  /// closed rings, including holes; unclosed rings are left out. *Throws*: `OdometerError`.
  func readShapes(
    choosing choose: @escaping (MapShape.Origin, Tags) -> MapShape.Kind?, _ handle: @escaping (MapShape, Tags) -> Void
  ) throws {
    let handlers = ShapeHandlers(choose: choose, handle: handle)
    try withExtendedLifetime(handlers) {
      try call { source, message, size in
        cosmium_read_shapes(
          source, Unmanaged.passUnretained(handlers).toOpaque(),
          { Unmanaged<ShapeHandlers>.fromOpaque($0!).takeUnretainedValue().choice($1, $2!.pointee) },
          { Unmanaged<ShapeHandlers>.fromOpaque($0!).takeUnretainedValue().pass($1!.pointee) }, message, size)
      }
    }
  }
}
