import Foundation
import Geography
import Jobs
import Routing
import Settings
import StreetNetwork
import Tables
import TransitNetwork

/// The program: runs a command line, prints to a console and returns an exit code.
package struct Program {
  /// The version for `--version` and table `job`.
  package static let version = "0.1.0"

  static var commands: [any Command.Type] {
    [
      RunCommand.self, MergeCommand.self, RouteCommand.self, ETACommand.self, MatchCommand.self, CalibrateCommand.self,
      NetworkBuildCommand.self, NetworkInfoCommand.self, NetworkInstallCommand.self, NetworkCheckCommand.self,
      NetworkListCommand.self, NetworkCleanCommand.self,
      CoverageCheckCommand.self, CoverageMakeCommand.self,
      ReportCommand.self, IndexCommand.self,
      VerifyCommand.self, CompareCommand.self, DiagnoseCommand.self,
      BenchCommand.self, InitCommand.self, HelpCommand.self, CompletionsCommand.self,
    ]
  }

  package static var commandNames: [String] { commands.map { $0.name } }

  /// The possible first words of a command line.
  static var firstWords: [String] { commands.filter { $0.family == nil }.map { $0.name } + HelpTopics.families }

  private let console: Console

  package init(console: Console) { self.console = console }

  /// Runs a command line with the process's streams and signals, and returns the exit code.
  package static func main(_ words: [String]) -> Int32 {
    // Prevents files from taking the descriptor of a closed standard stream; writing to the stream still fails.
    var file: Int32
    repeat { file = open("/dev/null", O_RDONLY) } while (0...STDERR_FILENO).contains(file)
    if file >= 0 { close(file) }
    // Makes writing beyond the file size limit an error instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    // A closed pipe, as with `| head`, ends output to stdout (StandardOutput) and discards messages on stderr.
    signal(SIGPIPE, SIG_IGN)
    let beforeExit: @Sendable () -> Void = { _ = Interruption.beforeExit.withLock { $0 }?(.input) }
    return StreetNetwork.exitingIfFilesChange(code: ExitCode.input.rawValue, beforeExit: beforeExit) {
      Interruption.handlingSignals {
        let screen = isatty(STDERR_FILENO) == 1 ? Terminal.width(of: STDERR_FILENO) ?? 80 : nil
        return Program(console: .standard).run(words, on: screen).rawValue
      }
    }
  }

  /// Runs the command named by the words.
  ///
  /// - Parameter screen: The width of the terminal for messages; nil for none.
  package func run(_ words: [String], on screen: Int? = nil) -> ExitCode {
    var console = console.on(screen, isColored: false)
    do {
      let (rest, color) = try Program.color(words)
      let isColored = Terminal.isColored(color, ProcessInfo.processInfo.environment, isTerminal: screen != nil)
      console = console.on(screen, isColored: isColored)
      return try Program(console: console).dispatch(rest)
    } catch let error as StandardOutput.Failure where error.isClosed {
      // The usual behaviour of a program in a pipe.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
      return .output
    } catch {
      let code = ExitCode(error)
      console.fail(code.sentence(about: error))
      return code
    }
  }

  /// Removes `--color WHEN`, which is valid for every command, and returns its value. *Throws*: `OdometerError`.
  private static func color(_ words: [String]) throws -> (rest: [String], choice: String) {
    let choices = ["auto", "always", "never"]
    let own = words.prefix { $0 != "--" }
    guard let index = own.firstIndex(where: { $0 == "--color" || $0.hasPrefix("--color=") }) else {
      return (words, choices[0])
    }
    let isSeparate = words[index] == "--color"
    let value = isSeparate ? words.dropFirst(index + 1).first : String(words[index].dropFirst("--color=".count))
    guard let value, choices.contains(value) else {
      throw .usage("--color: got \(value ?? "nothing"), expected \(choices.alternatives)")
    }
    var rest = words
    rest.removeSubrange(index...(isSeparate ? index + 1 : index))
    return (rest, value)
  }

  private func dispatch(_ words: [String]) throws -> ExitCode {
    // Invalid UTF-8 arrives as this replacement character, and would name another file.
    if let word = words.first(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
      throw .usage("got \(word), which is not UTF-8; rename the file")
    }
    guard let first = words.first else {
      try console.print(Overview.text)
      return .usage
    }
    if first == "--version" { return try console.finish("odometer \(Program.version)") }
    if first == Completions.name {
      for line in Completions.lines(Array(words.dropFirst())) { try console.print(line) }
      return .finished
    }
    if Program.asksForHelp([first]) { return try console.finish(Overview.text) }
    guard let command = Program.command(words) else { return try family(first, Array(words.dropFirst())) }
    let rest = Array(words.dropFirst(command.words.count))
    if Program.asksForHelp(rest) { return try console.finish(command.help) }
    let arguments: Arguments
    do {
      arguments = try Arguments(rest, for: command)
    } catch {
      // Monitoring that expects metrics every night must also be notified of an invalid command line.
      if command.options.contains(RunCommand.metrics) { MetricsFile(of: rest)?.write(ExitCode(error), nil, console) }
      throw error
    }
    return try command.run(arguments, console)
  }

  /// Handles a first word that is not a command: a family of commands, such as "network", or an unknown word.
  private func family(_ name: String, _ rest: [String]) throws -> ExitCode {
    let members = Program.commands.filter { $0.family == name }
    guard !members.isEmpty else {
      let question = Suggestion.question(name, of: Program.firstWords + ["--help", "--version"])
      throw .usage("unknown command \(name)\(question.isEmpty ? "; odometer --help lists the commands" : question)")
    }
    if Program.asksForHelp(rest) { return try console.finish(Overview.family(name)) }
    let names = members.compactMap { $0.words.last }
    let question = rest.first.map { Suggestion.question($0, of: names) } ?? ""
    let expected = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    throw .usage("\(name): got \(rest.first ?? "nothing"), expected \(expected)\(question)")
  }

  /// Returns the error in a command line; nil if none can be found without running the command.
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

  static func command(_ words: [String]) -> (any Command.Type)? { commands.first { words.starts(with: $0.words) } }

  private static func asksForHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }
}

