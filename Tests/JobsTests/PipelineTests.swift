import Foundation
import Synchronization
import Testing

import Jobs

struct PipelineTests {
  @Test(arguments: [1, 2, 7])
  func writesAnswersInTheOrderOfTheChunks(workers: Int) throws {
    var written: [Int] = []
    let isWhole = try Pipeline.run(
      0..<500, workers: workers,
      makeWorker: {
        { number in
          if number % 7 == 0 { usleep(200) }
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

  @Test func finishesWhatIsUnderWayWhenStopped() throws {
    var written: [Int] = []
    let isWhole = try Pipeline.run(
      0..<500, workers: 2, shouldStop: { written.count >= 10 }, makeWorker: { { $0 } }, write: { written += $0 })
    #expect(!isWhole)
    #expect(written == Array(0..<written.count) && (10...15).contains(written.count))
  }

  /// However slow writing is, no more than the window is alive.
  @Test(arguments: [(1, nil), (2, nil), (3, 1), (2, 3)] as [(Int, Int?)])
  func holdsWorkersBackWhenWritingIsSlow(workers: Int, ahead: Int?) throws {
    let alive = Mutex((now: 0, most: 0))
    try Pipeline.run(
      0..<60, workers: workers, ahead: ahead,
      makeWorker: {
        { number in
          alive.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
          }
          return number
        }
      },
      write: { answers in
        usleep(2000)
        alive.withLock { $0.now -= answers.count }
      })
    let most = alive.withLock { $0.most }
    #expect(most <= ahead ?? 2 * workers)
  }

  @Test func finishesWithoutAnyChunks() throws {
    #expect(try Pipeline.run([Int](), workers: 2, makeWorker: { { $0 } }, write: { _ in }))
  }
}
