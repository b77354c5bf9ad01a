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

  /// The commands by purpose.
  private static var groups: String {
    CommandGroup.allCases.map { group in "\(group.rawValue):\n\(list(Program.commands.filter { $0.group == group }))" }
      .joined(separator: "\n\n")
  }

  /// "network": the commands of the family.
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

/// The purposes of commands, in the order of help.
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
