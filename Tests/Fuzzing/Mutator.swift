import Foundation
import TestMaps

/// Derives bytes from other bytes by typical corruption: flipped bits, truncation, repetition, zeros, and words known
/// to cause trouble.
public struct Mutator {
  private var random: SeededGenerator
  private let seeds: [Data]

  private static let words: [String] = [
    "", "0", "-0", "-1", "1e999", "-1e308", "1e-400", "NaN", "Infinity", "0x", "9223372036854775807",
    "-9223372036854775808", "18446744073709551616", "99999999999999999999999999", "180.0000001", "-90.1", "\"", "\"\"",
    "'",
    "\\", "\\u0000", "\\ud800", "\u{0}", "\u{FEFF}", "\u{202E}", "\u{1B}[2J", "\r", "\n", "\r\n", ",", ";", "\t", "{",
    "}", "[", "]",
    "null", "true", "/*", "//", "%", "%%", "%20%", "..", "../../../etc/passwd", "/dev/zero", "<script>",
    "'; DROP TABLE route;--",
    "👩‍👩‍👧", "ﬃ", "2026-02-30T25:61:00+99:99", "no @ (", "24/7", "Mo-Su 00:00-48:00", "PT1H", "1000:00:00", "mph", "none",
    "walk",
  ]

  public init(_ target: FuzzTarget, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    seeds = target.seeds
  }

  /// Returns the next input.
  public mutating func next() -> Data {
    guard var bytes = seeds.randomElement(using: &random).map({ Array($0) }) else { return Data() }
    for _ in 0..<Int.random(in: 1...8, using: &random) { mutate(&bytes) }
    return Data(bytes.prefix(1 << 20))
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let from = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
    let to = min(bytes.count, from + Int.random(in: 0...16, using: &random))
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where !bytes.isEmpty: bytes[from] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where !bytes.isEmpty: bytes[from] = .random(in: .min ... .max, using: &random)
    case 2: bytes.removeSubrange(from..<to)
    case 3: bytes.removeSubrange(from...)
    case 4: bytes.insert(contentsOf: Array(bytes[from..<to]), at: from)
    case 5:
      // Many copies of a few bytes, for deep nesting, long values or duplicates.
      let part = Array(bytes[from..<to].prefix(4))
      let count = Int.random(in: 1...4000, using: &random)
      bytes.insert(contentsOf: (0..<count).flatMap { _ in part }, at: from)
    case 6:
      let other = Array(seeds.randomElement(using: &random)!)
      bytes.replaceSubrange(from..<to, with: other.suffix(Int.random(in: 0...other.count, using: &random)))
    case 7:
      // One byte, or a block that the disk did not write.
      let count = Bool.random(using: &random) ? 1 : Int.random(in: 1...4096, using: &random)
      for place in from..<min(bytes.count, from + count) { bytes[place] = 0 }
    default: bytes.replaceSubrange(from..<to, with: Mutator.words.randomElement(using: &random)!.utf8)
    }
  }
}
