/// Values in blocks: it grows without moving what is there.
///
/// Blocks are so large that each is mapped by itself: of one the system gives only the pages that have values, and takes all
/// back when it is freed, whatever else was allocated since.
struct BlockColumn<Value: BitwiseCopyable>: RandomAccessCollection {
  private var blocks: [ContiguousArray<Value>] = []
  private(set) var count = 0

  private static var bits: Int { 22 }
  private static var mask: Int { 1 << bits - 1 }

  init() {}

  /// As many equal values.
  init(repeating value: Value, count: Int) {
    for _ in 0..<count { append(value) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  mutating func append(_ value: Value) {
    if count & Self.mask == 0 { blocks.append([]) }
    // The first block grows as arrays do until it is worth a mapping: most columns are short.
    if count == 1 << 16 || count > 0 && count & Self.mask == 0 {
      blocks[blocks.count - 1].reserveCapacity(1 << Self.bits)
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
