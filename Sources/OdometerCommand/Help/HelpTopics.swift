import Jobs
import Results

/// What `odometer help TOPIC` can describe.
enum HelpTopics {
  /// Everything of that name: a command, a kind of job and a key may share one.
  static func texts(about topic: String) -> [String] {
    [
      Program.commands.first { $0.name == topic }?.help,
      families.contains(topic) ? Overview.family(topic) : nil,
      lists[topic],
      JobKind(rawValue: topic).map(KindHelp.text),
      KeyHelp.text(topic),
    ].compactMap(\.self)
  }

  /// Every topic, for completions and suggestions.
  static var names: [String] {
    var seen: Set<String> = []
    let all =
      Program.commandNames + families + lists.keys.sorted() + JobKind.allCases.map(\.rawValue) + Job.keys.map(\.name)
    return all.filter { seen.insert($0).inserted }
  }

  static var families: [String] {
    var seen: Set<String> = []
    return Program.commands.compactMap { $0.family }.filter { seen.insert($0).inserted }
  }

  private static var lists: [String: String] {
    [
      "exit-codes": "Exit codes:\n\(ExitCode.table(ExitCode.allCases))",
      "kinds": "Kinds of jobs:\n\(KindHelp.list)",
      "keys": HelpText.reflowed(KeyHelp.list),
    ]
  }
}
