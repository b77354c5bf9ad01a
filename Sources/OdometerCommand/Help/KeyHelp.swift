import Jobs
import Settings
import Tables

/// Keys of job files, as help shows them.
package enum KeyHelp {
  /// Those that every kind has.
  package static let shared = Job.keys.filter { $0.kinds == JobKind.allCases }

  /// Those that not every kind has, the required ones first.
  package static func own(of kind: JobKind) -> [JobKeyDescription] {
    let own = kind.keys.filter { $0.kinds != JobKind.allCases }
    return own.filter(\.setting.isRequired) + own.filter { !$0.setting.isRequired }
  }

  /// Every key of job files.
  static var list: String {
    let kinds = JobKind.allCases.map { kind in
      "Kind \(kind.rawValue), \(kind.summary):\n\(table(own(of: kind)))"
    }
    return """
      Keys of every kind:
      \(table(shared))

      \(kinds.joined(separator: "\n\n"))
      """
  }

  /// One line per key.
  static func table(_ keys: [JobKeyDescription]) -> String {
    HelpTable(keys.map { ($0.name, "\(meaning($0.setting)) (\(absence($0.setting)))") }).description
  }

  /// All about the keys of one name; nil where there are none.
  static func text(_ name: String) -> String? {
    let keys = Job.keys.filter { $0.name == name }
    return keys.isEmpty ? nil : keys.map(text).joined(separator: "\n\n")
  }

  private static func text(_ key: JobKeyDescription) -> String {
    let setting = key.setting
    let rows = [
      ("expected", setting.expected), ("default", setting.defaultText ?? "none, the key is required"),
      ("example", "\(setting.name): \(setting.example)"),
    ]
    let head = "Key \(setting.name) of job files (\(kinds(key.kinds))): \(setting.summary)."
    return "\(HelpText.wrapped(head).joined(separator: "\n"))\n\n\(HelpTable(rows))"
  }

  /// What a key means, with the words that it takes where its summary names none of them.
  static func meaning(_ setting: SettingDescription) -> String {
    words(of: setting).map { "\(setting.summary): \($0)" } ?? setting.summary
  }

  /// "automobile, walking or cycling"; nil where any text will do, or the summary names the words.
  static func words(of setting: SettingDescription) -> String? {
    let words = setting.choices.filter { !["true", "false"].contains($0) }
    guard let last = words.last, !words.contains(where: setting.summary.contains) else { return nil }
    return words.count == 1 ? last : "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }

  static func absence(_ setting: SettingDescription) -> String {
    setting.defaultText.map { "default: \($0)" } ?? "required"
  }

  package static func kinds(_ kinds: [JobKind]) -> String {
    guard kinds != JobKind.allCases else { return "every kind" }
    return "\(kinds.count == 1 ? "kind" : "kinds") \(kinds.map(\.rawValue).joined(separator: ", "))"
  }
}
