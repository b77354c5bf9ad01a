import Jobs
import Tables

/// A job file to fill in: every key of a kind, with what it means.
enum JobTemplate {
  static func text(_ kind: JobKind) -> String {
    let keys = kind.keys
    let required = keys.filter(\.setting.isRequired).map { key in
      entry(key, value: key.name == "kind" ? "\"\(kind.rawValue)\"" : key.setting.example, mark: "")
    }
    let optional = keys.filter { !$0.setting.isRequired }.map { key -> String in
      guard case .value(let value) = key.setting.absence else {
        return entry(key, value: key.setting.example, mark: "// ")
      }
      return entry(key, value: value, mark: "// ")
    }
    return """
      // Kind \(kind.rawValue): \(kind.summary).
      // Run it with odometer run FILE; odometer help KEY says more about a key.
      {
      \(required.joined(separator: "\n"))

        // Optional keys, as comments.

      \(optional.joined(separator: "\n"))
      }
      """
  }

  private static func entry(_ key: JobKeyDescription, value: String, mark: String) -> String {
    let setting = key.setting
    let words = KeyHelp.words(of: setting).map { [$0] } ?? []
    let notes = words + (setting.isRequired ? [] : [KeyHelp.absence(setting)])
    let suffix = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    let comment = HelpText.wrapped(setting.summary + suffix, HelpText.width - 5)
    return comment.map { "  // \($0)\n" }.joined() + "  \(mark)\(key.name): \(value),"
  }
}
