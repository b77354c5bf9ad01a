import Foundation

/// Slots for arcs, by position: addresses for many more than are used, since memory counts only where it is written.
struct ArcPool {
  private(set) var slots: UnsafeMutablePointer<RemainingGraph.Arc>
  private(set) var capacity: Int

  init(capacity: Int) {
    (slots, self.capacity) = (ArcPool.mapped(capacity), capacity)
  }

  /// Makes room for twice the slots, and keeps those that are used.
  mutating func grow(keeping used: Range<Int>, atLeast needed: Int) {
    let larger = ArcPool(capacity: max(needed, capacity * 2))
    (larger.slots + used.lowerBound).update(from: slots + used.lowerBound, count: used.count)
    deallocate()
    self = larger
  }

  func deallocate() { munmap(slots, max(1, capacity) * MemoryLayout<RemainingGraph.Arc>.stride) }

  private static func mapped(_ capacity: Int) -> UnsafeMutablePointer<RemainingGraph.Arc> {
    let size = max(1, capacity) * MemoryLayout<RemainingGraph.Arc>.stride
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED else {
      fatalError("no address space for \(size) bytes")
    }
    return memory.bindMemory(to: RemainingGraph.Arc.self, capacity: max(1, capacity))
  }
}
