// Labels are built from the top down: a label is the minimum, over the arcs of its state, of the arc's weight plus the
// head's label. Heads are ancestors, whose labels begin with the same path from the root, so entries are added index by
// index, in whole vectors. Entries after the end of a label stay infinite.

extension UpperLabels {
  /// Returns the ancestors of each labelled rank by depth, ending with the rank itself.
  static func ancestors(of parents: Column<UInt32>, starts: [UInt32], depths: [UInt32], count: Int) -> Column<UInt32> {
    Column(count: count) { base in
      base.initialize(repeating: none, count: count)
      for rank in starts.indices.reversed() where starts[rank] != none {
        let (own, depth) = (base + Int(starts[rank]), Int(depths[rank]))
        if depth > 0 { own.update(from: base + Int(starts[Int(parents[rank])]), count: depth) }
        own[depth] = UInt32(rank)
      }
    }
  }

  /// Returns the distances in `half` from each labelled rank to its ancestors.
  static func distances(over half: UpwardArcs, starts: [UInt32], depths: [UInt32], count: Int) -> Column<Int64> {
    let (first, arcs) = (half.first.base, half.arcs.base)
    return Column(count: count) { base in
      base.initialize(repeating: Weight.infinity.signed, count: count)
      starts.withUnsafeBufferPointer { starts in
        for rank in starts.indices.reversed() where starts[rank] != none {
          let own = base + Int(starts[rank])
          for index in Int(first[rank])..<Int(first[rank &+ 1]) {
            let (head, weight) = (Int(arcs[index].head), arcs[index].packed)
            lower(own, to: base + Int(starts[head]), plus: weight, count: paddedCount(depths[head]))
          }
          own[Int(depths[rank])] = Weight.zero.signed
        }
      }
    }
  }

  /// Lowers `count` entries, a multiple of the block size, to `others` plus a weight where that is less.
  @inline(__always)
  static func lower(
    _ entries: UnsafeMutablePointer<Int64>, to others: UnsafePointer<Int64>, plus weight: UInt64, count: Int
  ) {
    let weight = SIMD8(repeating: Int64(bitPattern: weight))
    let (entries, others) = (UnsafeMutableRawPointer(entries), UnsafeRawPointer(others))
    var offset = 0
    while offset < count &* 8 {
      let sum = (others + offset).loadUnaligned(as: SIMD8<Int64>.self) &+ weight
      var minimum = (entries + offset).loadUnaligned(as: SIMD8<Int64>.self)
      minimum.replace(with: sum, where: sum .< minimum)
      (entries + offset).storeBytes(of: minimum, as: SIMD8<Int64>.self)
      offset &+= 64
    }
  }
}
