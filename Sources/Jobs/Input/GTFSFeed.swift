import CZip
import Foundation

/// A timetable in GTFS: a zip of CSV files. What of it says where stops are, and which lines call there.
struct GTFSFeed {
  private let path: String
  private let archive: OpaquePointer

  /// Whether the file at `path` begins as zips do.
  static func isZip(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    return (try? file.read(upToCount: 4)) == Data([0x50, 0x4B, 3, 4])
  }

  /// Opens the zip for the time of `body`. *Throws*: `InputError`, and what `body` throws.
  static func open<R>(_ path: String, _ body: (GTFSFeed) throws -> R) throws -> R {
    var code: Int32 = 0
    guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
      throw InputError(file: path, problem: "the zip is damaged, or cut off")
    }
    defer { zip_discard(archive) }
    return try body(GTFSFeed(path: path, archive: archive))
  }

  /// A file of the feed, also where the zip has it in a folder. Nil where it has none.
  func bytes(of name: String) throws -> [UInt8]? {
    let index = zip_name_locate(archive, name, UInt32(ZIP_FL_NODIR))
    guard index >= 0 else { return nil }
    var entry = zip_stat_t()
    zip_stat_index(archive, UInt64(index), 0, &entry)
    let most = mostBytes(unpackedFrom: Int(clamping: entry.comp_size))
    guard entry.size <= UInt64(most) else {
      throw InputError(
        file: "\(path)/\(name)", problem: "it would unpack to \(entry.size >> 20) MB; at most \(most >> 20) are read")
    }
    let damaged = InputError(file: "\(path)/\(name)", problem: "the zip is damaged, or cut off")
    guard let file = zip_fopen_index(archive, UInt64(index), 0) else { throw damaged }
    defer { zip_fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(entry.size)) { buffer, count in
      count = max(0, Int(zip_fread(file, buffer.baseAddress, entry.size)))
    }
    guard bytes.count == Int(entry.size) else { throw damaged }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  }

  func requiredBytes(of name: String) throws -> [UInt8] {
    guard let bytes = try bytes(of: name) else {
      throw InputError(file: path, problem: "the zip has no \(name); a GTFS feed is needed")
    }
    return bytes
  }

  /// The lines that call at each stop, by the stop's id; only those of `types`, if any are named. Empty where the feed
  /// says nothing of trips.
  func lines(of types: Set<RouteType>?) throws -> [String: Set<String>] {
    let names = ["routes.txt", "trips.txt", "stop_times.txt"]
    guard let routes = try bytes(of: names[0]), let trips = try bytes(of: names[1]),
      let stopTimes = try bytes(of: names[2])
    else {
      guard types != nil else { return [:] }
      throw InputError(file: path, problem: "routeTypes needs \(names.joined(separator: ", ")); the zip lacks one")
    }
    var lines: [String: String] = [:]
    try forEachRow(routes, names[0], ["route_id", "route_type"], ["route_short_name", "route_long_name"]) { fields in
      if let types, Int(fields[1]).flatMap(RouteType.init(code:)).map(types.contains) != true { return }
      lines[fields[0]] = fields[2...].first { !$0.isEmpty } ?? fields[0]
    }
    var linesOfTrips: [String: String] = [:]
    try forEachRow(trips, names[1], ["trip_id", "route_id"]) { fields in linesOfTrips[fields[0]] = lines[fields[1]] }
    var linesOfStops: [String: Set<String>] = [:]
    var (trip, line): (String, String?) = ("", nil)
    try forEachRow(stopTimes, names[2], ["trip_id", "stop_id"]) { fields in
      // Rows of a trip stand together in nearly every feed.
      if fields[0] != trip { (trip, line) = (fields[0], linesOfTrips[fields[0]]) }
      if let line { linesOfStops[fields[1], default: []].insert(line) }
    }
    return linesOfStops
  }

  /// Calls `body` with the fields of each row in the order of `columns`; optional ones are empty where there is none.
  private func forEachRow(
    _ bytes: [UInt8], _ name: String, _ columns: [String], _ optional: [String] = [], _ body: ([String]) -> Void
  ) throws {
    var head = CSVReader(bytes)
    let header = head.next()?.fields ?? []
    let places = try columns.map { column in
      guard let place = header.firstIndex(of: column) else {
        throw InputError(file: "\(path)/\(name)", line: 1, problem: "the header has no column \(column)")
      }
      return place
    }
    let others = optional.map { header.firstIndex(of: $0) }
    var rows = CSVReader(bytes, columns: Set(places + others.compactMap(\.self)))
    _ = rows.next()
    while let row = rows.next() {
      guard row.fields.count > places.max()! else { continue }
      body(
        places.map { row.fields[$0] }
          + others.map { place in place.flatMap { $0 < row.fields.count ? row.fields[$0] : nil } ?? "" })
    }
  }
}
