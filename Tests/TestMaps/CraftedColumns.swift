import Foundation
import StreetNetwork

/// A column file, such as a network, with a valid checksum but values that Odometer never writes.
public struct CraftedColumns {
  private var bytes: [UInt8]

  private struct Row {
    var section: UInt32
    var stride: Int
    var offset: Int
    var count: Int
  }

  public init(_ file: Data) { bytes = Array(file) }

  /// The file with a valid checksum.
  public var sealed: Data {
    guard bytes.count >= 48 else { return Data(bytes) }
    let digest = Digest()
    bytes[48...].withUnsafeBytes(digest.update)
    return Data(bytes[..<16] + digest.finish() + bytes[48...])
  }

  /// Sets a number at a byte offset of a value in a section.
  public mutating func set(_ number: UInt32, atByte byte: Int = 0, of value: Int = 0, in section: UInt32) throws {
    guard let row = rows.first(where: { $0.section == section }), value < row.count else {
      throw POSIXError(.ENOENT)
    }
    put(number, at: row.offset + value * row.stride + byte)
  }

  private var rows: [Row] {
    guard bytes.count >= 136 else { return [] }
    return (0..<Int(word(12))).prefix((bytes.count - 136) / 24).map { index in
      let at = 136 + 24 * index
      return Row(section: word(at), stride: Int(word(at + 4)), offset: Int(word(at + 8)), count: Int(word(at + 16)))
    }
  }

  private func word(_ at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
  }

  private mutating func put(_ number: UInt32, at: Int) {
    for index in 0..<4 where at + index < bytes.count {
      bytes[at + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index)))
    }
  }

  /// Changes some values in random sections, or the sections' entries in the table.
  public mutating func mutate(using random: inout some RandomNumberGenerator) {
    let rows = rows
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let row = rows.indices.randomElement(using: &random) else { return }
      let size = rows[row].stride * rows[row].count
      guard size > 0, Int.random(in: 0..<8, using: &random) > 0 else {
        let field = [0, 4, 8, 16].randomElement(using: &random)!
        put(CraftedColumns.number(using: &random), at: 136 + 24 * row + field)
        continue
      }
      let at = rows[row].offset + Int.random(in: 0..<size, using: &random)
      if Bool.random(using: &random) {
        bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      } else {
        put(CraftedColumns.number(using: &random), at: at & ~3)
      }
    }
  }

  private static func number(using random: inout some RandomNumberGenerator) -> UInt32 {
    [0, 1, .max, .max >> 1, 1 << 31, .random(in: 0..<64, using: &random), .random(in: 0 ... .max, using: &random)]
      .randomElement(using: &random)!
  }
}
