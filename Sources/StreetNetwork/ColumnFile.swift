import Foundation
import Geography
import Hierarchy

/// A file of one kind with columns of plain values: a header, then the columns, each at a multiple of 64 bytes.
///
///     bytes   0…7    the kind's magic         104…135  SHA-256 of its other inputs
///             8…11   version of the format    136…     a row per column: section, bytes per value, offset, count
///            12…15   number of columns
///            16…47   SHA-256 of all bytes from 48 on
///            48…71   reserved, zero           Numbers are in the byte order of the machine that wrote the file. On
///            72…103  SHA-256 of its source    a machine with the other order, the version does not match.
///
/// A file is accepted only if its header, version and origin match, its digest is correct, and all columns have
/// permitted content (`ColumnRule`): corruption is detected, and lookups stay in bounds. Files are written under a
/// temporary name and renamed once complete.
package final class ColumnFile<Section: ColumnSection>: Sendable {
  let path: String
  let origin: ColumnOrigin
  /// The SHA-256 of all bytes that follow it in the file.
  let contentDigest: [UInt8]
  /// The file's identity when it was opened.
  package var watched: WatchedFile { file.watched }
  private let file: MappedFile
  private let rows: [Section: (stride: Int, offset: Int, count: Int)]

  /// Opens the file at `path`. *Throws*: `POSIXError`; `InvalidColumnFile` if the file fails the check, or if its
  /// origin is not the given one.
  package init(path: String, _ origin: ColumnOrigin? = nil, check: ContentCheck = .whole) throws {
    self.path = path
    file = try MappedFile(path: path, holdsColumns: true)
    let bytes = file.bytes
    self.origin = try ColumnFile.checkedHeader(bytes, origin)
    contentDigest = Array(bytes[16..<48])
    let rowCount = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    guard ColumnFormat.headerSize + rowCount * ColumnFormat.rowSize <= bytes.count else {
      throw InvalidColumnFile.corrupt
    }
    var rows: [Section: (stride: Int, offset: Int, count: Int)] = [:]
    for row in 0..<rowCount {
      let at = ColumnFormat.headerSize + row * ColumnFormat.rowSize
      guard let section = Section(rawValue: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)) else { continue }
      rows[section] = (
        Int(bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)),
        Int(clamping: bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self)),
        Int(clamping: bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self))
      )
    }
    self.rows = rows
    try self.check(check)
  }

  /// Returns the reason why a file is not used, as a predicate: "is corrupt or truncated", "cannot be read: Permission
  /// denied".
  package static func predicate(for error: any Error) -> String {
    error is POSIXError ? "cannot be read: \(reason(error))" : reason(error)
  }

  package func wasBuilt(from digest: [UInt8]) -> Bool { origin.source == digest }

  /// Returns the origin in a header if the file has this kind and version and the expected origin.
  private static func checkedHeader(_ bytes: UnsafeRawBufferPointer, _ expected: ColumnOrigin?) throws -> ColumnOrigin {
    let format = Section.format
    guard bytes.prefix(8).elementsEqual(format.magic.utf8) else {
      let isExtract = bytes.count > 15 && bytes[6..<15].elementsEqual("OSMHeader".utf8)
      throw InvalidColumnFile.foreign(format.name, isExtract: isExtract)
    }
    guard bytes.count >= ColumnFormat.headerSize else { throw InvalidColumnFile.corrupt }
    let version = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    guard version == format.version else {
      throw version.byteSwapped == format.version
        ? InvalidColumnFile.byteOrder : InvalidColumnFile.version(Int(version), expected: Int(format.version))
    }
    let origin = ColumnOrigin(from: Array(bytes[72..<104]), with: Array(bytes[104..<136]))
    guard expected == nil || expected == origin else { throw InvalidColumnFile.otherOrigin(format.otherOrigin) }
    return origin
  }

  /// Checks the content against its digest and all columns against their rules; a note records both checks.
  private func check(_ check: ContentCheck) throws {
    if case .header = check { return }
    if case .unlessNoted(let note) = check, note.digest(of: file.identity) == contentDigest { return }
    let settled = check.note?.waitUntilSettled(file.identity)
    // The two checks take about the same time, so they run in parallel.
    let (digest, rules) = inParallel(workers: 2) {
      Digest.of(UnsafeRawBufferPointer(rebasing: file.bytes[48...]))
    } _: {
      Result { try self.checkRules() }
    }
    do {
      guard digest == contentDigest else { throw InvalidColumnFile.corrupt }
      try rules.get()
    } catch {
      check.note?.remove()
      throw error
    }
    check.note?.write(contentDigest, of: settled)
  }

  /// Returns the column of `section`, mapped from the file. *Throws*: `InvalidColumnFile`.
  package func column<Element>(_ section: Section, of type: Element.Type = Element.self) throws -> Column<Element> {
    let bytes = try bytes(of: section, stride: MemoryLayout<Element>.stride)
    let values = bytes.bindMemory(to: Element.self)
    guard let base = values.baseAddress else { throw InvalidColumnFile.missingColumn("\(section)") }
    return Column(base: base, count: values.count, owner: file)
  }

  /// Decodes the value in a column of JSON.
  package func decoded<Value: Decodable>(_ section: Section) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(column(section, of: UInt8.self)))
  }

  /// Returns the number of values in the column of `section`.
  func count(of section: Section) -> Int { rows[section]?.count ?? 0 }

  /// Returns the bytes of a column whose values have a given size.
  func bytes(of section: Section, stride: Int) throws -> UnsafeRawBufferPointer {
    guard let row = rows[section], row.stride == stride, row.offset % 64 == 0, row.offset <= file.bytes.count,
      row.count <= (file.bytes.count - row.offset) / stride
    else { throw InvalidColumnFile.missingColumn("\(section)") }
    return UnsafeRawBufferPointer(rebasing: file.bytes[row.offset..<row.offset + row.count * stride])
  }

  // MARK: Writing

  /// Columns to be written to a file.
  package struct Contents {
    fileprivate var columns:
      [(section: Section, stride: Int, count: Int, bytes: @Sendable () -> UnsafeRawBufferPointer)] = []

    package init() {}

    package mutating func add<Element>(_ section: Section, _ column: Column<Element>) {
      columns.append((section, MemoryLayout<Element>.stride, column.count, { UnsafeRawBufferPointer(column.buffer) }))
    }

    /// Adds the column of a section with a copy of `values`.
    package mutating func add<Element: BitwiseCopyable & Sendable>(_ section: Section, _ values: [Element]) {
      add(section, Column(values))
    }

    /// Adds a column of JSON with sorted keys, so that equal values have equal bytes.
    package mutating func add(_ section: Section, json value: some Encodable) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      add(section, Array(try encoder.encode(value)))
    }
  }

  /// Writes a file to `path` atomically. *Throws*: `POSIXError`.
  package static func write(
    _ contents: Contents, to path: String, _ origin: ColumnOrigin, workers: Int = 1
  ) throws {
    var header = [UInt8](repeating: 0, count: 24) + origin.source + origin.inputs
    var offset = aligned(ColumnFormat.headerSize + contents.columns.count * ColumnFormat.rowSize)
    var offsets: [Int] = []
    for column in contents.columns {
      append(column.section.rawValue, to: &header)
      append(UInt32(column.stride), to: &header)
      append(UInt64(offset), to: &header)
      append(UInt64(column.count), to: &header)
      offsets.append(offset)
      offset = aligned(offset + column.stride * column.count)
    }
    let (columns, head, starts) = (contents.columns, header, offsets)
    /// Passes all bytes that follow the digest to `put`, in order.
    @Sendable func forEachPart(_ put: (UnsafeRawBufferPointer) throws -> Void) rethrows {
      try head.withUnsafeBytes(put)
      var written = 48 + head.count
      for (column, offset) in zip(columns, starts) {
        try [UInt8](repeating: 0, count: offset - written).withUnsafeBytes(put)
        try put(column.bytes())
        written = offset + column.bytes().count
      }
    }
    let file = try StagedFile(path)
    // Writing and hashing take about the same time, so they run in parallel.
    let (written, digest) = inParallel(workers: workers) {
      Result {
        var end = 48
        try forEachPart { bytes in
          try file.write(bytes, at: end)
          end += bytes.count
        }
      }
    } _: {
      let digest = Digest()
      forEachPart(digest.update)
      return digest.finish()
    }
    try written.get()
    var start = Array(Section.format.magic.utf8)
    append(Section.format.version, to: &start)
    append(UInt32(columns.count), to: &start)
    start += digest
    try start.withUnsafeBytes { try file.write($0, at: 0) }
    try file.finish()
  }

  private static func aligned(_ offset: Int) -> Int { (offset + 63) / 64 * 64 }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }
}

