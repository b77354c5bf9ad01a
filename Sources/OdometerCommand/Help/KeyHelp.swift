import Jobs
import Results
import Settings

/// Keys of job files, as help shows them.
enum KeyHelp {
  /// Those that every kind has.
  static let shared = Job.keys.filter { $0.kinds == JobKind.allCases }

  /// Those that not every kind has, the required ones first.
  static func own(of kind: JobKind) -> [JobKeyDescription] {
    let own = kind.keys.filter { $0.kinds != JobKind.allCases }
    return own.filter(\.setting.isRequired) + own.filter { !$0.setting.isRequired }
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
    return "\(HelpTable.wrapped(head, HelpTable.width).joined(separator: "\n"))\n\n\(HelpTable(rows))"
  }

  /// What a key means, with the words that it takes unless its summary has them.
  static func meaning(_ setting: SettingDescription) -> String {
    let isComplete = setting.choices.allSatisfy(setting.summary.contains) || setting.choices == ["true", "false"]
    return isComplete ? setting.summary : "\(setting.summary): \(setting.choices.joined(separator: ", "))"
  }

  static func absence(_ setting: SettingDescription) -> String {
    setting.defaultText.map { "default: \($0)" } ?? "required"
  }

  static func kinds(_ kinds: [JobKind]) -> String {
    guard kinds != JobKind.allCases else { return "every kind" }
    return "\(kinds.count == 1 ? "kind" : "kinds") \(kinds.map(\.rawValue).joined(separator: ", "))"
  }
}
