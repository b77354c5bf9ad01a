/// What a column may hold, so that whoever looks something up with its values finds it: values of one size, so many of them,
/// and where the parts of each may point.
///
///     case .arcHeads: .values(UInt32.self, .as(.arcStreets), .below(.count(.firstArc, plus: -1)))
///
/// A checksum tells that a file is as it was written, not who wrote it. Rules are checked with it, when a file is opened for
/// the first time: one pass over each part.
package struct ColumnRule<Section: ColumnSection>: Sendable {
  /// Bytes of a value.
  let stride: Int
  let count: Count
  let parts: [Part]

  /// A number: of the values of a column, some times, and some more.
  package struct Size: Sendable {
    var section: Section?
    var times = 1
    var plus: Int

    /// As many as a column has, so many times, and some more.
    package static func count(_ section: Section, times: Int = 1, plus: Int = 0) -> Size {
      Size(section: section, times: times, plus: plus)
    }

    /// A number itself.
    package static func number(_ number: Int) -> Size { Size(section: nil, plus: number) }
  }

  /// How many values there are.
  package enum Count: Sendable {
    case any
    case atLeastOne
    case exactly(Size)
    /// Or none at all.
    case noneOr(Size)

    /// As many as another column has.
    package static func `as`(_ section: Section) -> Count { .exactly(.count(section)) }
  }

  /// What the values of a part may be.
  package enum Demand: Sendable {
    /// Indices.
    case below(Size)
    /// The same, or all bits set.
    case belowOrNone(Size)
    /// Offsets, ascending, at most a size.
    case ascending(upTo: Size)
    /// The same, from 0 and with a last one for the end.
    case offsets(into: Size)
    case within(ClosedRange<Int>)
    /// The same, or all bits set.
    case withinOrNone(ClosedRange<Int>)
    /// Bytes without this one.
    case without(Unicode.Scalar)
  }

  /// A whole number within each value.
  package struct Part: Sendable {
    let offset: Int
    let width: Int
    let demand: Demand

    init(at offset: Int, width: Int, _ demand: Demand) {
      (self.offset, self.width, self.demand) = (offset, width, demand)
    }

    /// The part that a stored property is.
    package init<Record, Value>(_ path: KeyPath<Record, Value>, _ demand: Demand) {
      guard let offset = MemoryLayout<Record>.offset(of: path) else {
        preconditionFailure("columns are checked by what they store")
      }
      self.init(at: offset, width: MemoryLayout<Value>.size, demand)
    }
  }

  /// Values of which any will do, or that have parts.
  package static func values<Value>(_ type: Value.Type, _ count: Count = .any, _ parts: [Part] = []) -> ColumnRule {
    ColumnRule(stride: MemoryLayout<Value>.stride, count: count, parts: parts)
  }

  /// Whole numbers.
  package static func values<Value>(_ type: Value.Type, _ count: Count = .any, _ demand: Demand) -> ColumnRule {
    values(type, count, [Part(at: 0, width: MemoryLayout<Value>.size, demand)])
  }
}

extension ColumnFile {
  /// *Throws*: `InvalidColumnFile` that names a column with values that nobody writes.
  func checkRules() throws {
    for section in Section.allCases {
      let rule = section.rule
      let bytes = try bytes(of: section, stride: rule.stride)
      let count = count(of: section)
      let isRight =
        switch rule.count {
        case .any: true
        case .atLeastOne: count > 0
        case .exactly(let size): count == self.size(size)
        case .noneOr(let size): count == 0 || count == self.size(size)
        }
      guard isRight, rule.parts.allSatisfy({ holds($0, in: bytes, stride: rule.stride) }) else {
        throw InvalidColumnFile.impossible("\(section)")
      }
    }
    try Section.checkWhole(self)
  }

  private func size(_ size: ColumnRule<Section>.Size) -> Int {
    (size.section.map { count(of: $0) * size.times } ?? 0) + size.plus
  }

  private func holds(
    _ part: ColumnRule<Section>.Part, in bytes: UnsafeRawBufferPointer, stride: Int
  ) -> Bool {
    let values = ColumnPart(bytes: bytes, offset: part.offset, width: part.width, stride: stride)
    return switch part.demand {
    case .below(let size): values.areAll(from: 0, below: self.size(size))
    case .belowOrNone(let size): values.areAll(from: 0, below: self.size(size), orNone: true)
    case .within(let range): values.areAll(from: range.lowerBound, below: range.upperBound + 1)
    case .withinOrNone(let range): values.areAll(from: range.lowerBound, below: range.upperBound + 1, orNone: true)
    case .ascending(let size): values.ascend(upTo: self.size(size))
    case .offsets(let size): values.ascend(from: 0, upTo: self.size(size), isLast: true)
    case .without(let scalar): !values.contain(byte: UInt8(scalar.value))
    }
  }
}
