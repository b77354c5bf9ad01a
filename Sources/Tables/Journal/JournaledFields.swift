/// Visits the fields of a value: puts them into a journal, or takes them out of one. One list of fields serves both.
package protocol JournalVisitor {
  associatedtype Problem: Error
  mutating func visit<Value: Journaled>(_ value: inout Value) throws(Problem)
  /// Refuses values that were read and cannot be right. A writer checks nothing.
  mutating func check(_ isRight: @autoclosure () -> Bool) throws(Problem)
}

/// A value whose journal is the list of its fields.
package protocol JournaledFields: Journaled {
  init()
  mutating func visit<Journal: JournalVisitor>(_ journal: inout Journal) throws(Journal.Problem)
}

extension JournaledFields {
  package func write(to journal: inout JournalWriter) {
    var fields = self
    fields.visit(&journal)
  }

  package init(from journal: inout JournalReader) throws {
    self.init()
    try visit(&journal)
  }
}

extension JournalWriter: JournalVisitor {
  package mutating func visit<Value: Journaled>(_ value: inout Value) { put(value) }
  package func check(_ isRight: @autoclosure () -> Bool) {}
}

extension JournalReader: JournalVisitor {
  package mutating func visit<Value: Journaled>(_ value: inout Value) throws { value = try take() }

  package func check(_ isRight: @autoclosure () -> Bool) throws {
    guard isRight() else { throw Failure() }
  }
}

extension JournalVisitor {
  package mutating func callAsFunction<A: Journaled, B: Journaled>(_ a: inout A, _ b: inout B) throws(Problem) {
    try visit(&a)
    try visit(&b)
  }

  package mutating func callAsFunction<A: Journaled, B: Journaled, C: Journaled>(
    _ a: inout A, _ b: inout B, _ c: inout C
  ) throws(Problem) {
    try self(&a, &b)
    try visit(&c)
  }

  package mutating func callAsFunction<A: Journaled, B: Journaled, C: Journaled, D: Journaled>(
    _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D
  ) throws(Problem) {
    try self(&a, &b)
    try self(&c, &d)
  }

  package mutating func callAsFunction<A: Journaled, B: Journaled, C: Journaled, D: Journaled, E: Journaled>(
    _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D, _ e: inout E
  ) throws(Problem) {
    try self(&a, &b, &c, &d)
    try visit(&e)
  }

  package mutating func callAsFunction<
    A: Journaled, B: Journaled, C: Journaled, D: Journaled, E: Journaled, F: Journaled
  >(
    _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D, _ e: inout E, _ f: inout F
  ) throws(Problem) {
    try self(&a, &b, &c)
    try self(&d, &e, &f)
  }
}
