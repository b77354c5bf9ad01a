import Foundation
import Testing

import Jobs

struct PipelineTests {
  @Test(arguments: [1, 2, 7])
  func writesAnswersInTheOrderOfTheChunks(workers: Int) throws {
    var written: [Int] = []
    let isComputed = (0...500).map { _ in DispatchSemaphore(value: 0) }
    let isWhole = try Pipeline.run(
      0..<500, workers: workers,
      makeWorker: {
        { number in
          // If there is another worker, every seventh chunk is overtaken by the next one.
          if workers > 1 && number % 7 == 0 { isComputed[number + 1].wait() }
          isComputed[number].signal()
          return number * 2
        }
      }, write: { written += $0 })
    #expect(isWhole && written == (0..<500).map { $0 * 2 })
  }

  private struct Failure: Error, Equatable { var at: Int }

  @Test(arguments: [1, 2, 7])
  func stopsAtTheFirstFailureOfAWorker(workers: Int) {
    var written: [Int] = []
    #expect(throws: Failure(at: 20)) {
      try Pipeline.run(
        0..<500, workers: workers,
        makeWorker: {
          { number in
            if number >= 20 { throw Failure(at: number) }
            return number
          }
        }, write: { written += $0 })
    }
    #expect(written == Array(0..<20))
  }

  @Test func stopsAtAFailureToWrite() {
    #expect(throws: Failure(at: 3)) {
      try Pipeline.run(
        0..<500, workers: 3, makeWorker: { { $0 } }, write: { if $0.contains(3) { throw Failure(at: 3) } })
    }
  }

  @Test func finishesChunksInProgressWhenStopped() throws {
    var written: [Int] = []
    let isWhole = try Pipeline.run(
      0..<500, workers: 2, shouldStop: { written.count >= 10 }, makeWorker: { { $0 } }, write: { written += $0 })
    #expect(!isWhole)
    #expect(written == Array(0..<written.count) && (10...15).contains(written.count))
  }

  /// However slow writing is, at most a window of chunks is in progress.
  @Test(arguments: [(1, nil), (2, nil), (3, 1), (2, 3)] as [(Int, Int?)])
  func holdsWorkersBackUntilChunksAreWritten(workers: Int, ahead: Int?) throws {
    var (read, written, most) = (0, 0, 0)
    let chunks = (0..<60).lazy.map { index in
      read += 1
      most = max(most, read - written)
      return index
    }
    try Pipeline.run(
      chunks, workers: workers, ahead: ahead, makeWorker: { { $0 } }, write: { written += $0.count })
    #expect(most == ahead ?? 2 * workers)
    #expect(read == 60 && written == 60)
  }

  @Test func finishesWithoutChunks() throws {
    #expect(try Pipeline.run([Int](), workers: 2, makeWorker: { { $0 } }, write: { _ in }))
  }
}
