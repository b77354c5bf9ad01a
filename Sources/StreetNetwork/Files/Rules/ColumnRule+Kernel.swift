/// The permitted content of a column, so that lookups with its values stay in bounds: the size and number of values,
/// and the permitted range of each integer.
///
///     case .arcHeads: .values(UInt32.self, .as(.arcStreets), .below(.count(.firstArc, plus: -1)))
///
/// A checksum proves that a file is unchanged, but not where it came from. Rules are checked together with the checksum
/// when a file is opened for the first time: one pass over each part.
package struct ColumnRule<Section: ColumnSection>: Sendable {
  /// Bytes per value.
  let stride: Int
  let count: Count
  let parts: [Part]

  /// A size: a multiple of a column's number of values, plus a constant.
  package struct Size: Sendable {
    var section: Section?
    var times = 1
    var plus: Int

    package static func count(_ section: Section, times: Int = 1, plus: Int = 0) -> Size {
      Size(section: section, times: times, plus: plus)
    }

    package static func constant(_ number: Int) -> Size { Size(section: nil, plus: number) }
  }

  /// The permitted number of values.
  package enum Count: Sendable {
    case any
    case atLeastOne
    case exactly(Size)
    /// Either no values or this number.
    case noneOr(Size)

    /// Requires as many values as another column has.
    package static func `as`(_ section: Section) -> Count { .exactly(.count(section)) }
  }

  /// The permitted values of a part.
  package enum Constraint: Sendable {
    /// Indices.
    case below(Size)
    /// Indices, or all bits set.
    case belowOrNone(Size)
    /// Ascending offsets, up to a size.
    case ascending(upTo: Size)
    /// Ascending offsets from 0, with a final entry for the end.
    case offsets(into: Size)
    case within(ClosedRange<Int>)
    /// In the range, or all bits set.
    case withinOrNone(ClosedRange<Int>)
    /// Bytes other than this one.
    case without(Unicode.Scalar)
  }

  /// An integer within each value.
  package struct Part: Sendable {
    let offset: Int
    let width: Int
    let constraint: Constraint

    init(at offset: Int, width: Int, _ constraint: Constraint) {
      (self.offset, self.width, self.constraint) = (offset, width, constraint)
    }

    /// Creates the part for a stored property.
    package init<Record, Value>(_ path: KeyPath<Record, Value>, _ constraint: Constraint) {
      guard let offset = MemoryLayout<Record>.offset(of: path) else {
        preconditionFailure("only stored properties can be checked")
      }
      self.init(at: offset, width: MemoryLayout<Value>.size, constraint)
    }
  }

  /// Returns the rule for values without restrictions, or with restricted parts.
  package static func values<Value>(_ type: Value.Type, _ count: Count = .any, _ parts: [Part] = []) -> ColumnRule {
    ColumnRule(stride: MemoryLayout<Value>.stride, count: count, parts: parts)
  }

  /// Returns the rule for values that are single integers.
  package static func values<Value>(_ type: Value.Type, _ count: Count = .any, _ constraint: Constraint) -> ColumnRule {
    values(type, count, [Part(at: 0, width: MemoryLayout<Value>.size, constraint)])
  }
}

extension ColumnFile {
  /// Checks all columns against their rules. *Throws*: `InvalidColumnFile`, naming a column with invalid values.
  func checkRules() throws {
    for section in Section.allCases {
      let rule = section.rule
      let bytes = try bytes(of: section, stride: rule.stride)
      let count = count(of: section)
      let hasValidCount =
        switch rule.count {
        case .any: true
        case .atLeastOne: count > 0
        case .exactly(let size): count == self.size(size)
        case .noneOr(let size): count == 0 || count == self.size(size)
        }
      guard hasValidCount, rule.parts.allSatisfy({ holds($0, in: bytes, stride: rule.stride) }) else {
        throw InvalidColumnFile.invalid("\(section)")
      }
    }
    try Section.checkConsistency(self)
  }

  private func size(_ size: ColumnRule<Section>.Size) -> Int {
    (size.section.map { count(of: $0) * size.times } ?? 0) + size.plus
  }

  private func holds(
    _ part: ColumnRule<Section>.Part, in bytes: UnsafeRawBufferPointer, stride: Int
  ) -> Bool {
    let values = ColumnPart(bytes: bytes, offset: part.offset, width: part.width, stride: stride)
    return switch part.constraint {
    case .below(let size): values.areAll(from: 0, below: self.size(size))
    case .belowOrNone(let size): values.areAll(from: 0, below: self.size(size), orNone: true)
    case .within(let range): values.areAll(from: range.lowerBound, below: range.upperBound + 1)
    case .withinOrNone(let range): values.areAll(from: range.lowerBound, below: range.upperBound + 1, orNone: true)
    case .ascending(let size): values.ascend(upTo: self.size(size))
    case .offsets(let size): values.ascend(from: 0, upTo: self.size(size), isExact: true)
    case .without(let scalar): !values.contain(byte: UInt8(scalar.value))
    }
  }
}

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
