import Foundation

/// A pipeline that reads chunks, computes them on several threads, and writes the answers in the order of the chunks.
///
///     chunks ──(caller's thread)──> workers ──(caller's thread, in order)──> write
///
/// By default, at most two chunks per worker are in progress, one being computed and one waiting to be written, so
/// memory is bounded even if writing is slow. The first failure, on any thread, stops everything; it is thrown after
/// all workers have ended.
package enum Pipeline {
  /// Returns consecutive ranges up to `count`, each of `size` rows except the last.
  package static func chunks(of count: Int, size: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
  }

  /// - Parameters:
  ///   - ahead: The maximum number of chunks in progress; nil for two per worker.
  ///   - makeWorker: Called on each worker's thread, where its result stays.
  ///   - shouldStop: Polled before each chunk is read: once true, no further chunk is read, and those in progress are
  ///     finished.
  ///   - write: Called with all waiting answers in order, at most one per worker.
  ///   - whileWaiting: Called once for each answer that takes longer than a tenth of a second.
  /// - Returns: Whether all chunks were written.
  @discardableResult
  package static func run<Chunk: Sendable, Answer: Sendable>(
    _ chunks: some Sequence<Chunk>, workers: Int, ahead: Int? = nil, shouldStop: () -> Bool = { false },
    makeWorker: @escaping @Sendable () -> (Chunk) throws -> Answer, write: ([Answer]) throws -> Void,
    whileWaiting: () throws -> Void = {}
  ) throws -> Bool {
    let queue = WorkQueue<Chunk, Answer>()
    let threads = (0..<max(1, workers)).map { _ in
      Thread {
        let compute = makeWorker()
        while let (index, chunk) = queue.take() { queue.put(index, Result { try compute(chunk) }) }
        queue.leave()
      }
    }
    for thread in threads {
      thread.stackSize = 8 << 20
      queue.join()
      thread.start()
    }
    defer { queue.close() }

    var source = chunks.makeIterator()
    var (submitted, written) = (0, 0)
    var isAtEnd = false
    var isStopped = false
    while true {
      while !isAtEnd && !isStopped && submitted - written < ahead ?? 2 * threads.count {
        isStopped = shouldStop()
        guard !isStopped, let chunk = source.next() else {
          isAtEnd = !isStopped
          break
        }
        queue.submit(submitted, chunk)
        submitted += 1
      }
      guard written < submitted else { return isAtEnd }
      if !queue.waitForAnswer(to: written, seconds: 0.1) { try whileWaiting() }
      let answers = try queue.answers(from: written, atMost: threads.count)
      try write(answers)
      written += answers.count
    }
  }
}

/// The exchange of chunks and answers.
private final class WorkQueue<Chunk: Sendable, Answer: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var waiting: [(Int, Chunk)] = []
  private var answers: [Int: Result<Answer, any Error>] = [:]
  private var isClosed = false
  private var workerCount = 0

  func join() { locked { workerCount += 1 } }
  func leave() { locked { workerCount -= 1 } }
  func submit(_ index: Int, _ chunk: Chunk) { locked { waiting.append((index, chunk)) } }
  func put(_ index: Int, _ answer: Result<Answer, any Error>) { locked { answers[index] = answer } }

  /// Returns the next chunk, or nil at the end.
  func take() -> (Int, Chunk)? {
    locked {
      while waiting.isEmpty && !isClosed { condition.wait() }
      return isClosed ? nil : waiting.removeFirst()
    }
  }

  /// Waits at most `seconds` for the answer to a chunk. *Returns* whether it has arrived.
  func waitForAnswer(to index: Int, seconds: Double) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    return locked {
      while answers[index] == nil { guard condition.wait(until: end) else { return answers[index] != nil } }
      return true
    }
  }

  /// Waits for the answer to a chunk, and returns it with the available ones after it.
  func answers(from index: Int, atMost limit: Int) throws -> [Answer] {
    try locked {
      while answers[index] == nil { condition.wait() }
      // Earlier answers are written before a failure is thrown.
      let ready = (index + 1..<index + limit).prefix { (try? answers[$0]?.get()) != nil }
      return ([index] + ready).map { answers.removeValue(forKey: $0)! }
    }.map { try $0.get() }
  }

  /// Stops the workers and waits until they have ended.
  func close() {
    locked {
      isClosed = true
      condition.broadcast()
      while workerCount > 0 { condition.wait() }
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
