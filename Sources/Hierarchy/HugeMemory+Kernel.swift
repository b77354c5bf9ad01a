import Foundation

/// Memory in huge pages, if the system supports them: sweeps access megabytes at random.
package struct HugeMemory<Element: BitwiseCopyable> {
  /// The first element, uninitialized.
  package let base: UnsafeMutablePointer<Element>
  let count: Int
  private let bytes: UnsafeMutableRawPointer

  /// Allocates memory, which must be freed by `deallocate`.
  package init(count: Int) {
    self.count = count
    let size = max(1, count) * MemoryLayout<Element>.stride
    let isLarge = size > 1 << 20
    bytes = .allocate(byteCount: size, alignment: isLarge ? 1 << 21 : 64)
    #if os(Linux)
      if isLarge { madvise(bytes, size, MADV_HUGEPAGE) }
    #endif
    base = bytes.bindMemory(to: Element.self, capacity: max(1, count))
  }

  /// Frees the memory.
  package func deallocate() { bytes.deallocate() }
}
