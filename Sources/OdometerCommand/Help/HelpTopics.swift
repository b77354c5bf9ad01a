import Foundation
import Geography
import Jobs
import Settings
import Tables

/// The topics of `odometer help TOPIC`.
enum HelpTopics {
  /// Returns all help on a topic: a command, a kind of job and a key may share a name.
  static func sections(about topic: String) -> [String] {
    [
      Program.commands.first { $0.name == topic }?.help,
      families.contains(topic) ? Overview.family(topic) : nil,
      lists[topic],
      JobKind(rawValue: topic).map { HelpText.reflowed(KindHelp.text($0)) },
      KeyHelp.text(topic),
      TableHelp.text(topic).map(HelpText.reflowed),
    ].compactMap(\.self)
  }

  /// All topics, for completions and suggestions.
  static var names: [String] {
    var seen: Set<String> = []
    let all =
      Program.commandNames + families + lists.keys.sorted() + JobKind.allCases.map(\.rawValue) + Job.keys.map(\.name)
      + TableHelp.all.map(\.table.name)
    return all.filter { seen.insert($0).inserted }
  }

  static var families: [String] {
    var seen: Set<String> = []
    return Program.commands.compactMap { $0.family }.filter { seen.insert($0).inserted }
  }

  private static var lists: [String: String] {
    [
      "exit-codes": "Exit codes:\n\(ExitCode.table(ExitCode.meanings))",
      "kinds": "Kinds of jobs:\n\(KindHelp.list)",
      "tables": "Tables of results:\n\(TableHelp.list)",
      "keys": HelpText.reflowed(KeyHelp.list),
    ]
  }
}

/// Kinds of jobs, as shown in help.
enum KindHelp {
  static func text(_ kind: JobKind) -> String {
    """
    Kind \(kind.rawValue): \(kind.summary).

    Keys of this kind:
    \(KeyHelp.table(KeyHelp.own(of: kind)))

    Keys of every kind:
    \(KeyHelp.table(KeyHelp.shared))

    Tables of this kind: \(kind.tables.map(\.name).joined(separator: ", ")) (odometer help TABLE).
    odometer init \(kind.rawValue) prints a job file with all keys.
    """
  }

  static var list: String {
    """
    \(HelpTable(JobKind.allCases.map { ($0.rawValue, $0.summary) }))

    odometer help KIND describes a kind and its keys, odometer init KIND prints a job file.
    """
  }
}

/// Tables of results, as shown in help and documentation.
package enum TableHelp {
  /// The tables of each kind, then the tables of all results; a table shared by several kinds is listed once.
  package static let all: [(table: TableDescription, kinds: [JobKind])] = {
    var all: [(table: TableDescription, kinds: [JobKind])] = []
    for kind in JobKind.allCases {
      for table in kind.tables {
        if let known = all.firstIndex(where: { $0.table.name == table.name }) {
          all[known].kinds.append(kind)
        } else {
          all.append((table, [kind]))
        }
      }
    }
    return all + TableDescription.common.map { ($0, JobKind.allCases) }
  }()

  /// Removes the Markdown code marks of a note, which would appear verbatim on a terminal.
  private static func plain(_ note: String) -> String { note.replacing("`", with: "") }

  /// Returns the full description of a table; nil if there is none with that name.
  static func text(_ name: String) -> String? {
    all.first { $0.table.name == name }.map { table, kinds in
      """
      Table \(table.name) of results (\(KeyHelp.kinds(kinds))): one row per \(plain(table.summary)).

      \(HelpTable(table.columns.map { ($0.name, "\(plain($0.note)) (\($0.type))") }))
      """
    }
  }

  static var list: String {
    "\(HelpTable(all.map { ($0.table.name, "one row per \(plain($0.table.summary))") }))\n\nodometer help TABLE describes its columns."
  }
}

/// Prose, wrapped to the terminal's width.
enum HelpText {
  /// The terminal's width, at most a hundred characters.
  static let width = min(100, Terminal.width(of: STDOUT_FILENO) ?? 100)

  /// Returns lines of whole words, none longer than `width` unless a single word is longer.
  static func wrapped(_ text: String, _ width: Int = width) -> [String] {
    var lines: [String] = []
    for word in words(of: text) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  /// Splits text at spaces, except within an isolated name (`Format.isolated`): a line break would end its direction.
  private static func words(of text: String) -> [String] {
    let (start, end): (Character, Character) = ("\u{2068}", "\u{2069}")
    var (words, isOpen) = ([String](), false)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if isOpen { words[words.count - 1] += " " + word } else { words.append(String(word)) }
      if let mark = word.last(where: { $0 == start || $0 == end }) { isOpen = mark == start }
    }
    return words
  }

  /// Wraps paragraphs; indented lines (examples and tables) are kept unchanged.
  static func reflowed(_ text: String) -> String {
    var lines: [String] = []
    var paragraph: [Substring] = []
    func end() {
      if !paragraph.isEmpty { lines += wrapped(paragraph.joined(separator: " ")) }
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") {
        end()
        lines.append(String(line))
      } else {
        paragraph.append(line)
      }
    }
    end()
    return lines.joined(separator: "\n")
  }
}

