import Synchronization

/// A pool of reusable buffers, which are taken for filling and released after writing (by a `BufferLease`), so that
/// large ones are not allocated for every chunk.
final class BufferPool<Buffer: Sendable>: Sendable {
  private let idle = Mutex<[Buffer]>([])
  private let make: @Sendable () -> Buffer

  init(_ make: @escaping @Sendable () -> Buffer) { self.make = make }

  func take() -> Buffer { idle.withLock { $0.popLast() } ?? make() }
  func release(_ buffer: Buffer) { idle.withLock { $0.append(buffer) } }
}

/// A lease of buffers, which are returned to the pool when the last holder releases it.
final class BufferLease: Sendable {
  private let returnBuffers: @Sendable () -> Void

  init(_ returnBuffers: @escaping @Sendable () -> Void) { self.returnBuffers = returnBuffers }
  deinit { returnBuffers() }
}
