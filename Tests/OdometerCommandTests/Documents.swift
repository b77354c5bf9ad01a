import Jobs
import OdometerCommand
import Tables

/// The parts of docs/ that come from the program's own tables, as Markdown.
enum Documents {
  /// By the name that marks them: `<!-- exit-codes -->` … `<!-- /exit-codes -->`.
  static var parts: [String: String] {
    ["exit-codes": exitCodes, "commands": commands, "keys": keys, "tables": tables]
  }

  private static var exitCodes: String {
    table(["code", "meaning"], ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })
  }

  /// From the first two lines of each command's help.
  private static var commands: String {
    table(
      ["command", "what it does"],
      Program.commandNames.map { name in
        let help = Printed("help", name).output.split(separator: "\n")
        let usage = help[1].replacing("Usage: odometer ", with: "").replacing(" [options]", with: "")
        return ["`\(usage)`", String(help[0].dropLast())]
      })
  }

  private static var keys: String {
    let kinds = JobKind.allCases.map { kind in
      "### Kind `\(kind.rawValue)`\n\n\(sentence(kind.summary)).\n\n\(table(KeyHelp.own(of: kind)))"
    }
    return "### Every kind\n\n\(table(KeyHelp.shared))\n\n" + kinds.joined(separator: "\n\n")
  }

  private static var tables: String {
    TableHelp.all.map { description, kinds in
      let columns = description.columns.map { ["`\($0.name)`", $0.type, $0.note] }
      return """
        ### `\(description.name)`

        \(sentence(KeyHelp.kinds(kinds))): one row per \(description.summary).

        \(table(["column", "type", "meaning"], columns))
        """
    }.joined(separator: "\n\n")
  }

  private static func table(_ keys: [JobKeyDescription]) -> String {
    table(
      ["key", "meaning", "expected", "default"],
      keys.map { key in
        let text = key.setting.defaultText ?? "required"
        let isValue = if case .value = key.setting.absence { true } else { false }
        return ["`\(key.name)`", key.setting.summary, key.setting.expected, isValue ? "`\(text)`" : text]
      })
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { cells in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