/// The columns of a kind of file. Raw values are part of the format.
package protocol ColumnSection: RawRepresentable<UInt32>, CaseIterable, Hashable, Sendable {
  static var format: ColumnFormat { get }
  /// The permitted content of the section's column.
  var rule: ColumnRule<Self> { get }
  /// Checks the columns against one another, after each has passed its rule. *Throws*: `InvalidColumnFile`.
  static func checkConsistency(_ file: ColumnFile<Self>) throws
}

/// The format of a kind of column file: its magic, its version and its names in messages.
package struct ColumnFormat {
  /// The first eight bytes of its files.
  let magic: String
  package let version: UInt32
  /// The kind in messages: "network".
  let name: String
  /// The source of a rejected file in messages: "another map".
  let otherOrigin: String

  package init(magic: String, version: UInt32, name: String, otherOrigin: String) {
    (self.magic, self.version, self.name, self.otherOrigin) = (magic, version, name, otherOrigin)
  }

  static let headerSize = 136
  static let rowSize = 24
}

/// The origin of a column file: the SHA-256 of its source (such as a map), and of its other inputs (such as a profile).
package struct ColumnOrigin: Equatable, Sendable {
  let source: [UInt8]
  let inputs: [UInt8]

  package init(from: [UInt8], with: [UInt8]) { (source, inputs) = (from, with) }
}

