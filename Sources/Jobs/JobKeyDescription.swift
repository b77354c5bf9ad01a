import Settings
import Tables

/// The description of a key of job files, for help, documentation and messages.
package struct JobKeyDescription: Sendable {
  package let setting: SettingDescription
  /// The kinds of jobs that use it.
  package fileprivate(set) var kinds: [JobKind]

  package var name: String { setting.name }
}

extension Job {
  /// All keys of job files, in the order in which they are written. A key whose default depends on the kind occurs once
  /// per default.
  package static let keys: [JobKeyDescription] = {
    let kinds = JobKind.allCases.map { ($0, KeyReader.sections(of: $0)) }
    return (0..<3).flatMap { section in
      kinds.reduce(into: [JobKeyDescription]()) { keys, kind in
        for setting in kind.1[section] {
          if let index = keys.firstIndex(where: { $0.setting == setting }) {
            keys[index].kinds.append(kind.0)
          } else {
            keys.append(JobKeyDescription(setting: setting, kinds: [kind.0]))
          }
        }
      }
    }
  }()

  /// Returns an explanation that names the kinds of `key`; nil if `kind` has the key, or no kind does.
  static func kindsHint(for key: String, in kind: JobKind) -> String? {
    let kinds = keys.filter { $0.name == key }.flatMap(\.kinds)
    guard !kinds.isEmpty, !kinds.contains(kind) else { return nil }
    let names = kinds.map(\.rawValue).joined(separator: ", ")
    return "it belongs to \(kinds.count == 1 ? "kind" : "kinds") \(names), but this job is of kind \(kind.rawValue)"
  }
}

extension JobKind {
  /// The keys of jobs of this kind.
  package var keys: [JobKeyDescription] { Job.keys.filter { $0.kinds.contains(self) } }
}
