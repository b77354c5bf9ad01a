// Both searches climb together, from parent to parent in the elimination tree: every arc leads to an ancestor, so a
// rank's distance is final when it is visited, and no queue is needed. More ranks are visited than by a search with
// stalling, but most of them only briefly.

extension PathQuery {
  /// Returns the rank at which the two searches meet, and the weight of the path.
  func meet(_ sources: [Seed], _ targets: [Seed]) -> (weight: UInt64, rank: UInt32)? {
    let (out, into) = (UpwardSearch.Half(hierarchy.outgoing), UpwardSearch.Half(hierarchy.incoming))
    var best: (weight: UInt64, rank: UInt32) = (Weight.infinity.packed, 0)
    climb(from: sources, to: targets) { rank, forward, backward in
      let met = forward.distances[Int(rank)] &+ backward.distances[Int(rank)]
      if met < best.weight { best = (met, rank) }
      forward.relax(rank, out, below: best.weight)
      backward.relax(rank, into, below: best.weight)
    }
    return best.weight < Weight.infinity.packed ? best : nil
  }

  /// Searches upward from both ends to every rank within `limit`, including states that no shortest path uses.
  func explore(from sources: [Seed], to targets: [Seed], within limit: UInt64) {
    let (out, into) = (UpwardSearch.Half(hierarchy.outgoing), UpwardSearch.Half(hierarchy.incoming))
    climb(from: sources, to: targets) { rank, forward, backward in
      forward.relax(rank, out, below: limit)
      backward.relax(rank, into, below: limit)
    }
  }

  /// Starts both searches and calls `visit` with every ancestor rank of a seed, ascending.
  @inline(__always)
  private func climb(
    from sources: [Seed], to targets: [Seed], _ visit: (UInt32, inout UpwardSearch, inout UpwardSearch) -> Void
  ) {
    // Local variables avoid the exclusivity check on every access to an object's field.
    var (forward, backward, front) = (self.forward, self.backward, self.front)
    defer { (self.forward, self.backward, self.front) = (forward, backward, front) }
    forward.start(sources, ranks: hierarchy.ranks.base, &front)
    backward.start(targets, ranks: hierarchy.ranks.base, &front)
    let parents = hierarchy.parents.base
    while let rank = front.climb(parents) { visit(rank, &forward, &backward) }
  }

  /// Appends the arcs from the source seed up to `rank`, and returns the seed's index.
  func unpackUpward(to rank: UInt32, into unpacker: inout PathUnpacker) -> Int {
    var parent = forward.parents[Int(rank)]
    while parent.arc != UpwardSearch.seed {
      unpacker.push(parent.arc << 1 | 1)
      parent = forward.parents[Int(parent.from)]
    }
    // Arcs are found from the top down, so the first arc of the path is already on top of the stack.
    unpacker.unpack(hierarchy)
    return Int(parent.from)
  }

  /// Appends the arcs from `rank` down to the target seed, and returns the seed's index.
  func unpackDownward(from rank: UInt32, into unpacker: inout PathUnpacker) -> Int {
    var parent = backward.parents[Int(rank)]
    while parent.arc != UpwardSearch.seed {
      unpacker.push(parent.arc << 1)
      unpacker.unpack(hierarchy)
      parent = backward.parents[Int(parent.from)]
    }
    return Int(parent.from)
  }
}

// Unpacking reads 8 bytes per arc of the path at random: it mostly waits for memory.

/// An unpacker of shortcuts into arcs of the graph, with a stack of hierarchy arcs (index times two, plus one for
/// `outgoing`) and the arcs of the graph found so far.
struct PathUnpacker {
  private var stack: UnsafeMutablePointer<UInt32>
  private var stackCount = 0
  private var stackCapacity = 1024
  private var arcs: UnsafeMutablePointer<ArcID>
  private(set) var arcCount = 0
  private var arcCapacity = 4096

  init() {
    stack = .allocate(capacity: stackCapacity)
    arcs = .allocate(capacity: arcCapacity)
  }

  func deallocate() {
    stack.deallocate()
    arcs.deallocate()
  }

  mutating func removeAll() { arcCount = 0 }

  var result: [ArcID] { Array(UnsafeBufferPointer(start: arcs, count: arcCount)) }

  mutating func push(_ piece: UInt32) {
    if stackCount + 2 > stackCapacity { stack.grow(count: stackCount, capacity: &stackCapacity) }
    stack[stackCount] = piece
    stackCount &+= 1
  }

  mutating func unpack(_ hierarchy: Hierarchy) {
    let outgoing = hierarchy.outgoing.parts.base
    let incoming = hierarchy.incoming.parts.base
    while stackCount > 0 {
      stackCount &-= 1
      let piece = stack[stackCount]
      let parts = piece & 1 == 1 ? outgoing[Int(piece >> 1)] : incoming[Int(piece >> 1)]
      if parts.isOriginal {
        if arcCount == arcCapacity { arcs.grow(count: arcCount, capacity: &arcCapacity) }
        arcs[arcCount] = ArcID(parts.up)
        arcCount &+= 1
      } else {
        push(parts.up << 1 | 1)
        push(parts.down << 1)
      }
    }
  }
}
