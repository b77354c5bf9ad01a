import Geography
import Hierarchy

/// Sorted, distinct node IDs, and the index of each.
///
/// The upper bits of an ID select a range in a table; the binary search within it usually covers only a few IDs.
package struct NodeIndex: Sendable {
  package let ids: [Int64]
  private var first: [UInt32] = []
  private var shift: UInt64 = 0

  /// - Parameter lists: IDs in any order, possibly repeated.
  package init(_ lists: [Int64]...) {
    // Flipping the sign bit yields unsigned numbers in the same order.
    let sign: UInt64 = 1 << 63
    var keys: [UInt64] = []
    keys.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for ids in lists {
      for id in ids { keys.append(UInt64(bitPattern: id) ^ sign) }
    }
    keys.radixSort()
    var distinct: [Int64] = []
    var last: UInt64?
    for key in keys where key != last {
      distinct.append(Int64(bitPattern: key ^ sign))
      last = key
    }
    self.ids = distinct
    let (ids, count) = (distinct, distinct.count)
    guard let smallest = ids.first, let largest = ids.last else { return }
    let range = UInt64(bitPattern: largest) &- UInt64(bitPattern: smallest)
    // Four IDs per table entry, on average.
    while range >> shift > UInt64(count / 4) { shift += 1 }
    first = Array(repeating: 0, count: Int(range >> shift) + 2)
    for id in ids { first[slot(id) + 1] += 1 }
    for slot in 1..<first.count { first[slot] += first[slot - 1] }
  }

  package var count: Int { ids.count }

  private func slot(_ id: Int64) -> Int { Int((UInt64(bitPattern: id) &- UInt64(bitPattern: ids[0])) >> shift) }

  /// The index of an ID; nil if it is missing.
  package subscript(id: Int64) -> Int? {
    guard !ids.isEmpty, id >= ids[0], id <= ids[ids.count - 1] else { return nil }
    let slot = slot(id)
    let index = (Int(first[slot])..<Int(first[slot + 1])).partitionPoint { ids[$0] >= id }
    return index < ids.count && ids[index] == id ? index : nil
  }
}
