import Foundation
import TestMaps
import Testing

/// Peak memory per additional pair, which limits input size. `MEMORY_PAIRS=1000000` takes two minutes.
@Suite(.serialized, .enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct MemoryTests {
  private static let pairs = ProcessInfo.processInfo.environment["MEMORY_PAIRS"].flatMap(Int.init) ?? 0

  /// Returns the peak memory in bytes of a job with a number of pairs, all between different places without ids.
  private func peak(_ kind: String, pairs: Int) throws -> Int {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var random = SeededGenerator(seed: 1)
    var table = "o_lon,o_lat,d_lon,d_lat\n"
    func number(_ range: ClosedRange<Int>) -> String { "\(Double(Int.random(in: range, using: &random)) / 1e7)" }
    for _ in 0..<pairs {
      table += (0..<2).map { _ in "\(number(0...27_000)),\(number(-20_000...20_000))" }.joined(separator: ",") + "\n"
    }
    try scratch.write(table, to: "pairs.csv")
    try scratch.write(TestMap("a-b-c-d").way("abcd").opl, to: "map.opl")
    try scratch.write(
      "{ kind: '\(kind)', map: 'map.opl', transportType: 'walking', output: 'out', pairs: 'pairs.csv', snapLimit: 1000 }",
      to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", "--quiet", "--workers", "2", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    let peaks = scratch.text("out/log.jsonl").matches(of: #/"peak_memory_bytes":(\d+)/#).compactMap { Int($0.1) }
    return try #require(peaks.max())
  }

  /// With shorter tables, the doubling of growing arrays would dominate.
  @Test(.enabled(if: pairs > 0, "for make test-all: MEMORY_PAIRS"), arguments: [("etas", 1, 120), ("routes", 4, 140)])
  func memoryPerPairIsBounded(kind: String, share: Int, most: Int) throws {
    let pairs = MemoryTests.pairs / share
    let growth = try peak(kind, pairs: 2 * pairs) - peak(kind, pairs: pairs)
    #expect(growth <= most * pairs, "\(Double(growth) / Double(pairs)) bytes per pair of \(kind)")
  }
}
