/// A value with exceptions at certain times: the last matching clause decides.
struct Timed<Value: Equatable & Sendable>: Sendable {
  private(set) var usual: Value
  private(set) var clauses: [Clause] = []

  struct Clause: Sendable {
    var value: Value
    var condition: Condition
  }

  /// Creates a value from `clauses`, which are sorted from general to specific.
  init(_ usual: Value, _ clauses: [Clause] = []) {
    self.usual = usual
    for clause in clauses where !clause.condition.isNever {
      if clause.condition.isAlways {
        // The condition matches this vehicle at all times.
        self.usual = clause.value
        self.clauses = []
      } else {
        self.clauses.append(clause)
      }
    }
  }

  /// Combines two timed values: the last pair of clauses that both match decides.
  func combined<Other, Result: Equatable & Sendable>(
    _ other: Timed<Other>, _ combine: (Value, Other) -> Result
  ) -> Timed<Result> {
    var results: [Timed<Result>.Clause] = other.clauses.map {
      .init(value: combine(usual, $0.value), condition: $0.condition)
    }
    for clause in clauses {
      results.append(.init(value: combine(clause.value, other.usual), condition: clause.condition))
      results += other.clauses.map {
        .init(value: combine(clause.value, $0.value), condition: Condition(both: clause.condition, and: $0.condition))
      }
    }
    return Timed<Result>(combine(usual, other.usual), results)
  }

  /// Transforms each value and keeps the times.
  func map<Result: Equatable & Sendable>(_ change: (Value) -> Result) -> Timed<Result> {
    Timed<Result>(change(usual), clauses.map { .init(value: change($0.value), condition: $0.condition) })
  }

  /// All possible values.
  var values: [Value] { [usual] + clauses.map(\.value) }

  /// Returns the closing, as text, of an object that is open for values that satisfy `isOpen`; nil if it never changes.
  func closing(_ isOpen: (Value) -> Bool) -> String? {
    let usually = isOpen(usual)
    guard clauses.contains(where: { isOpen($0.value) != usually }) else { return nil }
    return Closing.text(isUsuallyClosed: !usually, clauses.map { (!isOpen($0.value), $0.condition) })
  }
}
