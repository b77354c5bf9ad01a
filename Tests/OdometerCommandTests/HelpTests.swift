import Jobs
import OdometerCommand
import TestMaps
import Testing

struct HelpTests {
  @Test func everyCommandHasItsHelpUnderEachSpelling() {
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

  @Test func noLineOfHelpIsTooLongForATerminal() {
    for name in Program.commandNames + ["access", "nearest", "exit-codes", "keys", "kinds"] {
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

  @Test(arguments: Job.keys.map(\.name))
  func helpOfRunAndOfItsKindsHasEveryKey(name: String) {
    #expect(Printed("run", "--help").output.contains("\n  \(name) "))
    #expect(Printed("help", name).output.contains("Key \(name) of job files"))
    for kind in Job.keys.filter({ $0.name == name }).flatMap(\.kinds) {
      #expect(Printed("help", kind.rawValue).output.contains("\n  \(name) "))
    }
  }

  @Test func versionIsPrinted() {
    #expect(Printed("--version").output == "odometer \(Program.version)\n")
  }

  @Test func etaHelpIsWhole() {
    #expect(
      Printed("eta", "--help").output == """
        Print the travel time and distance between two places.

        Usage: odometer eta FROM TO [options]

        Options:
          --map MAP            the map: .osm.pbf, .osm, .osm.gz or .osm.bz2
          --by TYPE            how to travel: walking (default), automobile or cycling
          --profile FILE       a profile of your own instead of the stock one
          --snap-limit METRES  how far a place may be from its street (default: 1000)
          --depart DATE        when the trip starts, e.g. 2026-11-21T08:30:00+01:00: decides what is open
          --arrive DATE        when the trip ends, instead of --depart
          --avoid LIST         tolls, highways or both (tolls,highways): used only where there is no other
                               route
          --cache DIR          where network files are kept (default: next to the map)

        FROM and TO are latitude,longitude in degrees:

            odometer eta 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf

        Prints one line: seconds, then metres, with a tab between them.

        Exit codes:
          0   finished
          1   finished, but a row is not ok or was rejected (--strict), or route or eta found no route
          2   wrong usage, or the job file or profile cannot be used
          3   the map or the input cannot be used, or a run cannot be resumed because something changed
          4   the output cannot be written: disk or memory is short, or another run or job has the folder
          70  internal error; please report it with the command and the output of odometer --version

        """)
  }

  @Test func keyHelpIsWhole() {
    #expect(
      Printed("help", "nearest").output == """
        Key nearest of job files (kind access): how many stations to find for each origin.

          expected  a whole number of stations from 1 to 100
          default   3
          example   nearest: 3

        """)
  }

  @Test func aWordWithSeveralMeaningsHasThemAll() {
    let verify = Printed("help", "verify").output
    #expect(verify.contains("Usage: odometer verify RESULTS") && verify.contains("Key verify of job files"))
    let direction = Printed("help", "direction").output
    #expect(direction.contains("default   \"to\"") && direction.contains("default   \"from\""))
    #expect(Printed("help", "network", "build").output == Printed("network", "build", "--help").output)
  }

  @Test(arguments: [
    ("neerest", "no help on neerest; did you mean nearest?"),
    ("routs", "no help on routs; did you mean route?"),
    ("elephant", "no help on elephant; expected a command, a kind of job or a key of job files"),
  ])
  func unknownTopicsAreRefused(topic: String, sentence: String) {
    let printed = Printed("help", topic)
    #expect(printed.code == .usage && printed.error == "odometer: \(sentence)\n" && printed.output.isEmpty)
  }
}
