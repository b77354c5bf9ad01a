/// A growable buffer for kernels that write bytes directly: `reserve`, write at `base + count`, increase `count`.
package struct ByteBuffer: ~Copyable {
  @usableFromInline package private(set) var base: UnsafeMutablePointer<UInt8>
  @usableFromInline package var count = 0
  @usableFromInline var capacity: Int

  package init(capacity: Int = 4096) {
    self.capacity = max(64, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// Ensures space for `additional` bytes after `count`. May move `base`.
  @inlinable package mutating func reserve(_ additional: Int) {
    if count + additional > capacity { grow(by: additional) }
  }

  @usableFromInline mutating func grow(by additional: Int) {
    capacity = max(capacity * 2, count + additional)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
