import Foundation
import Geography
import Jobs

/// The result of a benchmark scenario: a row of the benchmark's table.
package struct BenchmarkResult: Sendable, Encodable {
  package var scenario: String
  /// The counted unit, such as "cells" or "routes".
  package var unit: String
  package var count: Int
  /// Wall-clock seconds of the runs after warming up.
  package var median: Double
  package var minimum: Double
  package var maximum: Double
  /// CPU seconds of all threads in the median run.
  package var cpu: Double
  /// CPU seconds of each run after warming up, in order.
  var cpuRuns: [Double]
  package var perSecond: Double
  /// Peak memory of the program so far, in MiB.
  package var peakMegabytes: Double
  package var bytesPerCell: Double?
  /// A checksum of the answers: the same in every run, on every machine.
  package var checksum: UInt64
  /// The number of answers compared with the oracle; nil if none.
  package var checked: Int?
  package var note: String

  /// The keys of the JSON output, which stay the same if a property is renamed.
  private enum CodingKeys: String, CodingKey {
    case scenario = "scene"
    case unit, count, median
    case minimum = "least"
    case maximum = "most"
    case cpu, cpuRuns, perSecond, peakMegabytes, bytesPerCell, checksum, checked, note
  }

  /// Runs `body` `warmUp` + `repetitions` times. `body` returns its checksum.
  ///
  /// *Throws*: any error thrown by `body`; `OdometerError` if two runs have different checksums.
  init(
    _ scenario: String, _ count: Int, _ unit: String, repetitions: Int, warmUp: Int, note: String = "",
    _ body: () throws -> UInt64
  ) throws {
    var runs: [(wall: Double, cpu: Double)] = []
    var checksums: Set<UInt64> = []
    for run in 0..<warmUp + max(1, repetitions) {
      let (start, cpu) = (ContinuousClock.now, ProcessUse.cpuSeconds)
      checksums.insert(try body())
      if run >= warmUp { runs.append(((ContinuousClock.now - start) / .seconds(1), ProcessUse.cpuSeconds - cpu)) }
    }
    guard checksums.count == 1 else {
      throw OdometerError(
        "\(scenario): runs differ in their answers: checksums \(checksums.sorted())", cause: .different)
    }
    cpuRuns = runs.map(\.cpu)
    runs.sort { $0.wall < $1.wall }
    let middle = runs[runs.count / 2]
    self.scenario = scenario
    self.unit = unit
    self.count = count
    (median, minimum, maximum, cpu) = (middle.wall, runs[0].wall, runs[runs.count - 1].wall, middle.cpu)
    perSecond = Double(count) / max(median, 1e-9)
    peakMegabytes = Double(ProcessUse.peakBytes) / 1_048_576
    checksum = checksums.first!
    self.note = note
  }
}

extension BenchmarkResult {
  /// Returns a human-readable time: "812.0 µs", "3.42 ms", "12.50 s".
  package static func seconds(_ value: Double) -> String {
    if value < 0.001 { return String(format: "%.1f µs", value * 1e6) }
    return value < 1 ? String(format: "%.2f ms", value * 1000) : String(format: "%.2f s", value)
  }

  /// The machine: "AMD EPYC 9654, 96 cores".
  package static var machine: String {
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
    let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return "\(model?.trimmingPrefix(" ") ?? "unknown processor"), \(cores.counted("core"))"
  }
}