/// Names on the left and meanings on the right, wrapped to the terminal's width.
struct HelpTable: CustomStringConvertible {
  private let rows: [(name: String, text: String)]

  init(_ rows: [(name: String, text: String)]) { self.rows = rows }

  var description: String {
    // A long name is on a separate line, so that it does not push all meanings to the right.
    let column = min(28, (rows.map(\.name.count).max() ?? 0) + 4)
    return rows.map { name, text in
      let lines = HelpText.wrapped(text, HelpText.width - column)
      let indent = String(repeating: " ", count: column)
      let head = "  " + name
      let first = head.count + 2 <= column ? head + indent.dropFirst(head.count) : head + "\n" + indent
      return first + lines.joined(separator: "\n" + indent)
    }.joined(separator: "\n")
  }
}

/// Keys of job files, as shown in help.
package enum KeyHelp {
  package static let shared = Job.keys.filter { $0.kinds == JobKind.allCases }

  /// Returns the keys that are not shared by all kinds, required keys first.
  package static func own(of kind: JobKind) -> [JobKeyDescription] {
    let own = kind.keys.filter { $0.kinds != JobKind.allCases }
    return own.filter(\.setting.isRequired) + own.filter { !$0.setting.isRequired }
  }

  static var list: String {
    let kinds = JobKind.allCases.map { kind in "Kind \(kind.rawValue), \(kind.summary):\n\(table(own(of: kind)))" }
    return """
      Keys of every kind:
      \(table(shared))

      \(kinds.joined(separator: "\n\n"))
      """
  }

  static func table(_ keys: [JobKeyDescription]) -> String {
    HelpTable(keys.map { ($0.name, "\(meaning($0.setting)) (\(absence($0.setting)))") }).description
  }

  /// Returns the full description of the keys with a name; nil if there are none.
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

  /// Returns the meaning of a key, with its possible values unless the summary lists them.
  static func meaning(_ setting: SettingDescription) -> String {
    words(of: setting).map { "\(setting.summary): \($0)" } ?? setting.summary
  }

  /// Returns words such as "automobile, walking or cycling"; nil if any string is allowed or the summary lists the
  /// words.
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

/// `odometer --help`, and `--help` of a command family.
enum Overview {
  static var text: String {
    HelpText.reflowed(
      """
      Odometer computes routes, travel times, matrices, accessibility and isochrones on OpenStreetMap extracts,
      for millions of rows, on your own machine.

      Usage: odometer COMMAND [options]

      \(groups)

      odometer COMMAND --help describes a command; odometer --version prints the version.
      Every command has --color auto|always|never; the environment variables NO_COLOR and CLICOLOR_FORCE are respected.

      Start with:
        odometer route 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf
      """)
  }

  /// The commands, grouped by purpose.
  private static var groups: String {
    CommandGroup.allCases.map { group in "\(group.rawValue):\n\(list(Program.commands.filter { $0.group == group }))" }
      .joined(separator: "\n\n")
  }

  /// Returns the help for a family such as "network": its commands.
  static func family(_ name: String) -> String {
    """
    Usage: odometer \(name) COMMAND [options]

    \(list(Program.commands.filter { $0.family == name }))

    odometer \(name) COMMAND --help describes a command.
    """
  }

  private static func list(_ commands: [any Command.Type]) -> String {
    HelpTable(commands.map { (([$0.name] + $0.operands.map(\.usage)).joined(separator: " "), $0.summary) }).description
  }
}

/// The purposes of commands, in the order shown in help.
enum CommandGroup: String, CaseIterable {
  case jobs = "Jobs"
  case results = "Results"
  case trips = "Single trips"
  case maps = "Maps"
  case program = "The program"
}

extension Command {
  static var group: CommandGroup {
    switch name {
    case RunCommand.name, MergeCommand.name, InitCommand.name, CalibrateCommand.name: .jobs
    case ReportCommand.name, IndexCommand.name, VerifyCommand.name, CompareCommand.name, DiagnoseCommand.name: .results
    case RouteCommand.name, ETACommand.name, MatchCommand.name: .trips
    case HelpCommand.name, CompletionsCommand.name, BenchCommand.name: .program
    default: .maps
    }
  }
}

enum HelpCommand: Command {
  static let name = "help"
  static let summary = "Describe a command, a kind of job, a job-file key or a results table"
  static var operands: [Operand] {
    [
      Operand("TOPIC", .choice(HelpTopics.names.filter { !$0.contains(" ") }), isOptional: true),
      Operand("COMMAND", isOptional: true),
    ]
  }
  static let details = """
    TOPIC is a command, a kind of job, a job-file key, a results table, or one of these lists:
    exit-codes, keys, kinds, tables.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let topic = arguments.operands.joined(separator: " ")
    guard !topic.isEmpty else { return try console.finish(Overview.text) }
    let sections = HelpTopics.sections(about: topic)
    guard !sections.isEmpty else {
      let question = Suggestion.question(topic, of: HelpTopics.names)
      throw .usage(
        "no help on \(topic)\(question.isEmpty ? "; expected a command, a kind of job, a job-file key or a results table" : question)"
      )
    }
    return try console.finish(sections.joined(separator: "\n\n"))
  }
}
