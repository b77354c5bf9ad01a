/// Distinct values, each with an index: 0, 1, 2 … in the order in which they first appeared.
///
///     var names = Interner([""])
///     names.index(of: "Rua da Paz")       // 1
///     names.values                        // ["", "Rua da Paz"]
package struct Interner<Value: Hashable> {
  @usableFromInline package private(set) var values: [Value] = []
  @usableFromInline var indices: [Value: Int] = [:]

  /// - Parameter values: What has the first indices.
  package init(_ values: [Value] = []) {
    for value in values { _ = index(of: value) }
  }

  @inlinable package var count: Int { values.count }

  @inlinable package subscript(index: Int) -> Value { values[index] }

  /// The index of `value`, which gets the next one if it is new.
  package mutating func index(of value: Value) -> Int {
    if let known = indices[value] { return known }
    let index = values.count
    values.append(value)
    indices[value] = index
    return index
  }
}

extension Interner: Sendable where Value: Sendable {}
