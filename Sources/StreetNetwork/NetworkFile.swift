import Foundation
import Geography
import Hierarchy

/// A built network on disk: a header, then columns of plain values, each at a multiple of 64 bytes.
///
///     bytes   0…7    "ODOMETER"              104…135  SHA-256 of the profile
///             8…11   version of the format   136…     a row per column: section, bytes a value, offset, count
///            12…15   number of columns
///            16…47   SHA-256 of all bytes from 48 on
///            48…71   reserved, zero          Little-endian, as the machine that wrote it: the version is read
///            72…103  SHA-256 of the map      as another number on a machine of the other order.
///
/// A file is accepted only if its header, version and fingerprints are the expected ones, and its digest is right: any
/// corruption is detected. It is written under a temporary name and renamed once complete.
final class NetworkFile {
  static let version: UInt32 = 7

  /// The columns of the file. Raw values are part of the format.
  enum Section: UInt32, CaseIterable {
    case streets = 1, points, attributes, nameBytes, nameEnds, box, counts, mapDate, countries
    case timeZone = 10, firstPart, parts, pointNodes
    case firstArc = 20, arcHeads, arcWeights, arcStreets, junctions, starts, closedArcs, conditions, closedStreets
    case conditionalLimits, unreadableTags
    case ranks = 40, firstOutgoing, outgoing, outgoingParts, firstIncoming, incoming, incomingParts
    case runs = 60, boxes, islandRuns, islandBoxes, componentSizes
    case firstEnd = 80, ends, firstManeuver, maneuvers
  }

  private static let magic = Array("ODOMETER".utf8)
  private static let headerSize = 136
  private static let rowSize = 24

  let fingerprints: StreetNetwork.Fingerprints
  let path: String
  private let file: MappedFile
  private var rows: [Section: (stride: Int, offset: Int, count: Int)] = [:]

  /// Opens the file at `path` if it is complete and was built from this map and profile (their SHA-256).
  init(path: String, map: [UInt8], profile: [UInt8]) throws {
    self.path = path
    file = try MappedFile(path: path)
    let bytes = file.bytes
    guard bytes.count >= NetworkFile.headerSize, bytes.prefix(8).elementsEqual(NetworkFile.magic) else {
      throw InvalidNetworkFile(description: "is not a network file")
    }
    guard bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self) == NetworkFile.version else {
      throw InvalidNetworkFile(description: "was written by another version")
    }
    guard bytes[72..<104].elementsEqual(map), bytes[104..<136].elementsEqual(profile) else {
      throw InvalidNetworkFile(description: "belongs to another map or profile")
    }
    let digest = Digest()
    digest.update(UnsafeRawBufferPointer(rebasing: bytes[48...]))
    let content = digest.finish()
    guard bytes[16..<48].elementsEqual(content) else {
      throw InvalidNetworkFile(description: "is corrupt or truncated")
    }
    fingerprints = .init(map: map.hexadecimal, profile: profile.hexadecimal, network: content.hexadecimal)
    let rowCount = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    for row in 0..<rowCount {
      let at = NetworkFile.headerSize + row * NetworkFile.rowSize
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
    else { throw InvalidNetworkFile(description: "lacks the column \(section)") }
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
  static func write(_ contents: Contents, to path: String, map: [UInt8], profile: [UInt8]) throws {
    var header = [UInt8](repeating: 0, count: 24) + map + profile
    var offset = aligned(headerSize + contents.columns.count * rowSize)
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
      var start = magic
      append(version, to: &start)
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

/// Why a network file is not used, as the end of a sentence.
struct InvalidNetworkFile: Error, CustomStringConvertible {
  var description: String
}
