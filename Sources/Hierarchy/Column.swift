/// An immutable array of plain values, in its own memory or in a mapped file that it keeps alive.
///
/// Graphs, hierarchies and networks are all stored as columns: opening a file only sets pointers, and any number of
/// processes share one copy. Copying a column copies three words.
public struct Column<Element: BitwiseCopyable & Sendable>: RandomAccessCollection, @unchecked Sendable {
  @usableFromInline package let base: UnsafePointer<Element>
  /// The number of elements.
  public let count: Int
  private let owner: AnyObject

  /// A column over immutable memory that `owner` keeps alive.
  package init(base: UnsafePointer<Element>, count: Int, owner: AnyObject) {
    self.base = base
    self.count = count
    self.owner = owner
  }

  /// A column with a copy of `elements`.
  public init(_ elements: some Collection<Element>) {
    self.init(count: elements.count) { base in
      _ = UnsafeMutableBufferPointer(start: base, count: elements.count).initialize(fromContentsOf: elements)
    }
  }

  /// A column of `count` elements, which `fill` initializes.
  package init(count: Int, _ fill: (UnsafeMutablePointer<Element>) -> Void) {
    let memory = ColumnMemory(byteCount: Swift.max(1, count) * MemoryLayout<Element>.stride)
    let base = memory.base.bindMemory(to: Element.self, capacity: Swift.max(1, count))
    fill(base)
    self.init(base: UnsafePointer(base), count: count, owner: memory)
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }

  /// The element at `position`. *Complexity*: O(1).
  @inlinable
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < count, "column index out of range")
    return base[position]
  }

  package var buffer: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }
}

/// Memory that lives as long as a column refers to it.
private final class ColumnMemory: Sendable {
  nonisolated(unsafe) let base: UnsafeMutableRawPointer
  init(byteCount: Int) { base = .allocate(byteCount: byteCount, alignment: 64) }
  deinit { base.deallocate() }
}

extension Range where Bound: FixedWidthInteger {
  /// Returns the first number that satisfies a monotone predicate; the upper bound if there is none.
  @inlinable
  package func partitionPoint(where predicate: (Bound) throws -> Bool) rethrows -> Bound {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if try predicate(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
