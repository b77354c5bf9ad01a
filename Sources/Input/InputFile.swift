import Foundation
import Geography
import StreetNetwork
import Tables

extension [WatchedFile] {
  /// Checks that no file changed during reading. *Throws*: `OdometerError`.
  package func check(_ isUnchanged: (WatchedFile) -> Bool) throws {
    guard let changed = first(where: { !isUnchanged($0) }) else { return }
    throw .input(changed.path, "\(WatchedFile.problem)")
  }
}

extension [String] {
  /// Returns the index of the first of `names` that this header has; nil if it has none.
  package func column(of names: [String]) -> Int? { names.lazy.compactMap { firstIndex(of: $0) }.first }
}

extension OdometerError {
  /// Creates the error for a header without a required column; `names` are the accepted names.
  package init(
    file: String, line: Int? = nil, noColumnFor subject: String, in header: [String], of names: [String]
  ) {
    self.init(
      file: file, line: line,
      problem: "the header has no column for the \(subject): got \(RowProblem.list(header)), "
        + "expected \(names.count > 1 ? "one of " : "")\(names.joined(separator: ", "))")
  }

  /// A required column that a header lacks: its subject and the accepted names.
  package typealias MissingColumn = (subject: String, names: [String])

  /// Creates the error for a header without one or more required columns.
  package init(file: String, noColumnsFor missing: [MissingColumn], in header: [String]) {
    guard missing.count > 1 else {
      self.init(file: file, noColumnFor: missing[0].subject, in: header, of: missing[0].names)
      return
    }
    self.init(
      file: file,
      problem: "the header has no columns for the \(missing.map(\.subject).joined(separator: ", the ")): "
        + "got \(RowProblem.list(header)), expected columns such as "
        + missing.map { $0.names[0] }.joined(separator: ", "))
  }

  /// Rejects a header that has one of the used columns twice. *Throws*: `OdometerError`.
  static func checkOnce(_ used: some Sequence<Int>, in header: [String], of file: String) throws(OdometerError) {
    let plain = header.map { $0.lowercased() }
    for index in used where plain.count(where: { $0 == plain[index] }) > 1 {
      throw .input(
        file, "the header has column \(RowProblem.excerpt(header[index])) twice, expected once; rename one of them")
    }
  }

  /// Creates the error for a file without rows, or whose rows are all rejected.
  package init(file: String, allRejected rejected: [RejectedRow], _ unit: RowUnit) {
    let problem = rejected.first.map { "all rows of the file are rejected; the first one: \($0.reason)" }
    self.init(
      file: file, line: rejected.first?.line,
      problem: problem ?? "the file has no \(unit == .line ? "rows" : "features")")
    isFeature = unit == .feature
  }
}

package enum InputFile {
  /// Returns the content of the file at `path`, unpacked if it is gzipped, without a byte order mark. *Throws*:
  /// `OdometerError`.
  package static func bytes(of path: String) throws -> [UInt8] {
    let blocks = try InputBlocks(path: path)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while case let count = try blocks.read(into: &buffer), count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    return try checked(bytes, of: path)
  }

  /// Returns the SHA-256 of a file's bytes; nil if there is no such file: reading the input reports that. *Throws*:
  /// `OdometerError` if the file cannot be read: without its digest, a change to it would not be noticed.
  package static func digest(of path: String) throws -> [UInt8]? {
    do {
      return try Digest.of(file: path)
    } catch let error as POSIXError where [.ENOENT, .ENOTDIR, .EISDIR, .ESPIPE].contains(error.code) {
      return nil
    } catch {
      throw .input(path, "the file cannot be read: \(POSIXError.reason(for: error))")
    }
  }

  /// Checks text and returns it without its byte order mark. *Throws*: `OdometerError`.
  private static func checked(_ bytes: [UInt8], of path: String) throws -> [UInt8] {
    let bytes = withoutMark(bytes)
    guard !bytes.isEmpty else { throw .input(path, "the file is empty") }
    try bytes.withUnsafeBufferPointer { try InputText.check($0, of: path) }
    return bytes
  }

  /// Returns the first block of a file, to detect its format. *Throws*: `OdometerError`.
  static func start(of path: String) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    let count = try InputBlocks(path: path).read(into: &buffer)
    return try checked(Array(buffer[..<count]), of: path)
  }

  /// Returns the maximum number of bytes that `size` compressed bytes may unpack to: tables compress to a tenth, zip
  /// bombs to a thousandth.
  static func maximumBytes(unpackedFrom size: Int) -> Int { max(256 << 20, 100 * size) }

  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  }
}

/// Input text: UTF-8, otherwise Windows-1252, a superset of ISO 8859-1.
enum InputText {
  static func note(on file: String) -> String { "\(file): not UTF-8, read as Windows-1252" }

  /// Returns the reason why a file's first row is not a header; nil if it may be one.
  static func problem(ofHeader header: [String]) -> String? {
    guard let first = header.first else { return nil }
    if header.contains(where: { $0.contains("\r") }) {
      return "lines end with a carriage return alone; expected line feeds: convert them with tr '\\r' '\\n'"
    }
    // A header may begin with #id.
    if first.hasPrefix("#"), header.count == 1 || first.dropFirst().hasPrefix(" ") {
      return "got a line that begins with #, expected the header; remove such lines"
    }
    if header.count == 1, first.contains("|") {
      return "fields are separated by |; expected a comma, a semicolon or a tab"
    }
    return nil
  }
}
