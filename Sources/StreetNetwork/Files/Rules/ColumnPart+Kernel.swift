// Parts of records are read with a stride; columns of plain numbers, the usual case, are checked with SIMD
// instructions.

/// An integer within each value of a column.
struct ColumnPart {
  let bytes: UnsafeRawBufferPointer
  let offset: Int
  /// 1, 2, 4 or 8.
  let width: Int
  let stride: Int

  /// Returns whether all of the integers are in a range, or, with `orNone`, have all bits set.
  func areAll(from minimum: Int, below end: Int, orNone: Bool = false) -> Bool {
    switch width {
    case 1: areAll(UInt8.self, minimum, end, orNone)
    case 2: areAll(UInt16.self, minimum, end, orNone)
    case 4: areAll(UInt32.self, minimum, end, orNone)
    default: areAll(UInt64.self, minimum, end, orNone)
    }
  }

  @inline(__always)
  private func areAll<Value: FixedWidthInteger & UnsignedInteger>(
    _ type: Value.Type, _ minimum: Int, _ end: Int, _ orNone: Bool
  ) -> Bool {
    let lowest = Value(truncatingIfNeeded: minimum)
    // For an empty or a full range, the difference would be meaningless.
    guard end > minimum else { return forAll(type) { orNone && $0 == .max } }
    guard let span = Value(exactly: end - minimum - 1) else { return true }
    return orNone
      ? forAll(type) { $0 &- lowest <= span || $0 == .max } : forAll(type) { $0 &- lowest <= span }
  }

  /// Returns whether the integers never decrease, the first is `first` (if not nil), and the last is at most `size`, or
  /// exactly `size` with `isExact`.
  func ascend(from first: UInt32? = nil, upTo size: Int, isExact: Bool = false) -> Bool {
    precondition(width == 4, "offsets have 32 bits")
    guard !bytes.isEmpty else { return !isExact }
    var previous: UInt32 = 0
    let ascends = forAll(UInt32.self) { value in
      defer { previous = value }
      return value >= previous
    }
    let isFirst = first == nil || bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) == first
    return ascends && isFirst && (isExact ? Int(previous) == size : Int(previous) <= size)
  }

  /// Returns whether the bytes of the column include `byte`.
  func contain(byte: UInt8) -> Bool { bytes.contains(byte) }

  @inline(__always)
  private func forAll<Value: FixedWidthInteger>(_ type: Value.Type, _ holds: (Value) -> Bool) -> Bool {
    let count = bytes.count / stride
    guard count > 0, let start = bytes.baseAddress else { return true }
    // No early exit: loops without exits are vectorized.
    var all = true
    if stride == MemoryLayout<Value>.size {
      let values = start.assumingMemoryBound(to: type)
      for index in 0..<count { all = holds(values[index]) && all }
    } else {
      for index in 0..<count { all = holds(start.load(fromByteOffset: index &* stride &+ offset, as: type)) && all }
    }
    return all
  }
}
