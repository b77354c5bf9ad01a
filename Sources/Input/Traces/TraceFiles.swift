import Foundation
import Geography
import Routing
import Tables

/// The files of the key `traces`: one file, several files, or the files of a folder.
package struct TraceFiles {
  package private(set) var paths: [String] = []
  /// The paths of ignored files and subfolders of a folder.
  private(set) var skipped: [String] = []

  /// Extensions of trace files, which may be followed by .gz.
  static let types = ["csv", "tsv", "txt", "gpx", "geojson", "json"]

  /// *Throws*: `OdometerError` if a folder has no trace files, or a file is a pipe, a socket or a device.
  package init(_ names: [String]) throws {
    for name in names {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder.boolValue {
        try addFolder(name)
      } else if let problem = FileManager.irregularity(of: name, expecting: "a trace file or a folder") {
        throw .input(name, problem)
      } else {
        paths.append(name)
      }
    }
  }

  private mutating func addFolder(_ folder: String) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    } catch {
      throw .input(folder, "the folder cannot be read")
    }
    let before = paths.count
    for name in names {
      let path = "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/\(name)"
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if !isFolder.boolValue, !name.hasPrefix("."), TraceFiles.types.contains(TraceFiles.type(of: name)) {
        paths.append(path)
      } else {
        skipped.append(isFolder.boolValue ? "\(path)/" : path)
      }
    }
    guard paths.count > before else {
      throw .input(folder, "the folder has no trace files, expected .\(TraceFiles.types.joined(separator: ", ."))")
    }
  }

  /// Returns the extension without .gz: "gpx".
  private static func type(of name: String) -> String {
    let plain = name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return (plain as NSString).pathExtension.lowercased()
  }

  /// Returns a file's name without folder and extensions.
  static func stem(of path: String) -> String {
    let name = (path as NSString).lastPathComponent
    let plain = name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return types.contains(type(of: plain)) ? (plain as NSString).deletingPathExtension : plain
  }

  /// Returns the reader for a file's format, from its first bytes. *Throws*: `OdometerError`.
  static func reader(of path: String, _ input: TraceInput) throws -> any TraceFileReader {
    switch try firstByte(of: path) {
    case UInt8(ascii: "<"): return try GPXTraces(path: path, input)
    case UInt8(ascii: "{"): return try FeatureTraces(path: path, input)
    default:
      let rows = try DelimitedRows(path)
      let header = try rows.header()
      return try rows.inHeader { () -> any TraceFileReader in
        try PolylineTraces(rows, header: header, input) ?? PointTraces(rows, header: header, input)
      }
    }
  }

  /// Returns the first byte that is neither white space nor part of a byte order mark; nil if the first block has none.
  /// Byte order marks of UTF-16 are skipped too, since XML may be encoded in UTF-16.
  private static func firstByte(of path: String) throws -> UInt8? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try InputBlocks(path: path).read(into: &buffer)
    return InputFile.withoutMark(Array(buffer[..<count])).first { $0 > 0x20 && $0 < 0xFE }
  }
}

/// The traces of a CSV with a row per fix: consecutive rows with the same id form a trace. Without an id column, the
/// file is one trace.
final class PointTraces: TraceFileReader {
  private let rows: DelimitedRows
  private let columns: PointColumns
  private let input: TraceInput
  /// The id of the current trace, verbatim.
  private var id: [UInt8] = []
  /// The next trace, whose first fix has been read.
  private var nextTrace: RecordedTrace?

  let hasRowPerFix = true

  /// Creates a reader of `rows` after the header. *Throws*: `OdometerError`.
  init(_ rows: DelimitedRows, header: [String], _ input: TraceInput) throws {
    (self.rows, self.input) = (rows, input)
    columns = try PointColumns(header, file: rows.path)
  }

  func next() throws -> RecordedTrace? {
    var trace = nextTrace
    nextTrace = nil
    while try rows.next() {
      do throws(RowProblem) {
        try rows.check(columns.count)
        let fix = try columns.fix(rows, input.clock, input.check)
        if try continues(trace) {
          trace!.fixes.append(fix)
        } else {
          nextTrace = begin(with: fix)
          guard trace == nil else { return trace }
          swap(&trace, &nextTrace)
        }
      } catch {
        let id = columns.trace == nil ? TraceFiles.stem(of: rows.path) : rows.text(at: columns.trace)
        input.reject(
          RejectedRow(file: rows.path, line: rows.line, id: id, text: rows.text, reason: error.reason))
      }
    }
    return trace
  }

  private func continues(_ trace: RecordedTrace?) throws(RowProblem) -> Bool {
    guard let column = columns.trace else { return trace != nil }
    guard !rows[column].isEmpty else { throw RowProblem("the row has no trace id") }
    return trace != nil && rows[column].equals(id)
  }

  private func begin(with fix: Fix) -> RecordedTrace {
    if let column = columns.trace { id = Array(rows[column].bytes) }
    let name = rows.text(at: columns.trace) ?? TraceFiles.stem(of: rows.path)
    return RecordedTrace(
      id: Identifier(name), group: rows.text(at: columns.group), fixes: [fix], file: rows.path, line: rows.line)
  }
}

extension CoordinateCheck {
  /// Returns the point, if it is valid.
  package func fix(at point: Coordinate) throws(RowProblem) -> Coordinate {
    _ = try self.point(point, of: "the fix")
    return point
  }

  /// Returns a measured value; nil for a negative number, with which Core Location marks unknown values.
  static func measure(_ number: Double, in column: String) throws(RowProblem) -> Double? {
    guard number.isFinite else { throw RowProblem("\(column) is not a finite number") }
    return number < 0 ? nil : number
  }
}

