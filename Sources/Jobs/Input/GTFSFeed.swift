import CZip
import Foundation
import Geography

/// A timetable in GTFS: a zip of CSV files. What of it says where stops are, and which lines call there.
final class GTFSFeed {
  let path: String
  private let archive: OpaquePointer

  /// Opens the file at `path`; nil where it does not begin as zips do. *Throws*: `InputError`.
  static func open(_ path: String) throws -> GTFSFeed? {
    guard FileManager.irregularity(of: path) == nil, let file = FileHandle(forReadingAtPath: path),
      (try? file.read(upToCount: 4)) == Data([0x50, 0x4B, 3, 4])
    else { return nil }
    var code: Int32 = 0
    guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
      throw InputError(file: path, problem: "the zip is corrupt or truncated")
    }
    guard isWhole(file) else {
      zip_discard(archive)
      throw InputError(
        file: path, problem: "other bytes follow the end of the zip: copy it again, or zip its files again")
    }
    return GTFSFeed(path, archive)
  }

  /// Whether the file ends with the zip's last record and its comment.
  private static func isWhole(_ file: FileHandle) -> Bool {
    // The record has 22 bytes, and a comment has at most 65,535.
    guard let size = try? file.seekToEnd(), (try? file.seek(toOffset: size - min(size, 22 + 65_535))) != nil,
      let end = try? file.readToEnd(), end.count >= 22
    else { return false }
    let bytes = Array(end)
    return (0...bytes.count - 22).reversed().contains { at in
      bytes[at...].starts(with: [0x50, 0x4B, 5, 6])
        && at + 22 + Int(bytes[at + 20]) + Int(bytes[at + 21]) << 8 == bytes.count
    }
  }

  private init(_ path: String, _ archive: OpaquePointer) { (self.path, self.archive) = (path, archive) }

  deinit { zip_discard(archive) }

  /// A file of the feed, as messages name it.
  func path(of name: String) -> String { "\(path)/\(name)" }

  func has(_ name: String) -> Bool { zip_name_locate(archive, name, UInt32(ZIP_FL_NODIR)) >= 0 }

  /// The rows of a file of the feed, also where the zip has it in a folder. *Throws*: `InputError`, also where the feed has no such
  /// file.
  func rows(of name: String) throws -> DelimitedRows {
    let index = zip_name_locate(archive, name, UInt32(ZIP_FL_NODIR))
    guard index >= 0 else {
      throw InputError(file: path, problem: "the zip has no \(name), expected a GTFS feed")
    }
    var entry = zip_stat_t()
    zip_stat_index(archive, UInt64(index), 0, &entry)
    let most = InputFile.mostBytes(unpackedFrom: Int(clamping: entry.comp_size))
    guard entry.size <= UInt64(most) else {
      throw InputError(
        file: path(of: name), problem: "it would unpack to \(entry.size >> 20) MB, expected at most \(most >> 20)")
    }
    let corrupt = InputError(file: path(of: name), problem: "the zip is corrupt or truncated")
    guard let file = zip_fopen_index(archive, UInt64(index), 0) else { throw corrupt }
    let member = Member(file: file)
    // The checksum is compared when the end is read.
    var left = entry.size
    return try DelimitedRows(
      InputBuffer(path(of: name)) { buffer in
        let count = zip_fread(member.file, buffer.baseAddress, UInt64(buffer.count))
        guard count >= 0, count <= left, count > 0 || left == 0 else { throw corrupt }
        left -= UInt64(count)
        return Int(count)
      })
  }

  /// A file within the zip that is being read.
  private final class Member {
    let file: OpaquePointer
    init(file: OpaquePointer) { self.file = file }
    deinit { zip_fclose(file) }
  }
}

