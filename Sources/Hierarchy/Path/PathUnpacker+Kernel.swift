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
    if stackCount + 2 > stackCapacity { PathUnpacker.grow(&stack, count: stackCount, capacity: &stackCapacity) }
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
        if arcCount == arcCapacity { PathUnpacker.grow(&arcs, count: arcCount, capacity: &arcCapacity) }
        arcs[arcCount] = ArcID(parts.up)
        arcCount &+= 1
      } else {
        push(parts.up << 1 | 1)
        push(parts.down << 1)
      }
    }
  }

  private static func grow<T>(_ memory: inout UnsafeMutablePointer<T>, count: Int, capacity: inout Int) {
    capacity *= 2
    let larger = UnsafeMutablePointer<T>.allocate(capacity: capacity)
    larger.update(from: memory, count: count)
    memory.deallocate()
    memory = larger
  }
}
