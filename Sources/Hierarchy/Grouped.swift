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
  ///   - addAll: Calls its argument with the group and the value of each element. `addAll` is called twice, and must
  ///     add the same elements both times.
  @inlinable @inline(__always)
  package init(_ count: Int, _ addAll: (_ add: (_ group: UInt32, _ value: Value) -> Void) -> Void) {
    // The count of a group is stored at `group + 2`, so that filling moves each start to its final position.
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

  /// The size of `first` and `values` in bytes.
  package var memory: Int {
    first.count * MemoryLayout<UInt32>.stride + values.count * MemoryLayout<Value>.stride
  }

  @inlinable
  package subscript(group: UInt32) -> ArraySlice<Value> { values[Int(first[Int(group)])..<Int(first[Int(group) + 1])] }
}

extension Grouped<UInt32> {
  /// Returns the higher neighbours of each rank on arcs in one direction, possibly with duplicates.
  ///
  /// - Parameter isOutgoing: Whether the arcs lead up to the neighbours rather than down from them.
  static func upwardNeighbours(_ graph: ArcGraph, _ ranks: Column<UInt32>, isOutgoing: Bool) -> Grouped {
    let (ranks, heads) = (ranks.buffer, graph.heads.buffer)
    return Grouped(graph.stateCount) { add in
      for state in 0..<graph.stateCount {
        let tail = ranks[state]
        for arc in graph.arcs(from: StateID(state)) {
          let head = ranks[Int(heads[arc])]
          if isOutgoing ? tail < head : head < tail { add(min(tail, head), max(tail, head)) }
        }
      }
    }
  }
}

/// The arcs of a graph grouped by head, with their tails.
struct ReversedArcs: Sendable {
  /// `stateCount + 1` offsets into `arcs`.
  let first: Column<UInt32>
  let arcs: Column<Entry>

  /// An arc's tail and index.
  typealias Entry = (tail: UInt32, index: UInt32)

  init(_ graph: ArcGraph) {
    let byHead = Grouped<Entry>(graph.stateCount) { add in
      for state in 0..<graph.stateCount {
        for arc in graph.arcs(from: StateID(state)) {
          add(graph.heads[arc], Entry(tail: UInt32(state), index: UInt32(arc)))
        }
      }
    }
    (first, arcs) = (Column(byHead.first), Column(byHead.values))
  }

  func arcs(into state: Int) -> Slice<Column<Entry>> { arcs[Int(first[state])..<Int(first[state + 1])] }
}
