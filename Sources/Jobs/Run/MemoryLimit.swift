import Foundation

/// The memory limit for a job, or for building a network.
package struct MemoryLimit {
  package var bytes: Int
  /// The origin of the limit, a key or a command; nil for the machine's memory.
  package let origin: String?

  /// Address space that each thread reserves: its stack and its heap.
  private static let threadBytes = 72 << 20

  /// Converts text such as "4 GB" or "512 MiB" to bytes; nil for other text.
  package static func bytes(_ text: String) -> Int? {
    let units: [(String, Double)] = [("GB", 1e9), ("MB", 1e6), ("GiB", 1_073_741_824), ("MiB", 1_048_576)]
    for (unit, scale) in units where text.hasSuffix(unit) {
      let number = text.dropLast(unit.count).filter { $0 != " " }
      guard let value = Double(number), value > 0, value * scale < 1e15 else { return nil }
      return Int(value * scale)
    }
    return nil
  }

  /// Creates the chosen limit, or else one from the machine's free memory; at most the address space minus the part
  /// that workers reserve.
  package init(_ chosen: Int?, workers: Int = 1, addressSpace: Int? = ProcessUse.addressSpace) {
    let memory = chosen ?? MemoryLimit.available
    let space = addressSpace.map { max(0, $0 - workers * MemoryLimit.threadBytes) } ?? .max
    bytes = min(memory, space)
    origin = space < memory ? "ulimit -v" : chosen.map { _ in "the key memory" }
  }

  /// The bytes available without swapping, within the container's limits.
  private static var available: Int {
    let lines = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8))?.split(separator: "\n") ?? []
    let free = lines.first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ").dropFirst().first.flatMap {
      Int($0)
    }
    return min(free.map { $0 * 1024 } ?? .max, ControlGroups().memory ?? .max)
  }

  /// Returns bytes as text, such as "1.2 GB".
  package static func text(_ bytes: Int) -> String {
    let value = Double(bytes)
    switch value {
    case 1e12...: return "\((value / 1e11).rounded() / 10) TB"
    case 1e9...: return "\((value / 1e8).rounded() / 10) GB"
    default: return "\(Int((value / 1e6).rounded(.up))) MB"
    }
  }

  /// Returns free bytes as text, rounded down, in kilobytes if there is less than a megabyte.
  package static func text(free bytes: Int) -> String {
    guard bytes >= 1_000_000 else { return "\(bytes / 1000) kB" }
    let unit = bytes < 1_000_000_000 ? 1_000_000 : bytes < 1_000_000_000_000 ? 100_000_000 : 100_000_000_000
    return text(bytes / unit * unit)
  }
}

/// The limits of this process's control groups: its own group, such as a container's or a systemd unit's, and the
/// groups that contain it.
package struct ControlGroups {
  /// The cgroup2 folders, from the process's own group up.
  private let folders: [String]

  /// - Parameters:
  ///   - root: The mount point of the control groups.
  ///   - membership: The file that names the process's own group.
  package init(root: String = "/sys/fs/cgroup", membership: String = "/proc/self/cgroup") {
    let lines = (try? String(contentsOfFile: membership, encoding: .utf8))?.split(separator: "\n") ?? []
    let path = lines.first { $0.hasPrefix("0::") }?.dropFirst(3) ?? ""
    let names = path.split(separator: "/")
    folders = (0...names.count).reversed().map { ([root[...]] + names.prefix($0)).joined(separator: "/") }
  }

  /// The maximum number of cores; nil without a limit.
  package var cores: Double? {
    values { folder in
      let words = ControlGroups.words(of: "\(folder)/cpu.max")
      guard words.count == 2, let quota = Double(words[0]), let period = Double(words[1]), period > 0 else {
        return nil
      }
      return quota / period
    }.min()
  }

  /// The remaining bytes; nil without a limit.
  package var memory: Int? {
    values { folder in
      let maximum = ControlGroups.words(of: "\(folder)/memory.max").first.flatMap { Int($0) }
      let used = ControlGroups.words(of: "\(folder)/memory.current").first.flatMap { Int($0) } ?? 0
      return maximum.map { max(0, $0 - max(0, used - ControlGroups.reclaimable(in: folder))) }
    }.min()
  }

  /// Returns the bytes of page cache that the system can free, such as the pages of a map that was read.
  private static func reclaimable(in folder: String) -> Int {
    let words = words(of: "\(folder)/memory.stat")
    return zip(words, words.dropFirst()).reduce(0) { sum, pair in
      ["inactive_file", "active_file"].contains(pair.0) ? sum + (Int(pair.1) ?? 0) : sum
    }
  }

  private func values<Value>(_ value: (String) -> Value?) -> [Value] { folders.compactMap(value) }

  private static func words(of file: String) -> [Substring] {
    (try? String(contentsOfFile: file, encoding: .utf8))?.split { $0.isWhitespace } ?? []
  }
}

extension ControlGroups {
  /// The number of threads that this process can run in parallel: the cores it may run on, within its groups' limits.
  package static var workers: Int {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return ControlGroups().workers(of: min(processors, affinity() ?? processors))
  }

  /// Returns the number of cores in the affinity mask (sched_setaffinity, which `taskset` and `AllowedCPUs` set); nil
  /// if unknown. Foundation counts all online cores.
  ///
  /// - Parameter status: The file with the mask.
  package static func affinity(status: String = "/proc/self/status") -> Int? {
    let lines = (try? String(contentsOfFile: status, encoding: .utf8))?.split(separator: "\n") ?? []
    let name = "Cpus_allowed_list:"
    guard let list = lines.first(where: { $0.hasPrefix(name) })?.dropFirst(name.count) else { return nil }
    // In the format 0-3,8.
    let counts = list.split(separator: ",").map { range in
      let ends = range.split(separator: "-").map { Int($0.filter { $0.isNumber }) ?? -1 }
      return ends.count == 2 ? ends[1] - ends[0] + 1 : ends == [-1] ? 0 : 1
    }
    return counts.isEmpty || !counts.allSatisfy { $0 > 0 } ? nil : counts.reduce(0, +)
  }

  /// Returns the number of threads that the groups' limits allow on `processors` cores, at least one.
  package func workers(of processors: Int) -> Int {
    max(1, min(processors, cores.map { Int($0.rounded(.up)) } ?? .max))
  }
}
