import Synchronization

/// Buffers that are used again: taken to be filled, released when written (by a `Loan`), so that large ones are not
/// allocated again for every chunk.
final class BufferPool<Buffer: Sendable>: Sendable {
  private let idle = Mutex<[Buffer]>([])
  private let make: @Sendable () -> Buffer

  init(_ make: @escaping @Sendable () -> Buffer) { self.make = make }

  func take() -> Buffer { idle.withLock { $0.popLast() } ?? make() }
  func release(_ buffer: Buffer) { idle.withLock { $0.append(buffer) } }
}

/// Gives buffers back when the last who holds it lets go.
package final class Loan: Sendable {
  private let giveBack: @Sendable () -> Void

  init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }
  deinit { giveBack() }
}
