import Tables

/// A column stored in large blocks: as it grows, full blocks are not copied.
///
/// A block is large enough for the allocator to map it separately: pages without values take up no memory, and freeing
/// a block returns its memory to the system, regardless of later allocations.
package struct BlockColumn<Value: BitwiseCopyable>: RandomAccessCollection {
  @usableFromInline var blocks: [ContiguousArray<Value>] = []
  package private(set) var count = 0

  @inlinable static var bits: Int { 22 }
  @inlinable static var mask: Int { 1 << bits - 1 }

  package init() {}

  /// Creates a column that repeats a value.
  init(repeating value: Value, count: Int) {
    for _ in 0..<count { append(value) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package mutating func append(_ value: Value) {
    if count & Self.mask == 0 { blocks.append([]) }
    // The first block grows like an array until it is worth mapping, since most columns are short.
    if count == 1 << 16 || count > 0 && count & Self.mask == 0 {
      blocks[blocks.count - 1].reserveCapacity(1 << Self.bits)
    }
    blocks[blocks.count - 1].append(value)
    count += 1
  }

  /// Inlined always: an unspecialized call would copy values through the type's metadata.
  @inlinable package subscript(index: Int) -> Value {
    @inline(__always) get { blocks[index >> Self.bits][index & Self.mask] }
    set { blocks[index >> Self.bits][index & Self.mask] = newValue }
  }
}

extension BlockColumn: Sendable where Value: Sendable {}

/// A column of ids: eight bytes each, plus the strings of ids that are not numbers.
struct IdentifierColumn: Sendable {
  /// Each id's number, or the index of its string.
  private var numbers = BlockColumn<Int64>()
  /// Whether each id is a string; empty until the first string.
  private var areStrings = BlockColumn<Bool>()
  private var strings = StringColumn()

  var count: Int { numbers.count }
  var hasStrings: Bool { strings.count > 0 }

  mutating func append(_ id: Identifier) {
    switch id {
    case .number(let number):
      if hasStrings { areStrings.append(false) }
      numbers.append(number)
    case .text(let text):
      if !hasStrings { areStrings = BlockColumn(repeating: false, count: count) }
      areStrings.append(true)
      numbers.append(Int64(strings.count))
      strings.append(text)
    }
  }

  subscript(index: Int) -> Identifier {
    hasStrings && areStrings[index] ? .text(strings[Int(numbers[index])]) : .number(numbers[index])
  }
}

/// A column of strings, stored concatenated.
struct StringColumn: Sendable {
  private var bytes = BlockColumn<UInt8>()
  private var ends = BlockColumn<Int>()

  var count: Int { ends.count }

  mutating func append(_ text: String) {
    for byte in text.utf8 { bytes.append(byte) }
    ends.append(bytes.count)
  }

  subscript(index: Int) -> String {
    String(decoding: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]], as: UTF8.self)
  }
}

/// Rows without an id, in a file where others have one, get numbers above all existing ids, which are known only at the
/// end. Until then, each has a temporary id that cannot occur in the input.
extension Identifier {
  static func placeholder(row: Int) -> Identifier { .number(.min + Int64(row)) }

  /// The row number of a temporary id; nil for other ids.
  var placeholderRow: Int? {
    // Numbers in the input are within 2^53.
    guard case .number(let number) = self, number < -1 << 60 else { return nil }
    return Int(number - .min)
  }

  /// Returns the largest number among ids; 0 if there is none.
  static func largest(of ids: some Sequence<Identifier>) -> Int64 {
    ids.reduce(0) { largest, id in
      if case .number(let number) = id { max(largest, number) } else { largest }
    }
  }
}

extension IdentifierColumn {
  func withoutPlaceholders() -> IdentifierColumn {
    let largest = Identifier.largest(of: (0..<count).lazy.map { self[$0] })
    var column = IdentifierColumn()
    for index in 0..<count {
      column.append(self[index].placeholderRow.map { .number(largest + Int64($0)) } ?? self[index])
    }
    return column
  }
}

extension [InputPlace] {
  mutating func replacePlaceholders() {
    let largest = Identifier.largest(of: lazy.map(\.id))
    for index in indices {
      if let row = self[index].id.placeholderRow { self[index].id = .number(largest + Int64(row)) }
    }
  }
}
