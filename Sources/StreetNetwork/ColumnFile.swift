import Foundation
import Geography
import Hierarchy

/// Columns of plain values on disk, of one kind of file: a header, then the columns, each at a multiple of 64 bytes.
///
///     bytes   0…7    the kind's magic         104…135  what it was made with, in 32 bytes
///             8…11   version of the format    136…     a row per column: section, bytes a value, offset, count
///            12…15   number of columns
///            16…47   SHA-256 of all bytes from 48 on
///            48…71   reserved, zero           Little-endian, as the machine that wrote it: the version is read
///            72…103  what it was made from    as another number on a machine of the other order.
///
/// A file is accepted only if its header, version and origins are the expected ones, and its digest is right: any
/// corruption is detected. It is written under a temporary name and renamed once complete.
final class ColumnFile<Section: ColumnSection> {
  let path: String
  let origin: ColumnOrigin
  /// SHA-256 of all that follows it.
  let content: [UInt8]
  private let file: MappedFile
  private var rows: [Section: (stride: Int, offset: Int, count: Int)] = [:]

  /// Opens the file at `path` if it is complete and has this origin.
  init(path: String, _ origin: ColumnOrigin) throws {
    (self.path, self.origin) = (path, origin)
    file = try MappedFile(path: path)
    let (bytes, format) = (file.bytes, Section.format)
    guard bytes.count >= ColumnFormat.headerSize, bytes.prefix(8).elementsEqual(format.magic.utf8) else {
      throw InvalidColumnFile(description: "is not a \(format.name) file")
    }
    guard bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self) == format.version else {
      throw InvalidColumnFile(description: "was written by another version")
    }
    guard bytes[72..<104].elementsEqual(origin.from), bytes[104..<136].elementsEqual(origin.with) else {
      throw InvalidColumnFile(description: "belongs to \(format.otherOrigin)")
    }
    let digest = Digest()
    digest.update(UnsafeRawBufferPointer(rebasing: bytes[48...]))
    content = digest.finish()
    guard bytes[16..<48].elementsEqual(content) else {
      throw InvalidColumnFile(description: "is corrupt or truncated")
    }
    let rowCount = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    for row in 0..<rowCount {
      let at = ColumnFormat.headerSize + row * ColumnFormat.rowSize
      guard let section = Section(rawValue: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)) else { continue }
      rows[section] = (
        Int(bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)),
        Int(bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self)),
        Int(bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self))
      )
    }
  }

  /// The column of `section`, in place in the file.
  func column<Element>(_ section: Section, of type: Element.Type = Element.self) throws -> Column<Element> {
    guard let row = rows[section], row.stride == MemoryLayout<Element>.stride,
      row.offset % 64 == 0, row.offset + row.count * row.stride <= file.bytes.count,
      let start = file.bytes.baseAddress
    else { throw InvalidColumnFile(description: "lacks the column \(section)") }
    let base = (start + row.offset).bindMemory(to: Element.self, capacity: row.count)
    return Column(base: base, count: row.count, owner: file)
  }

  // MARK: Writing

  /// Columns that are to become a file.
  struct Contents {
    fileprivate var columns: [(section: Section, stride: Int, count: Int, bytes: () -> UnsafeRawBufferPointer)] = []

    mutating func add<Element>(_ section: Section, _ column: Column<Element>) {
      columns.append(
        (section, MemoryLayout<Element>.stride, column.count, { UnsafeRawBufferPointer(column.buffer) }))
    }

    mutating func add<Element: BitwiseCopyable & Sendable>(_ section: Section, _ values: [Element]) {
      add(section, Column(values))
    }
  }

  /// Writes a file to `path`, whole or not at all. *Throws*: `POSIXError`.
  static func write(_ contents: Contents, to path: String, _ origin: ColumnOrigin) throws {
    var header = [UInt8](repeating: 0, count: 24) + origin.from + origin.with
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
    let temporary = "\(path).\(getpid()).part"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw POSIXError.last }
    do {
      defer { close(file) }
      let digest = Digest()
      var written = 48
      func put(_ bytes: UnsafeRawBufferPointer) throws {
        digest.update(bytes)
        try writeAll(bytes, to: file, at: written)
        written += bytes.count
      }
      try header.withUnsafeBytes(put)
      for (column, offset) in zip(contents.columns, offsets) {
        try [UInt8](repeating: 0, count: offset - written).withUnsafeBytes(put)
        try put(column.bytes())
      }
      var start = Array(Section.format.magic.utf8)
      append(Section.format.version, to: &start)
      append(UInt32(contents.columns.count), to: &start)
      start += digest.finish()
      try start.withUnsafeBytes { try writeAll($0, to: file, at: 0) }
      guard fsync(file) == 0, rename(temporary, path) == 0 else { throw POSIXError.last }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func aligned(_ offset: Int) -> Int { (offset + 63) / 64 * 64 }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int) throws {
    var done = 0
    while done < bytes.count {
      let count = pwrite(file, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
      guard count > 0 else {
        if count < 0 && errno == EINTR { continue }
        throw POSIXError.last
      }
      done += count
    }
  }
}

/// The columns that a kind of file has. Raw values are part of the format.
protocol ColumnSection: RawRepresentable<UInt32>, Hashable, Sendable {
  static var format: ColumnFormat { get }
}

/// What tells a kind of file from others.
struct ColumnFormat {
  /// Its first eight bytes.
  let magic: String
  let version: UInt32
  /// "network".
  let name: String
  /// Of a file that has been made from something else: "another map".
  let otherOrigin: String

  static let headerSize = 136
  static let rowSize = 24
}

/// What a file of columns was made from, and with: SHA-256.
struct ColumnOrigin {
  let from: [UInt8]
  let with: [UInt8]
}

/// Why a file of columns is not used, as the end of a sentence.
struct InvalidColumnFile: Error, CustomStringConvertible {
  var description: String
}