extension GTFSFeed {
  /// The lines that call at each stop, by the stop's id; only those of `types`, if any are named. Empty if the feed has no
  /// trips. *Throws*: `InputError`.
  func lines(of types: Set<RouteType>?) throws -> [String: Set<String>] {
    let names = ["routes.txt", "trips.txt", "stop_times.txt"]
    guard names.allSatisfy(has) else {
      guard types != nil else { return [:] }
      throw InputError(file: path, problem: "routeTypes needs \(names.joined(separator: ", ")); the zip lacks one")
    }
    let lines = try lines(names[0])
    let labels = LineLabels(lines.values)
    var linesOfTrips: [String: String] = [:]
    try forEachRow(names[1], ["trip_id", "route_id"]) { fields in
      let line = lines[fields[1]]
      if let types, line?.type.map(types.contains) != true { return }
      linesOfTrips[fields[0]] = line.map { labels[$0] } ?? fields[1]
    }
    var linesOfStops: [String: Set<String>] = [:]
    var (trip, line): (String, String?) = ("", nil)
    try forEachRow(names[2], ["trip_id", "stop_id"]) { fields in
      // Rows of a trip are next to one another in nearly every feed.
      if fields[0] != trip { (trip, line) = (fields[0], linesOfTrips[fields[0]]) }
      // Trips on demand name areas in place of stops.
      if let line, !fields[1].isEmpty { linesOfStops[fields[1], default: []].insert(line) }
    }
    return linesOfStops
  }

  /// The line of each route, by the route's id.
  private func lines(_ name: String) throws -> [String: TransitLine] {
    var agencies: [String: String] = [:]
    if has("agency.txt") {
      try forEachRow("agency.txt", [], ["agency_id", "agency_name"]) {
        agencies[$0[0]] = $0[1].isEmpty ? $0[0] : $0[1]
      }
    }
    let isAmbiguous = Set(agencies.values).count < agencies.count
    var lines: [String: TransitLine] = [:]
    try forEachRow(
      name, ["route_id", "route_type"], ["route_short_name", "route_long_name", "agency_id"]
    ) { fields in
      // A feed of one agency need not say it.
      let id = fields[4].isEmpty && agencies.count == 1 ? agencies.keys.first! : fields[4]
      let agency = isAmbiguous ? id : agencies[id] ?? id
      lines[fields[0]] = TransitLine(
        name: fields[2...3].first { !$0.isEmpty } ?? fields[0], agency: agency,
        type: Int(fields[1]).flatMap(RouteType.init(code:)), code: fields[1])
    }
    return lines
  }

  /// Calls `body` with the fields of each row in the order of `columns`; optional ones are empty where there is none.
  private func forEachRow(
    _ name: String, _ columns: [String], _ optional: [String] = [], _ body: ([String]) -> Void
  ) throws {
    let rows = try rows(of: name)
    let header = try rows.header()
    let required = try columns.map { column in
      guard let index = header.firstIndex(of: column) else {
        throw InputError(file: rows.path, line: 1, problem: "the header has no column \(column)")
      }
      return index
    }
    let others = optional.map { header.firstIndex(of: $0) }
    let least = (required.max() ?? 0) + 1
    // Feeds are long and not always tidy: a row counts that has what is asked for.
    while try rows.next() {
      guard rows.count >= least else { continue }
      body(
        required.map { rows[$0].text }
          + others.map { index in index.flatMap { $0 < rows.count ? rows[$0].text : nil } ?? "" })
    }
  }
}

/// A line of a timetable: all routes of one name, agency and type.
private struct TransitLine: Hashable {
  /// Its short name, else its long name, else its id.
  var name: String
  var agency: String
  /// Nil for a code that GTFS does not have.
  var type: RouteType?
  var code: String

  var typeName: String { type?.name ?? "type \(code)" }
}

/// Lines as tables name them: by their names, followed by agency and type if lines of one name differ in them.
private struct LineLabels {
  private let labels: [TransitLine: String]

  init(_ lines: some Sequence<TransitLine>) {
    var labels: [TransitLine: String] = [:]
    for (name, lines) in Dictionary(grouping: lines, by: \.name) {
      let hasAgencies = Set(lines.map(\.agency)).count > 1
      let hasTypes = Set(lines.map(\.typeName)).count > 1
      for line in lines {
        let marks = [hasAgencies ? line.agency : "", hasTypes ? line.typeName : ""].filter { !$0.isEmpty }
        labels[line] = marks.isEmpty ? name : "\(name) (\(marks.joined(separator: ", ")))"
      }
    }
    self.labels = labels
  }

  subscript(line: TransitLine) -> String { labels[line] ?? line.name }
}
