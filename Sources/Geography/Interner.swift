/// Distinct values, each with an index: 0, 1, 2 … in the order in which they first appeared.
///
///     var names = Interner([""])
///     names.index(of: "Rua da Paz")       // 1
///     names.values                        // ["", "Rua da Paz"]
package struct Interner<Value: Hashable> {
  @usableFromInline var storage: [Value] = []
  @usableFromInline var indices: [Value: Int] = [:]

  /// - Parameter values: The values with the first indices.
  @inlinable package init(_ values: [Value] = []) {
    for value in values { _ = index(of: value) }
  }

  /// The values in the order of their indices.
  @inlinable package var values: [Value] { storage }

  @inlinable package var count: Int { storage.count }

  @inlinable package subscript(index: Int) -> Value { storage[index] }

  /// Returns the index of `value`; nil if it is unknown.
  @inlinable package func index(ifKnown value: Value) -> Int? { indices[value] }

  // Inlinable, so that other modules specialize it: this saves a tenth of the time it takes to read pairs.
  /// Returns the index of `value`; a new value gets the next index.
  @inlinable package mutating func index(of value: Value) -> Int {
    if let known = indices[value] { return known }
    let index = storage.count
    storage.append(value)
    indices[value] = index
    return index
  }
}

extension Interner: Sendable where Value: Sendable {}