enum NetworkCheckCommand: Command {
  static let name = "network check"
  static let summary = "Verify the checksum of a network file"
  static let operands = [Operand.map]
  static let options = [CommonOptions.by, CommonOptions.profile, CommonOptions.cache]
  static let exitCodes: [ExitCode: String] = [
    .usage: "wrong usage, or the profile cannot be used",
    .input: "the network file is missing, corrupt, or of another version",
  ]
  static let details = """
    MAP is a network file, or an extract whose network is built. Other commands verify a file of a megabyte or more only
    when it is new or has changed: FILE.verified, next to the file, records its device, inode, size and times. This
    command always verifies the file, since disks can corrupt data.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let (map, cache) = (arguments.operands[0], arguments.text(CommonOptions.cache))
    let path =
      StreetNetwork.isNetworkFile(map)
      ? map : try StreetNetwork.path(map: map, profile: arguments.profile(of: map), cache: cache)
    let network = try StreetNetwork.check(networkFile: path, cache: path == map ? cache : nil)
    return try console.finish("\(path): intact: \(network.map) by \(network.profile.name), sha-256 \(network.digest)")
  }
}

enum NetworkCleanCommand: Command {
  static let name = "network clean"
  static let summary = "Remove unused network files from a folder"
  static let operands = [Operand.networks]
  static let options = [dryRun]
  static let exitCodes: [ExitCode: String] = [
    .input: "the folder cannot be read", .output: "a file cannot be removed, or standard output cannot be written",
  ]
  static let details = """
    FOLDER is as in network list, which prints why each file is kept. Removes networks in formats of earlier versions,
    networks and timetables if the map or feed next to them has changed, speeds of removed networks, and temporary files
    of interrupted processes that are at least a day old. All of these can be rebuilt. Files that you named yourself,
    and files in unknown formats, are kept.
    """

  private static let dryRun = Option("dry-run", help: "print the files that would be removed; remove nothing")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let folder = try NetworkFolder.withTimetables(arguments.operands.first ?? ".")
    let obsolete = folder.obsolete
    for line in NetworkListCommand.lines(of: obsolete) { try console.print(line) }
    if !arguments.has(dryRun) { try folder.clean() }
    let outcome = arguments.has(dryRun) ? "would be removed" : "removed"
    return try console.finish("\(NetworkListCommand.sum(obsolete)), \(outcome)")
  }
}

enum NetworkInstallCommand: Command {
  static let name = "network install"
  static let summary = "Copy a network file to a local folder, once, and verify the copy"
  static let operands = [Operand("FILE", .file)]
  static let options = [cache]
  static let exitCodes: [ExitCode: String] = [
    .input: "the network file is missing, corrupt or of another version",
    .output: "the copy or standard output cannot be written",
  ]
  static let details = """
    For several processes on one machine that share a network: each process runs this command first and opens the
    printed path.

        map=$(odometer network install /mnt/maps/porto.network --cache /var/cache/odometer)

