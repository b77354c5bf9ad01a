import Foundation

/// The version that `--version` and table `job` tell.
let version = "0.1.0"

@main
enum Main {
  private static var commands: [any Command.Type] {
    [
      RunCommand.self, RouteCommand.self, ETACommand.self, NetworkBuildCommand.self, NetworkInfoCommand.self,
      CoverageCheckCommand.self, CoverageMakeCommand.self, ReportCommand.self, VerifyCommand.self, CompareCommand.self,
      BenchCommand.self,
    ]
  }

  static func main() {
    // A file that may not grow any more is an error like any other, not the end.
    signal(SIGXFSZ, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ words: [String]) -> ExitCode {
    switch words.first {
    case nil, "help", "--help", "-h":
      print(help)
      return words.isEmpty ? .usage : .finished
    case "--version":
      print("odometer \(version)")
      return .finished
    default: break
    }
    guard let command = commands.first(where: { words.starts(with: $0.name.split(separator: " ").map(String.init)) })
    else {
      let families = ["network": "network: say build or info", "coverage": "coverage: say check or make"]
      let first = families[words[0]] ?? "there is no command \(words[0])"
      note("\(first). \(commandList) Try odometer --help.")
      return .usage
    }
    let rest = Array(words.dropFirst(command.name.split(separator: " ").count))
    if rest.contains("--help") || rest.contains("-h") {
      print(command.help)
      return .finished
    }
    do {
      return try command.run(
        Arguments(rest, options: command.options, operands: command.operands, command: command.name))
    } catch {
      note("\(error)")
      return ExitCode(error)
    }
  }

  private static var commandList: String { "Commands: \(commands.map { $0.name }.joined(separator: ", "))." }

  private static var help: String {
    let width = commands.map { ($0.name + " " + $0.operands.joined(separator: " ")).count }.max()! + 2
    let lines = commands.map { command in
      let words = ([command.name] + command.operands).joined(separator: " ")
      return "  \(words)\(String(repeating: " ", count: width - words.count))\(command.summary)"
    }
    return """
      Odometer measures origin–destination pairs on an OpenStreetMap extract: distances, times and steps, by the million,
      on your own machine.

      Usage: odometer COMMAND [options]

      \(lines.joined(separator: "\n"))

      odometer COMMAND --help tells more; odometer --version tells the version.

      Begin with:  odometer route 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf
      """
  }
}
