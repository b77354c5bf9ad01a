import Jobs
import Tables

/// What `odometer help TOPIC` can describe.
enum HelpTopics {
  /// Everything of that name: a command, a kind of job and a key may share one.
  static func texts(about topic: String) -> [String] {
    [
      Program.commands.first { $0.name == topic }?.help,
      families.contains(topic) ? Overview.family(topic) : nil,
      lists[topic],
      JobKind(rawValue: topic).map { HelpText.reflowed(KindHelp.text($0)) },
      KeyHelp.text(topic),
      TableHelp.text(topic).map(HelpText.reflowed),
    ].compactMap(\.self)
  }

  /// Every topic, for completions and suggestions.
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
