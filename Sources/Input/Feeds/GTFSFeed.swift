import CZip
import Foundation
import Geography
import Tables

/// A GTFS feed: a zip of CSV files with stops and the lines that serve them.
package final class GTFSFeed {
  package let path: String
  private let archive: OpaquePointer
  /// The index of each file in the feed's folder (the one with stops.txt), by name.
  private let files: [String: UInt64]
  /// Notes on the zip, without a final full stop.
  package private(set) var notes: [String] = []

  /// Opens the file at `path`; nil if it does not begin with a zip signature. *Throws*: `OdometerError`.
  package static func open(_ path: String) throws -> GTFSFeed? {
    guard FileManager.irregularity(of: path) == nil, let file = FileHandle(forReadingAtPath: path),
      (try? file.read(upToCount: 4)) == Data([0x50, 0x4B, 3, 4])
    else { return nil }
    var code: Int32 = 0
    guard let rest = bytesAfterEnd(of: file), let archive = zip_open(path, ZIP_RDONLY, &code) else {
      throw .input(path, "the zip is corrupt or truncated")
    }
    let feed = try GTFSFeed(path, archive)
    // Extra bytes are harmless, since the checksum of each file in the zip is verified.
    if rest > 0 { feed.notes.append("ignored \(rest.counted("extra byte")) after the end of the zip") }
    return feed
  }

  /// Returns the number of bytes after the zip's end record and its comment; nil if the record is missing.
  private static func bytesAfterEnd(of file: FileHandle) -> Int? {
    // The record has 22 bytes, and a comment has at most 65,535.
    guard let size = try? file.seekToEnd(), (try? file.seek(toOffset: size - min(size, 22 + 65_535))) != nil,
      let end = try? file.readToEnd(), end.count >= 22
    else { return nil }
    let bytes = Array(end)
    let candidates = (0...bytes.count - 22).reversed().compactMap { at -> Int? in
      guard bytes[at...].starts(with: [0x50, 0x4B, 5, 6]) else { return nil }
      let rest = bytes.count - (at + 22 + Int(bytes[at + 20]) + Int(bytes[at + 21]) << 8)
      return rest >= 0 ? rest : nil
    }
    return candidates.contains(0) ? 0 : candidates.first
  }

  /// *Throws*: `OdometerError` if two folders contain a feed.
  private init(_ path: String, _ archive: OpaquePointer) throws {
    (self.path, self.archive) = (path, archive)
    let names = (0..<zip_get_num_entries(archive, 0)).map { index in
      zip_get_name(archive, UInt64(index), 0).map { String(cString: $0) } ?? ""
    }
    // The folder that macOS adds is ignored.
    let feeds = names.filter { ($0 as NSString).lastPathComponent == "stops.txt" && !$0.hasPrefix("__MACOSX/") }
    let folder = feeds.first?.folder
    let entries = Dictionary(grouping: names.indices.filter { names[$0].folder == folder }) {
      (names[$0] as NSString).lastPathComponent
    }
    files = entries.mapValues { UInt64($0[0]) }
    notes = entries.filter { $1.count > 1 && !$0.isEmpty }.sorted { $0.key < $1.key }.map {
      "the zip has \($1.count) files named \($0); the first one is read"
    }
    guard Set(feeds.map(\.folder)).count < 2 else {
      throw .input(
        path,
        "the zip contains two feeds, \(RowProblem.excerpt(feeds[0])) and \(RowProblem.excerpt(feeds[1])); "
          + "expected one zip per feed")
    }
  }

  deinit { zip_discard(archive) }

  /// Returns the path of a file in the feed, for messages.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// The names of the feed's files.
  package var names: some Collection<String> { files.keys }

  package func has(_ name: String) -> Bool { files[name] != nil }

  /// Returns the rows of a file of the feed. *Throws*: `OdometerError`, also if the file is missing.
  func rows(of name: String) throws -> DelimitedRows {
    guard let index = files[name] else {
      // Without stops.txt, the folder of the feed is unknown, so all files seem to be missing.
      let missing = files.isEmpty ? "stops.txt" : name
      throw .input(path, "the zip has no \(missing); expected a GTFS feed")
    }
    var entry = zip_stat_t()
    zip_stat_index(archive, index, 0, &entry)
    let maximumBytes = InputFile.maximumBytes(unpackedFrom: Int(clamping: entry.comp_size))
    guard entry.size <= UInt64(maximumBytes) else {
      throw .input(
        path(of: name), "it would unpack to \(entry.size >> 20) MB; expected at most \(maximumBytes >> 20) MB")
    }
    let corrupt = OdometerError(file: path(of: name), problem: "the zip is corrupt or truncated")
    guard let file = zip_fopen_index(archive, index, 0) else {
      switch zip_error_code_zip(zip_get_error(archive)) {
      case ZIP_ER_COMPNOTSUPP:
        throw .input(path(of: name), "its compression is not supported; expected deflate, bzip2 or none")
      case ZIP_ER_NOPASSWD, ZIP_ER_ENCRNOTSUPP:
        throw .input(path(of: name), "it is encrypted; expected a zip without a password")
      default: throw corrupt
      }
    }
    let member = Member(file: file)
    // The checksum is verified at the end of the file.
    var left = entry.size
    return try DelimitedRows(
      InputBuffer(path(of: name)) { buffer in
        let count = zip_fread(member.file, buffer.baseAddress, UInt64(buffer.count))
        guard count >= 0, count <= left, count > 0 || left == 0 else { throw corrupt }
        left -= UInt64(count)
        return Int(count)
      })
  }

  /// An open file within the zip.
  private final class Member {
    let file: OpaquePointer
    init(file: OpaquePointer) { self.file = file }
    deinit { zip_fclose(file) }
  }
}

