import Foundation

/// The memory limit for a job, or for building a network.
package struct MemoryLimit {
  package var bytes: Int
  /// Whether it is from the job file, rather than the machine.
  var isChosen: Bool

  /// "4 GB" in bytes; nil for other text.
  package static func bytes(_ text: String) -> Int? {
    let units: [(String, Double)] = [("GB", 1e9), ("MB", 1e6), ("GiB", 1_073_741_824), ("MiB", 1_048_576)]
    for (unit, scale) in units where text.hasSuffix(unit) {
      let number = text.dropLast(unit.count).filter { $0 != " " }
      guard let value = Double(number), value > 0, value * scale < 1e15 else { return nil }
      return Int(value * scale)
    }
    return nil
  }

  /// The job's own limit, else the machine's free memory.
  package init(_ chosen: Int?) {
    isChosen = chosen != nil
    bytes = chosen ?? MemoryLimit.available
  }

  /// Memory available without swapping, within the container's limits.
  private static var available: Int {
    let lines = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8))?.split(separator: "\n") ?? []
    let free = lines.first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ").dropFirst().first.flatMap {
      Int($0)
    }
    return min(free.map { $0 * 1024 } ?? .max, ControlGroups().memory ?? .max)
  }

  /// "1.2 GB".
  package static func text(_ bytes: Int) -> String {
    let value = Double(bytes)
    switch value {
    case 1e12...: return "\((value / 1e11).rounded() / 10) TB"
    case 1e9...: return "\((value / 1e8).rounded() / 10) GB"
    default: return "\(Int((value / 1e6).rounded(.up))) MB"
    }
  }
}
