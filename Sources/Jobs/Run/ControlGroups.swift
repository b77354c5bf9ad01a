import Foundation

/// What the control groups of this process allow: its own, of a container or a unit, and those around it.
package struct ControlGroups {
  /// Of cgroup2, from the process's own group up.
  private let folders: [String]

  /// - Parameters:
  ///   - root: Where they are mounted.
  ///   - membership: The file that names the process's own.
  package init(root: String = "/sys/fs/cgroup", membership: String = "/proc/self/cgroup") {
    let lines = (try? String(contentsOfFile: membership, encoding: .utf8))?.split(separator: "\n") ?? []
    let own = lines.first { $0.hasPrefix("0::") }?.dropFirst(3) ?? ""
    let names = own.split(separator: "/")
    folders = (0...names.count).reversed().map { ([root[...]] + names.prefix($0)).joined(separator: "/") }
  }

  /// How many cores they let it use at once; nil where they do not say.
  package var cores: Double? {
    values { folder in
      let words = ControlGroups.words(of: "\(folder)/cpu.max")
      guard words.count == 2, let quota = Double(words[0]), let period = Double(words[1]), period > 0 else {
        return nil
      }
      return quota / period
    }.min()
  }

  /// How many more bytes they let it hold; nil where they do not say.
  package var memory: Int? {
    values { folder in
      let most = ControlGroups.words(of: "\(folder)/memory.max").first.flatMap { Int($0) }
      let used = ControlGroups.words(of: "\(folder)/memory.current").first.flatMap { Int($0) } ?? 0
      return most.map { max(0, $0 - max(0, used - ControlGroups.reclaimable(in: folder))) }
    }.min()
  }

  /// Bytes of files that the system lets go of when memory is wanted: a map that was read.
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
  /// How many threads this process can keep busy: the cores that it may run on (taskset), as far as its groups let it.
  package static var workers: Int {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return ControlGroups().workers(of: min(processors, affinity() ?? processors))
  }

  /// How many cores this process may run on (sched_setaffinity, which `taskset` and `AllowedCPUs` set); nil where the
  /// system does not say. Foundation counts all that are on.
  ///
  /// - Parameter status: The file in which it says so.
  package static func affinity(status: String = "/proc/self/status") -> Int? {
    let lines = (try? String(contentsOfFile: status, encoding: .utf8))?.split(separator: "\n") ?? []
    let name = "Cpus_allowed_list:"
    guard let list = lines.first(where: { $0.hasPrefix(name) })?.dropFirst(name.count) else { return nil }
    // As 0-3,8.
    let counts = list.split(separator: ",").map { range in
      let ends = range.split(separator: "-").map { Int($0.filter { $0.isNumber }) ?? -1 }
      return ends.count == 2 ? ends[1] - ends[0] + 1 : ends == [-1] ? 0 : 1
    }
    return counts.isEmpty || !counts.allSatisfy { $0 > 0 } ? nil : counts.reduce(0, +)
  }

  package func workers(of processors: Int) -> Int {
    max(1, min(processors, cores.map { Int($0.rounded(.up)) } ?? .max))
  }
}
