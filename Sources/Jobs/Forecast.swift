import Foundation
import Results
import StreetNetwork

/// What a job is expected to take, from a few of its own rows computed for the purpose. About: a few ten per cent off,
/// and more where the few rows are not like the rest.
struct Forecast {
  /// Of all rows, on one core.
  var seconds: Double
  /// Bytes held from the beginning to the end.
  var fixedMemory: Int
  /// Bytes of a chunk under way.
  var chunkMemory: Int
  /// Bytes of the results.
  var disk: Int

  /// The program, the database's cache, and the network, whose file is mapped.
  static func base(_ network: StreetNetwork, workers: Int) -> Int {
    let file = (try? FileManager.default.attributesOfItem(atPath: network.path)[.size] as? Int) ?? 0
    return 70 << 20 + file + workers * network.states.arcs.stateCount * 24
  }

  /// Of the database before the first row: tables, the streets to draw upon, the report.
  static let startDisk = 4 << 20
  /// A place as it is read, snapped and written; and as a row of the database.
  static let (placeMemory, placeDisk) = (600, 200)

  /// Seconds of this thread that `body` takes, and what it returns.
  static func timed<R>(_ body: () throws -> R) rethrows -> (seconds: Double, result: R) {
    let start = threadSeconds
    let result = try body()
    return (threadSeconds - start, result)
  }

  private static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// How many rows to try: few of few, so that a small job does not take twice as long.
  static func sample(of rows: Int, atMost most: Int = 64) -> Range<Int> { 0..<min(most, max(1, rows / 16), rows) }

  func description(workers: Int) -> String {
    let wall = seconds / Double(workers)
    let time =
      wall < 1
      ? "less than 1 s"
      : wall < 120 ? "about \(Int(wall.rounded(.up))) s" : "about \(Int((wall / 60).rounded(.up))) min"
    return """
      time: \(time) on \(workers) \(workers == 1 ? "worker" : "workers"), \(Int(seconds.rounded(.up))) s of a core
      memory: about \(MemoryLimit.text(fixedMemory + 2 * workers * chunkMemory)), \
      at least \(MemoryLimit.text(fixedMemory + chunkMemory))
      disk: about \(MemoryLimit.text(disk))
      """
  }
}

/// How much memory a job may use.
struct MemoryLimit {
  var bytes: Int
  /// Whether the job file says so, rather than the machine.
  var isChosen: Bool

  static let allowed = "a size as \"500 MB\" or \"4 GB\""

  /// "4 GB" in bytes; nil for anything else.
  static func bytes(_ text: String) -> Int? {
    let units: [(String, Double)] = [("GB", 1e9), ("MB", 1e6), ("GiB", 1_073_741_824), ("MiB", 1_048_576)]
    for (unit, scale) in units where text.hasSuffix(unit) {
      let number = text.dropLast(unit.count).filter { $0 != " " }
      guard let value = Double(number), value > 0, value * scale < 1e15 else { return nil }
      return Int(value * scale)
    }
    return nil
  }

  /// The job's own limit, else what the machine has to give.
  init(_ chosen: Int?) {
    isChosen = chosen != nil
    bytes = chosen ?? MemoryLimit.available
  }

  /// What the system would give without swapping, and what its container allows.
  private static var available: Int {
    let lines = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8))?.split(separator: "\n") ?? []
    let free = lines.first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ").dropFirst().first.flatMap {
      Int($0)
    }
    func number(_ path: String) -> Int? {
      (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0.filter { !$0.isWhitespace }) }
    }
    let container = number("/sys/fs/cgroup/memory.max").map { $0 - (number("/sys/fs/cgroup/memory.current") ?? 0) }
    return min(free.map { $0 * 1024 } ?? .max, container ?? .max)
  }

  /// "1.2 GB".
  static func text(_ bytes: Int) -> String {
    let value = Double(bytes)
    switch value {
    case 1e12...: return "\((value / 1e11).rounded() / 10) TB"
    case 1e9...: return "\((value / 1e8).rounded() / 10) GB"
    default: return "\(Int((value / 1e6).rounded(.up))) MB"
    }
  }
}

/// Why a job is not begun: it would not fit. One sentence that says what to change.
package struct CapacityError: Error, CustomStringConvertible {
  package var description: String
  package init(description: String) { self.description = description }
}
