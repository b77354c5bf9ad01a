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
  var memory: Int? {
    values { folder in
      let most = ControlGroups.words(of: "\(folder)/memory.max").first.flatMap { Int($0) }
      return most.map {
        max(0, $0 - (ControlGroups.words(of: "\(folder)/memory.current").first.flatMap { Int($0) } ?? 0))
      }
    }.min()
  }

  private func values<Value>(_ value: (String) -> Value?) -> [Value] { folders.compactMap(value) }

  private static func words(of file: String) -> [Substring] {
    (try? String(contentsOfFile: file, encoding: .utf8))?.split { $0.isWhitespace } ?? []
  }
}

extension ControlGroups {
  /// How many threads this process can keep busy: the cores that it may run on (taskset), as far as its groups let it.
  package static var workers: Int { ControlGroups().workers(of: ProcessInfo.processInfo.activeProcessorCount) }

  package func workers(of processors: Int) -> Int {
    max(1, min(processors, cores.map { Int($0.rounded(.up)) } ?? .max))
  }
}
