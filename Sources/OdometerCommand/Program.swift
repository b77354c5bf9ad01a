import Foundation
import Settings
import StreetNetwork

/// The program: a command line in; text on a console and an exit code out.
package struct Program {
  /// What `--version` prints and table `job` records.
  package static let version = "0.1.0"

  static var commands: [any Command.Type] {
    [
      RunCommand.self, MergeCommand.self, RouteCommand.self, ETACommand.self, MatchCommand.self, CalibrateCommand.self,
      NetworkBuildCommand.self, NetworkInfoCommand.self, NetworkInstallCommand.self, NetworkCheckCommand.self,
      NetworkListCommand.self, NetworkCleanCommand.self,
      CoverageCheckCommand.self, CoverageMakeCommand.self,
      ReportCommand.self,
      VerifyCommand.self, CompareCommand.self, DiagnoseCommand.self,
      BenchCommand.self, InitCommand.self, HelpCommand.self, CompletionsCommand.self,
    ]
  }

  package static var commandNames: [String] { commands.map { $0.name } }

  /// What a command line can begin with.
  static var firstWords: [String] {
    commands.filter { $0.family == nil }.map { $0.name } + HelpTopics.families
  }

  private let console: Console

  package init(console: Console) { self.console = console }

  /// The process's whole work, with its own streams and signals; its exit code.
  package static func main(_ words: [String]) -> Int32 {
    // A file that may not grow any more is an error like any other, not the end.
    signal(SIGXFSZ, SIG_IGN)
    // A closed pipe (head) ends what is written to stdout (StandardOutput), and loses what is said on stderr.
    signal(SIGPIPE, SIG_IGN)
    return StreetNetwork.endingWhereFilesAreWrittenTo(code: ExitCode.input.rawValue) {
      Interruption.heeded { Program(console: .standard).run(words).rawValue }
    }
  }

  /// Runs the command that the words name.
  package func run(_ words: [String]) -> ExitCode {
    do {
      return try dispatch(words)
    } catch let error as StandardOutput.Failure where error.isClosed {
      // As any program in a pipe ends.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
      return .output
    } catch {
      let code = ExitCode(error)
      console.note(code.sentence(about: error))
      return code
    }
  }

  private func dispatch(_ words: [String]) throws -> ExitCode {
    // What is not UTF-8 comes with this letter in place of the bytes, and would name another file.
    if let word = words.first(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
      throw UsageError("got \(word), which is not UTF-8; rename the file")
    }
    guard let first = words.first else {
      try console.print(Overview.text)
      return .usage
    }
    if first == "--version" {
      try console.print("odometer \(Program.version)")
      return .finished
    }
    if first == Completions.name {
      for line in Completions.lines(Array(words.dropFirst())) { try console.print(line) }
      return .finished
    }
    if Program.asksForHelp([first]) {
      try console.print(Overview.text)
      return .finished
    }
    guard let command = Program.command(words) else { return try family(first, Array(words.dropFirst())) }
    let rest = Array(words.dropFirst(command.words.count))
    if Program.asksForHelp(rest) {
      try console.print(command.help)
      return .finished
    }
    let arguments: Arguments
    do {
      arguments = try Arguments(rest, for: command)
    } catch {
      // What counts on figures of each night learns of a wrong command line, too.
      if command.options.contains(RunCommand.metrics) { MetricsFile(of: rest)?.write(ExitCode(error), nil, console) }
      throw error
    }
    return try command.run(arguments, console)
  }

  /// A first word that is no command by itself: "network".
  private func family(_ name: String, _ rest: [String]) throws -> ExitCode {
    let members = Program.commands.filter { $0.family == name }
    guard !members.isEmpty else {
      let question = Suggestion.question(name, of: Program.firstWords + ["--help", "--version"])
      throw UsageError(
        "unknown command \(name)\(question.isEmpty ? "; odometer --help lists the commands" : question)")
    }
    if Program.asksForHelp(rest) {
      try console.print(Overview.family(name))
      return .finished
    }
    let names = members.compactMap { $0.words.last }
    let question = rest.first.map { Suggestion.question($0, of: names) } ?? ""
    let expected = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    throw UsageError("\(name): got \(rest.first ?? "nothing"), expected \(expected)\(question)")
  }

  /// What is wrong with a command line, as far as that can be seen without running it.
  package static func problem(with words: [String]) -> String? {
    if asksForHelp(words) || words == ["--version"] { return nil }
    guard let command = command(words) else { return "no such command" }
    do {
      _ = try Arguments(Array(words.dropFirst(command.words.count)), for: command)
      return nil
    } catch {
      return "\(error)"
    }
  }

  static func command(_ words: [String]) -> (any Command.Type)? {
    commands.first { words.starts(with: $0.words) }
  }

  private static func asksForHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }
}
