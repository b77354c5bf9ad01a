import Foundation
import Jobs
import OdometerCommand
import Tables
import TestMaps
import Testing

struct HelpTests {
  @Test func everySpellingOfHelpPrintsTheSameText() {
    for name in Program.commandNames {
      let words = name.split(separator: " ").map(String.init)
      let help = Printed(words + ["--help"])
      #expect(help.code == .finished && help.error.isEmpty, "\(name)")
      #expect(help.output.contains("\n\nUsage: odometer \(name)"), "\(name)")
      #expect(help.output.contains("\nExit codes:\n  0 "), "\(name)")
      #expect(Printed(words + ["-h"]).output == help.output)
      #expect(Printed(words + ["x", "--help", "--unknown"]).output == help.output)
      #expect(Printed(["help"] + words).output.hasPrefix(help.output.dropLast()))
    }
  }

  @Test func helpFitsATerminal() {
    for name in Program.commandNames + [
      "access", "nearest", "exit-codes", "keys", "kinds", "tables", "route", "isochrone",
    ] {
      for line in Printed("help", name).output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
  }

  @Test(arguments: [["--help"], ["-h"], ["help"]])
  func printsTheOverview(words: [String]) {
    let printed = Printed(words)
    #expect(printed.code == .finished && printed.error.isEmpty)
    for name in Program.commandNames { #expect(printed.output.contains("\n  \(name) "), "\(name)") }
  }

  @Test(arguments: ["network", "coverage"])
  func familyHelpListsItsCommands(family: String) {
    let help = Printed(family, "--help")
    #expect(help.code == .finished && help.output == Printed(family, "-h").output)
    for name in Program.commandNames where name.hasPrefix("\(family) ") {
      #expect(help.output.contains("\n  \(name) "))
    }
  }

  private static let runHelp = Printed("run", "--help").output
  private static let kindHelp = Dictionary(
    uniqueKeysWithValues: JobKind.allCases.map { ($0, Printed("help", $0.rawValue).output) })

  @Test(arguments: Job.keys.map(\.name))
  func runAndKindHelpListEveryKey(name: String) throws {
    #expect(HelpTests.runHelp.contains("\n  \(name) "))
    #expect(Printed("help", name).output.contains("Key \(name) of job files"))
    for kind in Job.keys.filter({ $0.name == name }).flatMap(\.kinds) {
      #expect(try #require(HelpTests.kindHelp[kind]).contains("\n  \(name) "))
    }
  }

  @Test func versionIsPrinted() {
    #expect(Printed("--version").output == "odometer \(Program.version)\n")
  }

  /// Help as last reviewed; ODOMETER_DOCS=write updates the fixture.
  @Test func helpOfEveryCommandIsAsReviewed() throws {
    let topics = ["", "network", "coverage"] + Program.commandNames
    let texts = topics.map { topic in
      let words = topic.split(separator: " ").map(String.init) + ["--help"]
      return "$ odometer \(words.joined(separator: " "))\n\(Printed(words).output)"
    }
    let (text, fixture) = (texts.joined(separator: "\n"), Project.path("Tests/Fixtures/help.txt"))
    if ProcessInfo.processInfo.environment["ODOMETER_DOCS"] == "write" {
      try Data(text.utf8).write(to: URL(fileURLWithPath: fixture))
    }
    let lines = (FileManager.default.contents(atPath: fixture).map { String(decoding: $0, as: UTF8.self) } ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false)
    for (line, expected) in zip(text.split(separator: "\n", omittingEmptySubsequences: false), lines) {
      try #require(line == expected, "ODOMETER_DOCS=write swift test --filter OdometerCommandTests updates the fixture")
    }
    #expect(text.count { $0 == "\n" } == lines.count - 1)
  }

  @Test func keyHelpIsComplete() {
    #expect(
      Printed("help", "nearest").output == """
        Key nearest of job files (kind access): number of stations to find for each origin.

          expected  a whole number of stations from 1 to 100
          default   3
          example   nearest: 3

        """)
  }

  @Test func tableHelpIsComplete() {
    #expect(
      Printed("help", "station_line").output == """
        Table station_line of results (kind access): one row per line that serves a station.

          station_id  place_id of the station (id)
          line        name of the line, as in line_service (text)

        """)
  }

  @Test func everyResultsTableHasHelp() {
    let list = Printed("help", "tables").output
    for kind in JobKind.allCases {
      for table in kind.tables + TableDescription.common {
        #expect(list.contains("\n  \(table.name) "), "\(table.name)")
        let help = Printed("help", table.name).output
        #expect(help.contains("Table \(table.name) of results ("), "\(table.name)")
        for column in table.columns { #expect(help.contains("\n  \(column.name) "), "\(table.name).\(column.name)") }
      }
    }
  }

  @Test func printsEveryMeaningOfAWord() {
    let verify = Printed("help", "verify").output
    #expect(verify.contains("Usage: odometer verify RESULTS") && verify.contains("Key verify of job files"))
    let direction = Printed("help", "direction").output
    #expect(direction.contains("default   \"to\"") && direction.contains("default   \"from\""))
    #expect(Printed("help", "network", "build").output == Printed("network", "build", "--help").output)
  }

  @Test(arguments: [
    ("neerest", "no help on neerest; did you mean nearest?"),
    ("routs", "no help on routs; did you mean route?"),
    ("elephant", "no help on elephant; expected a command, a kind of job, a job-file key or a results table"),
  ])
  func unknownTopicsAreRefused(topic: String, sentence: String) {
    let printed = Printed("help", topic)
    #expect(printed.code == .usage && printed.error == "odometer: \(sentence)\n" && printed.output.isEmpty)
  }
}
