import Foundation
import Synchronization

/// Reads chunks, answers them on several threads, and writes the answers in the order of the chunks.
///
///     chunks ──(caller's thread)──> workers ──(caller's thread, in order)──> write
///
/// At most `ahead` chunks a worker are under way, so memory is bounded however slow the writing is. The first failure on
/// any side stops all; the workers are waited for, and it is thrown. The only place with threads and locks but for
/// contraction.
package enum Pipeline {
  /// - Parameters:
  ///   - makeWorker: Called on each worker's thread; what it returns stays there.
  ///   - shouldStop: Asked before each chunk is read: if true, no further chunk is, and those under way are finished.
  /// - Returns: Whether all chunks were written.
  @discardableResult
  package static func run<Chunk: Sendable, Answer: Sendable>(
    _ chunks: some Sequence<Chunk>, workers: Int, ahead: Int = 4, shouldStop: () -> Bool = { false },
    makeWorker: @escaping @Sendable () -> (Chunk) throws -> Answer, write: (Answer) throws -> Void
  ) throws -> Bool {
    let desk = Desk<Chunk, Answer>()
    let threads = (0..<max(1, workers)).map { _ in
      Thread {
        let answer = makeWorker()
        while let (number, chunk) = desk.take() { desk.put(number, Result { try answer(chunk) }) }
        desk.leave()
      }
    }
    for thread in threads {
      thread.stackSize = 8 << 20
      desk.join()
      thread.start()
    }
    defer { desk.close() }

    var source = chunks.makeIterator()
    var (handed, written) = (0, 0)
    var isAtEnd = false
    var isStopped = false
    while true {
      while !isAtEnd && !isStopped && handed - written < ahead * threads.count {
        isStopped = shouldStop()
        guard !isStopped, let chunk = source.next() else {
          isAtEnd = !isStopped
          break
        }
        desk.hand(handed, chunk)
        handed += 1
      }
      guard written < handed else { return isAtEnd }
      try write(desk.answer(written))
      written += 1
    }
  }
}

/// Consecutive numbers up to `count`, so many at a time: where one chunk ends depends on nothing else.
func chunks(of count: Int, size: Int) -> some Sequence<Range<Int>> {
  stride(from: 0, to: count, by: size).lazy.map { $0..<min($0 + size, count) }
}

/// Where chunks and answers change hands.
private final class Desk<Chunk: Sendable, Answer: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var waiting: [(Int, Chunk)] = []
  private var answers: [Int: Result<Answer, any Error>] = [:]
  private var isClosed = false
  private var present = 0

  func join() { locked { present += 1 } }
  func leave() { locked { present -= 1 } }
  func hand(_ number: Int, _ chunk: Chunk) { locked { waiting.append((number, chunk)) } }
  func put(_ number: Int, _ answer: Result<Answer, any Error>) { locked { answers[number] = answer } }

  /// The next chunk, or nil when there will be none.
  func take() -> (Int, Chunk)? {
    locked {
      while waiting.isEmpty && !isClosed { condition.wait() }
      return isClosed ? nil : waiting.removeFirst()
    }
  }

  /// The answer to chunk `number`, as soon as it is there.
  func answer(_ number: Int) throws -> Answer {
    try locked {
      while answers[number] == nil { condition.wait() }
      return answers.removeValue(forKey: number)!
    }.get()
  }

  /// Sends the workers home and waits until they have gone.
  func close() {
    locked {
      isClosed = true
      condition.broadcast()
      while present > 0 { condition.wait() }
    }
  }

  private func locked<R>(_ body: () -> R) -> R {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return body()
  }
}

/// Buffers that go round: taken by who fills one, given back by who has written it, so that large ones are not asked of
/// the system again for every chunk.
final class Recycler<Buffer: Sendable>: Sendable {
  private let idle = Mutex<[Buffer]>([])
  private let make: @Sendable () -> Buffer

  init(_ make: @escaping @Sendable () -> Buffer) { self.make = make }

  func take() -> Buffer { idle.withLock { $0.popLast() } ?? make() }
  func giveBack(_ buffer: Buffer) { idle.withLock { $0.append(buffer) } }
}