/// The extent of the content check when a file is opened.
package enum ContentCheck {
  /// Only the header is read.
  case header
  /// Everything is read and checked.
  case whole
  /// Everything is read and checked, and a note records success.
  case wholeAndNoted(DigestNote)
  /// Everything is read, unless a note says that the file has not changed since it was found correct.
  case unlessNoted(DigestNote)

  fileprivate var note: DigestNote? {
    switch self {
    case .header, .whole: nil
    case .wholeAndNoted(let note), .unlessNoted(let note): note
    }
  }
}

/// The reason why a column file is rejected; its description completes a sentence.
package enum InvalidColumnFile: Error {
  /// A file of another kind, perhaps an OpenStreetMap extract.
  case foreign(String, isExtract: Bool)
  case version(Int, expected: Int)
  case byteOrder
  case otherOrigin(String)
  case corrupt
  case missingColumn(String)
  /// A column has invalid values.
  case invalid(String)
}

extension InvalidColumnFile: CustomStringConvertible {
  package var description: String {
    switch self {
    case .foreign(let name, let isExtract):
      isExtract ? "is an extract of OpenStreetMap, not a \(name) file" : "is not a \(name) file"
    case .version(let found, let expected): "was written in format \(found), but this version reads \(expected)"
    case .byteOrder: "was written on a machine with a different byte order"
    case .otherOrigin(let other): "belongs to \(other)"
    case .corrupt: "is corrupt or truncated"
    case .missingColumn(let column): "lacks the column \(column)"
    case .invalid(let column): "has invalid values in the column \(column)"
    }
  }
}
