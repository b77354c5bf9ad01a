import Foundation
import Input

/// Distinct fields of a table, with indices 0, 1, 2 … in order of first appearance. Like `Interner`, but without
/// creating strings.
struct FieldInterner {
  /// The fields, one after another.
  private(set) var bytes: [UInt8] = []
  /// The end of each field in `bytes`.
  private(set) var ends: [Int] = []
  private var hashes: [UInt32] = []
  /// The index plus one of the field in each hash slot; 0 for none.
  private var slots = [UInt32](repeating: 0, count: 64)
  /// Random, so that a crafted file cannot make all hashes collide.
  private let seed = UInt64.random(in: .min ... .max)

  var count: Int { ends.count }

  subscript(index: Int) -> String { String(input: bytes[start(of: index)..<ends[index]]) }

  /// Returns the index of a field; nil if it was never inserted.
  func index(of field: RowField) -> Int? {
    let slot = slot(of: field, hash: hash(of: field))
    return slots[slot] > 0 ? Int(slots[slot]) - 1 : nil
  }

  /// Returns the index of another interner's field; nil if it was never inserted here.
  func index(of other: FieldInterner, _ index: Int) -> Int? {
    other.bytes.withUnsafeBufferPointer { bytes in
      self.index(of: RowField(UnsafeBufferPointer(rebasing: bytes[other.start(of: index)..<other.ends[index]])))
    }
  }

  /// Returns the index of a field; a new field gets the next index.
  mutating func insert(_ field: RowField) -> (isNew: Bool, index: Int) {
    let hash = hash(of: field)
    let slot = slot(of: field, hash: hash)
    guard slots[slot] == 0 else { return (false, Int(slots[slot]) - 1) }
    bytes.append(contentsOf: field.bytes)
    ends.append(bytes.count)
    hashes.append(hash)
    slots[slot] = UInt32(count)
    if count * 2 > slots.count { grow() }
    return (true, count - 1)
  }

  private func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

  /// Returns the slot of a field, or the free slot for it.
  private func slot(of field: RowField, hash: UInt32) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] > 0 {
      let index = Int(slots[slot]) - 1
      if hashes[index] == hash, isEqual(field, index) { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func isEqual(_ field: RowField, _ index: Int) -> Bool {
    let (start, count) = (start(of: index), field.bytes.count)
    guard ends[index] - start == count else { return false }
    guard let other = field.bytes.baseAddress, count > 0 else { return true }
    return bytes.withUnsafeBufferPointer { memcmp($0.baseAddress! + start, other, count) == 0 }
  }

  /// Returns the FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo, 1991), with its high bits folded into the low ones.
  private func hash(of field: RowField) -> UInt32 {
    var hash = seed
    for byte in field.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for (index, hash) in hashes.enumerated() {
      var slot = Int(hash) & (slots.count - 1)
      while slots[slot] > 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }
}
