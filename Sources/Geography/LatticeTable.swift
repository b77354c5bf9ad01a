/// A hash table of numbers keyed by lattice position, with linear probing. Faster than a `Dictionary`, which protects
/// against crafted keys.
struct LatticeTable {
  private var keys: [UInt64]
  private var values: [UInt32]
  private var count = 0

  /// Marks a free slot. Not a valid position: columns and rows have fewer than 31 bits.
  private static let free = UInt64.max

  /// - Parameter capacity: The number of entries that fit without growth.
  init(capacity: Int = 0) {
    let slots = 1 << (Int.bitWidth - max(63, capacity * 2 - 1).leadingZeroBitCount)
    (keys, values) = (Array(repeating: LatticeTable.free, count: slots), Array(repeating: 0, count: slots))
  }

  /// - Parameter side: 0 to 3.
  subscript(column: Int32, row: Int32, side: UInt8 = 0) -> UInt32? {
    get {
      let slot = slot(of: key(column, row, side))
      return keys[slot] == LatticeTable.free ? nil : values[slot]
    }
    set {
      guard let newValue else { return }
      if count * 2 >= keys.count { grow() }
      set(key(column, row, side), newValue)
    }
  }

  private func key(_ column: Int32, _ row: Int32, _ side: UInt8) -> UInt64 {
    (UInt64(UInt32(bitPattern: column)) << 32 | UInt64(UInt32(bitPattern: row))) << 2 | UInt64(side)
  }

  /// Returns the slot of a key, or a free slot for it.
  private func slot(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while keys[slot] != key, keys[slot] != LatticeTable.free { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func set(_ key: UInt64, _ value: UInt32) {
    let slot = slot(of: key)
    if keys[slot] == LatticeTable.free { count += 1 }
    (keys[slot], values[slot]) = (key, value)
  }

  private mutating func grow() {
    var larger = LatticeTable(capacity: keys.count)
    for (key, value) in zip(keys, values) where key != LatticeTable.free { larger.set(key, value) }
    self = larger
  }
}
