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

    /// Returns a multiple of a column's number of values, plus a constant.
    package static func count(_ section: Section, times: Int = 1, plus: Int = 0) -> Size {
      Size(section: section, times: times, plus: plus)
    }

    package static func constant(_ number: Int) -> Size { Size(section: nil, plus: number) }
  }

  /// The number of values.
  package enum Count: Sendable {
    case any
    case atLeastOne
    case exactly(Size)
    /// Either no values or this number.
    case noneOr(Size)

    /// Returns the number of values of another column.
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
