import Tables

/// Rows without an id among others that have one: they are called by numbers above all that are given, which are known at
/// the end. Until then each has one that no input has.
extension Identifier {
  static func placeholder(row: Int) -> Identifier { .number(.min + Int64(row)) }

  /// The row that has no id yet; nil for what has one.
  var rowOfPlaceholder: Int? {
    // Numbers of the input are within 2^53.
    guard case .number(let number) = self, number < -1 << 60 else { return nil }
    return Int(number - .min)
  }

  /// The largest number among ids; 0 where there is none.
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
      column.append(self[index].rowOfPlaceholder.map { .number(largest + Int64($0)) } ?? self[index])
    }
    return column
  }
}

extension [InputPlace] {
  mutating func replacePlaceholders() {
    let largest = Identifier.largest(of: lazy.map(\.id))
    for index in indices {
      if let row = self[index].id.rowOfPlaceholder { self[index].id = .number(largest + Int64(row)) }
    }
  }
}
