import Foundation
import Synchronization

/// Reads chunks, answers them on several threads, and writes the answers in the order of the chunks.
///
///     chunks ──(caller's thread)──> workers ──(caller's thread, in order)──> write
///
/// At most two chunks a worker are under way, one being answered and one that waits to be written, so memory is bounded
/// however slow the writing is, and a crash costs no more. The first failure on any side stops all; the workers are
/// waited for, and it is thrown. The only place with threads and locks but for contraction.
package enum Pipeline {
  /// - Parameters:
  ///   - ahead: Chunks under way, if that is to be another number than two a worker.
  ///   - makeWorker: Called on each worker's thread; what it returns stays there.
  ///   - shouldStop: Asked before each chunk is read: if true, no further chunk is, and those under way are finished.
  ///   - write: Gets all answers that wait in order, at most one a worker.
  /// - Returns: Whether all chunks were written.
  @discardableResult
  package static func run<Chunk: Sendable, Answer: Sendable>(
    _ chunks: some Sequence<Chunk>, workers: Int, ahead: Int? = nil, shouldStop: () -> Bool = { false },
    makeWorker: @escaping @Sendable () -> (Chunk) throws -> Answer, write: ([Answer]) throws -> Void
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
      while !isAtEnd && !isStopped && handed - written < ahead ?? 2 * threads.count {
        isStopped = shouldStop()
        guard !isStopped, let chunk = source.next() else {
          isAtEnd = !isStopped
          break
        }
        desk.hand(handed, chunk)
        handed += 1
      }
      guard written < handed else { return isAtEnd }
      let answers = try desk.answers(from: written, atMost: threads.count)
      try write(answers)
      written += answers.count
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

  /// The answer to chunk `number`, as soon as it is there, and those behind it that are there too.
  func answers(from number: Int, atMost most: Int) throws -> [Answer] {
    try locked {
      while answers[number] == nil { condition.wait() }
      // A failure waits until it is the first: what came before it is written.
      let ready = (number + 1..<number + most).prefix { (try? answers[$0]?.get()) != nil }
      return ([number] + ready).map { answers.removeValue(forKey: $0)! }
    }.map { try $0.get() }
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
