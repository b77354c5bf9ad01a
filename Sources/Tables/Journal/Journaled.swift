import Geography

/// A value that can be stored in a shard's journal: `init(from:)` reads the output of `write(to:)`.
///
/// Generic members are inlinable: a merge decodes hundreds of thousands of rows, whose types other modules define.
@usableFromInline package protocol Journaled {
  func write(to journal: inout JournalWriter)
  /// Reads a value. *Throws*: `JournalReader.Failure`.
  init(from journal: inout JournalReader) throws
}

extension Journaled where Self: FixedWidthInteger {
  @inlinable package func write(to journal: inout JournalWriter) {
    journal.put(signed: Int64(truncatingIfNeeded: self))
  }

  @inlinable package init(from journal: inout JournalReader) throws {
    let number = try journal.takeSigned()
    // All times, lengths and counts are smaller, so they can be added without overflow.
    guard number.magnitude <= 1 << 50, let value = Self(exactly: number) else { throw JournalReader.Failure() }
    self = value
  }
}

extension Int: Journaled {}
extension Int32: Journaled {}
extension Int64: Journaled {}
extension UInt32: Journaled {}

extension Bool: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) { journal.put(byte: self ? 1 : 0) }
  @usableFromInline package init(from journal: inout JournalReader) throws { self = try journal.takeByte() != 0 }
}

extension Double: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      journal.put(byte: UInt8(truncatingIfNeeded: bitPattern >> shift))
    }
  }

  @usableFromInline package init(from journal: inout JournalReader) throws {
    var bits: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try journal.takeByte()) << shift }
    self.init(bitPattern: bits)
  }
}

extension String: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) { journal.put(bytes: utf8) }
  @usableFromInline package init(from journal: inout JournalReader) throws {
    self.init(decoding: try journal.takeBytes(), as: UTF8.self)
  }
}

extension Optional: Journaled where Wrapped: Journaled {
  @inlinable package func write(to journal: inout JournalWriter) {
    journal.put(self != nil)
    if let self { journal.put(self) }
  }

  @inlinable package init(from journal: inout JournalReader) throws {
    self = try journal.take(Bool.self) ? try journal.take(Wrapped.self) : nil
  }
}

extension Array: Journaled where Element: Journaled {
  @inlinable package func write(to journal: inout JournalWriter) {
    journal.put(unsigned: UInt64(count))
    for element in self { journal.put(element) }
  }

  @inlinable package init(from journal: inout JournalReader) throws {
    let count = try journal.takeCount()
    self.init()
    // A corrupt count must not allocate much memory.
    reserveCapacity(Swift.min(count, 4096))
    for _ in 0..<count { append(try journal.take()) }
  }
}

extension Dictionary: Journaled where Key == String, Value: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) {
    let names = keys.sorted()
    journal.put(names)
    for name in names { journal.put(self[name]!) }
  }

  @usableFromInline package init(from journal: inout JournalReader) throws {
    self.init()
    for name in try journal.take([String].self) { self[name] = try journal.take(Value.self) }
  }
}

extension FixedCoordinate: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) {
    journal.put(longitude)
    journal.put(latitude)
  }

  @usableFromInline package init(from journal: inout JournalReader) throws {
    self.init(longitude: try journal.take(), latitude: try journal.take())
    guard coordinate.isValid else { throw JournalReader.Failure() }
  }
}

extension BoundingBox: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) {
    for edge in [minLongitude, minLatitude, maxLongitude, maxLatitude] { journal.put(edge) }
  }

  @usableFromInline package init(from journal: inout JournalReader) throws {
    self.init(
      minLongitude: try journal.take(), minLatitude: try journal.take(), maxLongitude: try journal.take(),
      maxLatitude: try journal.take())
  }
}

extension Identifier: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) {
    switch self {
    case .number(let number):
      journal.put(false)
      journal.put(signed: number)
    case .text(let text):
      journal.put(true)
      journal.put(text)
    }
  }

  @usableFromInline package init(from journal: inout JournalReader) throws {
    self = try journal.take(Bool.self) ? .text(try journal.take()) : .number(try journal.takeSigned())
  }
}