    If several processes do so at once, one of them writes the copy, verifies its checksum, makes it read-only and
    renames it; the others wait. An existing copy is reused. The name contains the digest of map and profile, so
    commands on the extract with the same --cache find it, too.
    """

  private static let cache = Option("cache", "DIR", .folder, help: "local folder for the copy")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    return try console.finish(StreetNetwork.install(arguments.operands[0], in: arguments.required(cache)))
  }
}

enum CoverageMakeCommand: Command {
  static let name = "coverage make"
  static let summary = "Write a coverage file for the area of a map"
  static let operands = [Operand.map]
  static let options = [output, CommonOptions.by, CommonOptions.profile, CommonOptions.cache]
  static let exitCodes = ExitCode.ofNetworks.merging([
    .output: "not enough memory, or the network file or the coverage file cannot be written"
  ]) { $1 }
  static let details = """
    The file covers all streets on which trips can start, with at most 20 polygons of at most 20 points each, as
    recommended by coverage check.
    """

  private static let output = Option("output", "FILE", .file, help: "file to write (default: stdout)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    // Checked before a network is built.
    if let output = arguments.text(output) { try WrittenFile(output, .coverage).check() }
    let coverage = Coverage(of: try arguments.network(of: arguments.operands[0], console))
    guard let output = arguments.text(output) else { return try console.finish(coverage.geoJSON) }
    try WrittenFile(output, .coverage).write(Array((coverage.geoJSON + "\n").utf8))
    return .finished
  }
}

enum NetworkInfoCommand: Command {
  static let name = "network info"
  static let summary = "Print statistics of a map's network"
  static let operands = [Operand.map]
  static let options = [CommonOptions.by, CommonOptions.profile, CommonOptions.cache, unreadable]
  static let exitCodes = ExitCode.ofNetworks
  private static let unreadable = Option("unreadable", help: "list only the unreadable time-dependent tags")
  static let details = """
    Streets end at junctions; states and arcs form the search graph; upward arcs belong to the hierarchy. Ways that the
    extract cuts off are used up to the cut.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let map = arguments.operands[0]
    let network = try arguments.network(of: map, console)
    let size = FileManager.size(of: network.path) ?? 0
    let file = "\(network.path), \(size / 1024) KiB"
    let rows = [("map", network.mapName), ("profile", network.profile.name), ("network file", file)] + network.facts
    if arguments.has(unreadable) {
      try network.unreadableTags.forEach(console.print)
      return .finished
    }
    for line in TextTable.lines(rows.map { [$0, $1] }, isLeft: { _, _ in true }) { try console.print(line) }
    return .finished
  }
}

enum ETACommand: Command {
  static let name = "eta"
  static let summary = "Print the travel time and distance between two places"
  static let operands = Operand.places
  static let options = CommonOptions.ofPlaces + CommonOptions.ofTimes + [CommonOptions.cache]
  static let exitCodes = ExitCode.ofTrips
  static let details = """
    FROM and TO are latitude,longitude in degrees:

        odometer eta 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf

    Prints one tab-separated line: seconds, metres and, with --depart or --arrive, the seconds spent waiting at closed
    streets and for ferries and trains.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let request = try arguments.request()
    let directions = try arguments.directions(console, for: request.transportType)
    try arguments.checkPlaces(of: request, directions, console)
    let eta = try directions.calculateETAAndWait(request)
    let values =
      [MeasureText.decimal(eta.expectedTravelTime, 3), MeasureText.decimal(eta.distance, 2)]
      + (eta.waitingTime.map { [MeasureText.decimal($0, 3)] } ?? [])
    return try console.finish(values.joined(separator: "\t"))
  }
}

enum DiagnoseCommand: Command {
  static let name = "diagnose"
  static let summary = "Explain one row: the streets near its places, and the tags that close a route"
  static let operands = [Operand.results, Operand("ID")]
  static let options = [CommonOptions.movedMap, CommonOptions.profile, CommonOptions.cache, CommonOptions.workers]
  static let exitCodes: [ExitCode: String] = [
    .usage: "wrong usage, or the profile cannot be used",
    .input: "results cannot be read, or contain no row with this ID",
    .output: "there is not enough memory, or the network file or standard output cannot be written",
  ]
  static let details = """
    RESULTS is a results.sqlite or its folder, of a job of any kind, finished or not; ID is the id of a pair, an origin,
    a destination, a station, a trace or a rejected row. Prints its table rows and, for each place, the nearest ways of
    the map and whether the job may use them: "not used: access=private" names the tag that closes a way. If there is no
    route, the diagnosis names the smallest set of objects that would have to be open for a route to exist: ways, gates
    (nodes) and turn restrictions (relations), by OpenStreetMap id and tag. Among equally small sets it chooses the one
    on the shortest path, where a way of a class that the profile does not use (such as a footway, for cars) counts as a
    kilometre longer.

    Reads the map at the job's path, or at --map; it must be the map that the run used. Time-dependent closures are not
    considered: the diagnosis is for a trip without a departure time.

        odometer diagnose reports/helsinki-walks 17
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    guard !arguments.operands[1].allSatisfy(\.isWhitespace) else {
      throw .usage("ID is empty, expected the id of a row")
    }
    let diagnosis = try RowDiagnosis(
      of: arguments.operands[1], in: database(named: arguments.operands[0]),
      at: arguments.locatedFiles, cache: arguments.text(CommonOptions.cache), workers: arguments.workers(),
      report: console.networkEvents(isQuiet: false))
    return try console.finish(printable(diagnosis.text, atMost: .max))
  }

  /// Returns the database of a folder, whether its run has finished or not. *Throws*: `ResultsError`.
  private static func database(named path: String) throws -> String {
    let folder = ResultsFolder(path: path)
    return folder.isUnfinished && !folder.isFinished
      ? folder.database.unfinished : try ResultsFolder.database(named: path)
  }
}
