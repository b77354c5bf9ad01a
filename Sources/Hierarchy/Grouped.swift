/// Values by group, in insertion order within each group.
///
///     let arcsByHead = Grouped<UInt32>(stateCount) { add in
///       for arc in heads.indices { add(heads[arc], UInt32(arc)) }
///     }
///     arcsByHead[head]        // the arcs to `head`
package struct Grouped<Value: Sendable>: Sendable {
  /// The start of each group in `values`, plus the end offset.
  @usableFromInline package let first: [UInt32]
  @usableFromInline package let values: [Value]

  // Inlined to avoid a call per value.
  /// - Parameters:
  ///   - count: The number of groups.
  ///   - addAll: Calls its argument with each value and its group. It is called twice and must add the same values.
  @inlinable @inline(__always)
  package init(_ count: Int, _ addAll: (_ add: (_ group: UInt32, _ value: Value) -> Void) -> Void) {
    // Counts are stored two positions later, so that filling moves each start to its final position.
    var first = [UInt32](repeating: 0, count: count + 2)
    addAll { group, _ in first[Int(group) + 2] += 1 }
    for group in 0..<count { first[group + 2] += first[group + 1] }
    let total = Int(first[count + 1])
    values = Array(unsafeUninitializedCapacity: total) { values, filled in
      addAll { group, value in
        values.initializeElement(at: Int(first[Int(group) + 1]), to: value)
        first[Int(group) + 1] += 1
      }
      filled = total
    }
    first.removeLast()
    self.first = first
  }

  /// The values of a group.
  @inlinable
  package subscript(group: UInt32) -> ArraySlice<Value> { values[Int(first[Int(group)])..<Int(first[Int(group) + 1])] }
}