extension TextBytes: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) { journal.put(bytes: bytes(0..<count)) }
  @usableFromInline package convenience init(from journal: inout JournalReader) throws {
    self.init(try journal.takeBytes())
  }
}

extension RowStatus: Journaled {
  private static let all = RowStatus.allCases

  @usableFromInline package func write(to journal: inout JournalWriter) {
    journal.put(byte: UInt8(RowStatus.all.firstIndex(of: self)!))
  }

  @usableFromInline package init(from journal: inout JournalReader) throws {
    let index = Int(try journal.takeByte())
    guard RowStatus.all.indices.contains(index) else { throw JournalReader.Failure() }
    self = RowStatus.all[index]
  }
}

extension GeometryBlob: Journaled {
  @usableFromInline package func write(to journal: inout JournalWriter) { journal.put(bytes: bytes) }
  @usableFromInline package init(from journal: inout JournalReader) throws {
    self.init(bytes: Array(try journal.takeBytes()))
  }
}

/// Visits the fields of a value, for encoding or decoding: one list of fields serves both.
@usableFromInline package protocol JournalVisitor {
  associatedtype Problem: Error
  mutating func visit<Value: Journaled>(_ value: inout Value) throws(Problem)
  /// Visits fixed-size numbers in their memory layout.
  mutating func visit<Value: BitwiseCopyable>(fixed values: inout [Value]) throws(Problem)
  /// Rejects impossible decoded values. Encoding checks nothing.
  mutating func check(_ isValid: @autoclosure () -> Bool) throws(Problem)
}

/// A value that is encoded as the list of its fields.
@usableFromInline package protocol JournaledFields: Journaled {
  init()
  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem)
}

extension JournaledFields {
  @inlinable package func write(to journal: inout JournalWriter) {
    var fields = self
    fields.listFields(in: &journal)
  }

  @inlinable package init(from journal: inout JournalReader) throws {
    self.init()
    try listFields(in: &journal)
  }
}

extension JournalWriter: JournalVisitor {
  @inlinable package mutating func visit<Value: Journaled>(_ value: inout Value) { put(value) }
  @inlinable package mutating func visit<Value: BitwiseCopyable>(fixed values: inout [Value]) { put(fixed: values) }
  @inlinable package func check(_ isValid: @autoclosure () -> Bool) {}
}

extension JournalReader: JournalVisitor {
  @inlinable package mutating func visit<Value: Journaled>(_ value: inout Value) throws { value = try take() }
  @inlinable package mutating func visit<Value: BitwiseCopyable>(fixed values: inout [Value]) throws {
    values = try takeFixed()
  }

  @inlinable package func check(_ isValid: @autoclosure () -> Bool) throws {
    guard isValid() else { throw Failure() }
  }
}

extension JournalVisitor {
  @inlinable package mutating func callAsFunction<A: Journaled, B: Journaled>(_ a: inout A, _ b: inout B)
    throws(Problem)
  {
    try visit(&a)
    try visit(&b)
  }

  @inlinable package mutating func callAsFunction<A: Journaled, B: Journaled, C: Journaled>(
    _ a: inout A, _ b: inout B, _ c: inout C
  ) throws(Problem) {
    try self(&a, &b)
    try visit(&c)
  }

  @inlinable package mutating func callAsFunction<A: Journaled, B: Journaled, C: Journaled, D: Journaled>(
    _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D
  ) throws(Problem) {
    try self(&a, &b)
    try self(&c, &d)
  }

  @inlinable package mutating func callAsFunction<A: Journaled, B: Journaled, C: Journaled, D: Journaled, E: Journaled>(
    _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D, _ e: inout E
  ) throws(Problem) {
    try self(&a, &b, &c, &d)
    try visit(&e)
  }

  @inlinable
  package mutating func callAsFunction<
    A: Journaled, B: Journaled, C: Journaled, D: Journaled, E: Journaled, F: Journaled
  >(
    _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D, _ e: inout E, _ f: inout F
  ) throws(Problem) {
    try self(&a, &b, &c)
    try self(&d, &e, &f)
  }
}