/// The traces of a GPX file (1.0 and 1.1): one per track segment, named `file/track/segment`.
///
/// A point's position and time are read, and its speed, course and accuracy if they are child elements of the point
/// (GPX 1.0) or of its extensions. Routes and waypoints are counted, but ignored.
final class GPXTraces: TraceFileReader {
  private let path: String
  private let input: TraceInput
  private var events: XMLEvents?
  private var isAtEnd = false
  /// Segments read but not yet returned.
  private var finished: ArraySlice<RecordedTrace> = []

  /// The track's number in the file, and its name, if any.
  private var track = 0
  private var trackName: String?
  private var trackNames: Set<String> = []
  private var segmentNumber = 0
  private var segment: RecordedTrace?
  private var point: Point?
  private var routes = 0
  private var waypoints = 0

  private struct Point {
    var fix: Fix
    /// The first problem: line, element and reason.
    var problem: (line: Int, text: String, problem: RowProblem)?
  }

  private enum Element: String, CaseIterable { case trkpt, time, speed, course, accuracy, trkseg, trk, name, rte, wpt }
  private static let elements = Element.allCases

  let hasRowPerFix = false

  /// *Throws*: `OdometerError`.
  init(path: String, _ input: TraceInput) throws {
    (self.path, self.input) = (path, input)
    events = try XMLEvents(path: path, names: GPXTraces.elements.map(\.rawValue), handler: self)
  }

  func next() throws -> RecordedTrace? {
    while finished.isEmpty, !isAtEnd {
      finished = []
      isAtEnd = try events?.readBlock() != true
      if let root = events?.root, root != "gpx" {
        throw .input(path, "got XML with root <\(root)>, expected <gpx>")
      }
    }
    return finished.popFirst()
  }

  var ignoredParts: String? {
    let parts = [(routes, "route"), (waypoints, "waypoint")].filter { $0.0 > 0 }
    return parts.isEmpty ? nil : parts.map { $0.counted($1) }.joined(separator: ", ")
  }

  /// Handles the beginning of an element, given by the index of its name.
  func begin(_ element: Int, _ attributes: XMLAttributes) {
    switch GPXTraces.elements[element] {
    case .trkpt:
      if segment != nil { point = newPoint(attributes) }
    case .trkseg:
      segmentNumber += 1
      let id = Identifier.text("\(TraceFiles.stem(of: path))/\(trackLabel())/\(segmentNumber)")
      segment = RecordedTrace(id: id, fixes: [], file: path, line: events?.line ?? 1)
    case .trk: (track, trackName, segmentNumber) = (track + 1, nil, 0)
    case .rte: routes += 1
    case .wpt: waypoints += 1
    case .time, .speed, .course, .accuracy, .name: break
    }
  }

  /// Handles the end of an element; `text` is the text after its last child element, trimmed.
  func end(_ element: Int, _ text: RowField) {
    let element = GPXTraces.elements[element]
    switch element {
    case .trkpt:
      if let point { add(point) }
      point = nil
    case .trkseg:
      if let segment { finished.append(segment) }
      segment = nil
    case .name:
      // The track's name, or the file's, which the next track discards.
      if point == nil, segment == nil, segmentNumber == 0, !text.isEmpty { trackName = text.text }
    case .time, .speed, .course, .accuracy:
      if !text.isEmpty { read(element, text) }
    case .trk, .rte, .wpt: break
    }
  }

  /// Returns the track's name; for a track without a name, or with that of a previous track, its number, or the next
  /// number that is not the name of a previous track.
  private func trackLabel() -> String {
    if let trackName, segmentNumber > 1 || trackNames.insert(trackName).inserted { return trackName }
    let label = (track...).lazy.map { String($0) }.first { trackNames.insert($0).inserted }!
    trackName = label
    return label
  }

  private func newPoint(_ attributes: XMLAttributes) -> Point {
    let (latitude, longitude) = (attributes["lat"], attributes["lon"])
    do throws(RowProblem) {
      let point = Coordinate(latitude: try latitude.number(in: "lat"), longitude: try longitude.number(in: "lon"))
      return Point(fix: Fix(coordinate: try input.check.fix(at: point)))
    } catch {
      let text = "<trkpt lat=\"\(latitude.text)\" lon=\"\(longitude.text)\">"
      return Point(
        fix: Fix(coordinate: Coordinate(latitude: 0, longitude: 0)), problem: (events?.line ?? 1, text, error))
    }
  }

  /// Handles an element of a point.
  private func read(_ element: Element, _ text: RowField) {
    guard point != nil, point?.problem == nil else { return }
    do throws(RowProblem) {
      switch element {
      case .time: point!.fix.timestamp = Date(timeIntervalSince1970: try input.clock.seconds(text.bytes, in: "time"))
      case .speed: point!.fix.speed = try text.measure(in: "speed")
      case .course: point!.fix.course = try text.measure(in: "course")
      default: point!.fix.horizontalAccuracy = try text.measure(in: "accuracy")
      }
    } catch {
      point!.problem = (events?.line ?? 1, "<\(element.rawValue)>\(text.text)</\(element.rawValue)>", error)
    }
  }

  /// Adds the fix of a point, or rejects it.
  private func add(_ point: Point) {
    guard let (line, text, problem) = point.problem else {
      segment?.fixes.append(point.fix)
      return
    }
    input.reject(
      RejectedRow(file: path, line: line, id: segment?.id.description, text: text, reason: problem.reason))
  }
}
