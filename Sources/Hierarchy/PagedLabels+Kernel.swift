// A search near a place labels few states of a large map, and state indices follow the map. So labels are in pages of
// 16 consecutive states, placed one after another as a search first writes to them: the system only allocates memory up
// to the last page of the largest search. Finding a label takes one more load than in an array, from a table of 4 bytes
// per page, which stays in the first- and second-level caches; clearing takes time only for the pages in use.

/// The labels of the states that a search reaches; all other states have the initial label. Copies share the labels.
/// Used by one thread.
package struct PagedLabels<Label: BitwiseCopyable> {
  @usableFromInline let base: UnsafeMutablePointer<Label>
  /// For each page of states, the position of its labels; before the first write, 0, the position of a read-only page
  /// of initial labels.
  @usableFromInline let pages: UnsafeMutablePointer<UInt32>
  /// The page of states for each page of positions.
  @usableFromInline let owners: UnsafeMutablePointer<UInt32>
  /// The number of positions in use, and its maximum so far.
  @usableFromInline let counts: UnsafeMutablePointer<(used: Int, maximum: Int)>
  @usableFromInline let initial: Label
  @usableFromInline let pageCount: Int
  private let labels: HugeMemory<Label>

  @inlinable static var pageSize: Int { 16 }

  /// Creates a label for each state, at first `initial`. The memory must be freed with `deallocate`.
  package init(stateCount: Int, _ initial: Label) {
    self.initial = initial
    pageCount = (stateCount + Self.pageSize - 1) / Self.pageSize
    pages = .allocate(capacity: max(1, pageCount))
    pages.initialize(repeating: 0, count: max(1, pageCount))
    owners = .allocate(capacity: pageCount + 1)
    labels = HugeMemory(count: (pageCount + 1) * Self.pageSize)
    base = labels.base
    base.initialize(repeating: initial, count: Self.pageSize)
    counts = .allocate(capacity: 1)
    counts.initialize(to: (Self.pageSize, Self.pageSize))
  }

  package func deallocate() {
    pages.deallocate()
    owners.deallocate()
    labels.deallocate()
    counts.deallocate()
  }

  /// The bytes in use during the largest search so far.
  package var memory: Int { Self.memory(pages: pageCount, used: counts.pointee.maximum) }

  /// Returns the bytes for a search that reaches all states.
  package static func memory(stateCount: Int) -> Int {
    let pages = (stateCount + pageSize - 1) / pageSize
    return memory(pages: pages, used: (pages + 1) * pageSize)
  }

  private static func memory(pages: Int, used: Int) -> Int {
    pages * MemoryLayout<UInt32>.stride * 2 + HugeMemory<Label>.memory(of: (pages + 1) * pageSize, used: used)
  }

  /// The maximum number of positions, and the number in use.
  var capacity: Int { labels.count }
  var count: Int { counts.pointee.used }

  /// Returns the position of a state's label, for reading.
  @inlinable @inline(__always)
  package func position(_ state: UInt32) -> Int {
    Int(pages[Int(state >> 4)]) &+ Int(state & 15)
  }

  /// The label of a state.
  @inlinable @inline(__always)
  package subscript(state: UInt32) -> Label { base[position(state)] }

  /// Returns the address of a state's label, for writing.
  @inlinable @inline(__always)
  package func writable(_ state: UInt32) -> UnsafeMutablePointer<Label> {
    if pages[Int(state >> 4)] == 0 { add(Int(state >> 4)) }
    return base + position(state)
  }

  @inlinable @inline(never)
  func add(_ page: Int) {
    let position = counts.pointee.used
    (base + position).initialize(repeating: initial, count: Self.pageSize)
    owners[position / Self.pageSize] = UInt32(truncatingIfNeeded: page)
    pages[page] = UInt32(truncatingIfNeeded: position)
    counts.pointee.used = position &+ Self.pageSize
    counts.pointee.maximum = max(counts.pointee.maximum, counts.pointee.used)
  }

  /// Calls `body` with the states of the pages in use and their labels, in the order of states.
  func forEach(_ body: (_ state: UInt32, Label) -> Void) {
    for page in 0..<pageCount where pages[page] != 0 {
      for index in 0..<Self.pageSize {
        body(UInt32(truncatingIfNeeded: page * Self.pageSize + index), base[Int(pages[page]) + index])
      }
    }
  }

  /// Gives all states the initial label.
  @inlinable
  package func removeAll() {
    for position in 1..<counts.pointee.used / Self.pageSize { pages[Int(owners[position])] = 0 }
    counts.pointee.used = Self.pageSize
  }
}
