/// Values in blocks: it grows without moving what is there, and takes at most a block more than its values.
struct BlockColumn<Value: BitwiseCopyable>: RandomAccessCollection {
  private var blocks: [ContiguousArray<Value>] = []
  private(set) var count = 0

  private static var bits: Int { 16 }
  private static var mask: Int { 1 << bits - 1 }

  init() {}

  /// As many equal values.
  init(repeating value: Value, count: Int) {
    for _ in 0..<count { append(value) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  mutating func append(_ value: Value) {
    if count & Self.mask == 0 {
      blocks.append([])
      // The first one grows as arrays do: most columns are short.
      if count > 0 { blocks[blocks.count - 1].reserveCapacity(1 << Self.bits) }
    }
    blocks[blocks.count - 1].append(value)
    count += 1
  }

  subscript(index: Int) -> Value {
    get { blocks[index >> Self.bits][index & Self.mask] }
    set { blocks[index >> Self.bits][index & Self.mask] = newValue }
  }
}

extension BlockColumn: Sendable where Value: Sendable {}