extension GTFSFeed {
  /// Returns the lines that serve each stop, by stop id; only lines of `types`, if given. Empty if the feed has no
  /// trips. If `types` are given, adds a note about routes whose type has no name. *Throws*: `OdometerError`.
  func lines(of types: Set<RouteType>?) throws -> [String: Set<String>] {
    let names = ["routes.txt", "trips.txt", "stop_times.txt"]
    guard names.allSatisfy(has) else {
      guard types != nil else { return [:] }
      throw .input(path, "routeTypes needs \(names.joined(separator: ", ")); the zip lacks at least one of them")
    }
    let lines = try lines(names[0])
    let others = lines.values.count { $0.type == nil }
    if types != nil, others > 0 {
      notes.append("routes.txt: \(others.counted("route")) with a route_type that no name in routeTypes covers")
    }
    let labels = GTFSFeed.labels(of: lines.values)
    var linesOfTrips: [String: String] = [:]
    try forEachRow(names[1], ["trip_id", "route_id"]) { row in
      let line = lines[row[1].text]
      if let types, line?.type.map(types.contains) != true { return }
      linesOfTrips[row[0].text] = line.map { labels[$0] ?? $0.name } ?? (row[1].isEmpty ? "?" : row[1].text)
    }
    var linesOfStops: [String: Set<String>] = [:]
    var (trip, line): (String, String?) = ("", nil)
    try forEachRow(names[2], ["trip_id", "stop_id"]) { row in
      // Rows of a trip are consecutive in almost every feed.
      let id = row[0].text
      if id != trip { (trip, line) = (id, linesOfTrips[id]) }
      // On-demand trips have areas instead of stops.
      if let line, !row[1].isEmpty { linesOfStops[row[1].text, default: []].insert(line) }
    }
    return linesOfStops
  }

  /// A pathway between two parts of a station.
  typealias Pathway = (from: Identifier, to: Identifier, isStepFree: Bool)

  /// Returns the pathways; those without stairs (`pathway_mode` 2) and escalators (4) are step-free. *Throws*:
  /// `OdometerError`.
  func pathways() throws -> [Pathway] {
    guard has("pathways.txt") else { return [] }
    var pathways: [Pathway] = []
    try forEachRow("pathways.txt", ["from_stop_id", "to_stop_id", "pathway_mode"]) { row in
      pathways.append((Identifier(row[0].text), Identifier(row[1].text), !["2", "4"].contains(row[2].text)))
    }
    return pathways
  }

  /// Returns the line of each route, by route id.
  private func lines(_ name: String) throws -> [String: TransitLine] {
    var agencies: [String: String] = [:]
    if has("agency.txt") {
      try forEachRow("agency.txt", [], ["agency_id", "agency_name"]) {
        agencies[$0[0].text] = ($0[1].isEmpty ? $0[0] : $0[1]).text
      }
    }
    let isAmbiguous = Set(agencies.values).count < agencies.count
    var lines: [String: TransitLine] = [:]
    try forEachRow(
      name, ["route_id", "route_type"], ["route_short_name", "route_long_name", "agency_id"]
    ) { row in
      let fields = (0..<5).map { row[$0].text }
      // The agency id is optional in a feed with one agency.
      let id = fields[4].isEmpty && agencies.count == 1 ? agencies.keys.first! : fields[4]
      let agency = isAmbiguous ? id : agencies[id] ?? id
      lines[fields[0]] = TransitLine(
        name: fields[2...3].first { !$0.isEmpty } ?? fields[0], agency: agency,
        type: Int(fields[1]).flatMap(RouteType.init(code:)), code: fields[1])
    }
    return lines
  }

  /// Returns the labels of lines in tables: the name, followed by agency and type where lines of that name differ.
  private static func labels(of lines: some Sequence<TransitLine>) -> [TransitLine: String] {
    var labels: [TransitLine: String] = [:]
    for (name, lines) in Dictionary(grouping: lines, by: \.name) {
      let hasAgencies = Set(lines.map(\.agency)).count > 1
      let hasTypes = Set(lines.map(\.typeName)).count > 1
      for line in lines {
        let qualifiers = [hasAgencies ? line.agency : "", hasTypes ? line.typeName : ""].filter { !$0.isEmpty }
        labels[line] = qualifiers.isEmpty ? name : "\(name) (\(qualifiers.joined(separator: ", ")))"
      }
    }
    return labels
  }
}

/// A line of a timetable: all routes with the same name, agency and type.
private struct TransitLine: Hashable {
  /// The short name, else the long name, else the id.
  var name: String
  var agency: String
  /// Nil for an unknown code.
  var type: RouteType?
  var code: String

  var typeName: String { type?.name ?? "type \(code)" }
}
