import Jobs
import OdometerCommand
import TestMaps
import Testing

/// All messages about invalid command lines, in full.
struct UsageTests {
  @Test(arguments: [
    ("fly", "unknown command fly; odometer --help lists the commands"),
    ("--quiet", "unknown command --quiet; odometer --help lists the commands"),
    ("network", "network: got nothing, expected build, info, install, check, list or clean"),
    ("coverage fly", "coverage: got fly, expected check or make"),
    ("run", "run: got nothing, expected JOB"),
    ("run a b", "run: got a b, expected JOB"),
    ("route 0,0 --map m", "TO is missing: got only FROM, which is not a Maps link"),
    ("route maps://?daddr=1,1 2,2 --map m", "got 2,2 after a link, which names both places"),
    (
      "route maps://?saddr=0,0&daddr=1,1&daddr=2,2 --map m",
      "the link has 1 waypoint, expected none; a job of kind routes takes such links as its pairs"
    ),
    (
      "route maps://?saddr=0,0&daddr=1,1&dirflg=r --map m",
      "the link asks for public transport; use a job with transportType transit and gtfs"
    ),
    (
      "eta maps://?daddr=1,1 --map m",
      "the link has no source, and no current location was given (--here, currentLocation); expected source=latitude,longitude"
    ),
    ("diagnose out \u{A0}", "ID is empty, expected the id of a row"),
    ("run a --wrokers 2", "run: unknown option --wrokers; did you mean --workers?"),
    ("version", "unknown command version; did you mean --version?"),
    ("run a --hlep", "run: unknown option --hlep; did you mean --help?"),
    (
      "eta 0,0 0,0 --map m --by auto",
      "--by: got auto, expected one of automobile, van, truck, walking, wheelchair, pram, cycling; did you mean automobile?"
    ),
    (
      "eta 0,0 0,0 --map m --avoid toll",
      "--avoid: got toll, expected tolls, highways or tolls,highways; did you mean tolls?"
    ),
    ("run a --elephant", "run: unknown option --elephant; odometer run --help lists the options"),
    ("rnu a", "unknown command rnu; did you mean run?"),
    ("network biuld", "network: got biuld, expected build, info, install, check, list or clean; did you mean build?"),
    ("network install a.network", "--cache DIR is missing"),
    (
      "network build a.network --output b.network",
      "--output: got b.network, but a.network is a network file already; copy it, or see network install"
    ),
    (
      "eta 0,0 0,0 --map m --by wakling",
      "--by: got wakling, expected one of automobile, van, truck, walking, wheelchair, pram, cycling; did you mean walking?"
    ),
    ("eta 0,0 0,0 --map m --pace fast", "--pace: got fast, expected km/h from 0.5 to 20"),
    ("eta 0,0 0,0 --map m --pace 0", "--pace: got 0, expected km/h from 0.5 to 20"),
    (
      "eta 0,0 0,0 --map m --by truck --pace 4",
      "--pace: got 4, but profile truck has no pace; expected a profile for walking"
    ),
    (
      "route 0,0 0,0 --map a.network --elevation b.tif",
      "--elevation: got b.tif, but a.network is a network file, which contains its speeds; pass the extract instead"
    ),
    ("init", "init: got nothing, expected KIND"),
    ("completions tcsh", "SHELL: got tcsh, expected one of bash, zsh, fish"),
    ("run a ---quiet", "run: unknown option ---quiet; did you mean --quiet?"),
    ("run a -quiet", "run: unknown option -quiet; did you mean --quiet?"),
    ("run a -q", "run: unknown option -q; did you mean --quiet?"),
    ("run a --met=x", "run: unknown option --met; did you mean --metrics?"),
    ("run a --quiet=yes", "--quiet takes no value, got --quiet=yes"),
    ("run a --quiet --quiet", "--quiet is given twice"),
    ("run a --workers 1 --workers=1", "--workers is given twice"),
    ("run a --workers", "--workers needs a value: --workers N"),
    ("run a --output=", "--output needs a value: --output DIR"),
    ("run a --output --quiet", "--output needs a value: --output DIR"),
    ("eta 0,0 0,0", "--map MAP is missing"),
    (
      "eta 0,0 0,0 --map m --by boat",
      "--by: got boat, expected one of automobile, van, truck, walking, wheelchair, pram, cycling"
    ),
    ("eta 0,0 0,0 --map m --snap-limit far", "--snap-limit: got far, expected metres above 0, at most 100000"),
    ("eta 0,0 0,0 --map m --avoid ferries", "--avoid: got ferries, expected tolls, highways or tolls,highways"),
    (
      "eta 0,0 0,0 --map m --depart 2026-11-21T08:30:00Z --arrive 2026-11-21T09:30:00Z",
      "--depart and --arrive are mutually exclusive"
    ),
    ("eta 0,0 1 --map m", "TO: got 1, expected latitude,longitude, e.g. 60.1719,24.9414"),
    ("eta 60.1,,24.9 0,0 --map m", "FROM: got 60.1,,24.9, expected latitude,longitude, e.g. 60.1719,24.9414"),
    (
      "eta 95,0 0,0 --map m",
      "FROM: 95,0 is outside latitude -90…90, longitude -180…180; latitude comes first"
    ),
    ("eta -30.03,-181 0,0 --map m", "FROM: -30.03,-181 is outside latitude -90…90, longitude -180…180"),
    ("route 0,0 0,0 --map m --format xml", "--format: got xml, expected one of text, json, geojson"),
    ("route 0,0 0,0 --map m --language fi", "--language: got fi, expected one of en, pt"),
    ("bench m --sizes 10", "--sizes: got 10, expected ROWSxCOLUMNS, e.g. 1000x1000"),
    ("bench m --sizes 10xx10", "--sizes: got 10xx10, expected ROWSxCOLUMNS, e.g. 1000x1000"),
    ("bench m --nearest 3in200", "--nearest: got 3in200, expected KofM, e.g. 3of200"),
    ("bench m --repeat 0", "--repeat: got 0, expected a whole number from 1 to 1024"),
    ("bench m --kinds traces,p2p", "--kinds: traces needs --traces FILE"),
    ("bench m --accuracy 5", "--accuracy needs --traces FILE"),
    ("bench m --tiles 2", "--tiles: only a RoutingKit graph can be tiled, got m"),
  ])
  func invalidUsageHasAOneSentenceMessage(line: String, sentence: String) {
    let printed = Printed(line.split(separator: " ").map(String.init))
    #expect(printed.error == "odometer: \(sentence)\n")
    #expect(printed.code == .usage && printed.output.isEmpty)
  }

  @Test(arguments: ["access", "matrix"]) func linksNeedRoutes(kind: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let job = try scratch.write(
      "{ kind: \"\(kind)\", map: \"m.osm\", transportType: \"walking\", origins: \"o\", output: \"out\","
        + "\(kind == "access" ? "stations: \"s\"" : "destinations: \"d\"") }", to: "job.json5")
    let printed = Printed("run", job, "--links")
    #expect(printed.code == .usage)
    #expect(
      printed.error == "odometer: --links: this job of kind \(kind) writes no routes, expected kind routes or etas, or "
        + "access with routes: true\n")
  }

  @Test func noArgumentsPrintTheOverview() {
    let printed = Printed([])
    #expect(printed.code == .usage && printed.output == Printed("--help").output && printed.error.isEmpty)
  }

  @Test func coordinatesSouthOfTheEquatorAreOperands() {
    #expect(Printed("eta", "-30.03,-51.23", "-30,-51", "--map", "none.osm.pbf").error.contains("none.osm.pbf"))
    #expect(Printed("report", "--", "--quiet").error.hasPrefix("odometer: --quiet: no such file"))
  }

  @Test func controlCharactersAreNotSentToTerminals() {
    #expect(!Printed("run\u{1B}[2J").error.contains("\u{1B}"))
  }

  @Test func longPathsAreCutBeforeTheReason() {
    let path = Array(repeating: String(repeating: "x", count: 200), count: 9).joined(separator: "/") + "/m.osm"
    let error = Printed("network", "info", path).error
    #expect(error.hasPrefix("odometer: xxx") && error.contains("x … x") && error.hasSuffix(".osm.bz2 or .network\n"))
    #expect(error.count < 1500)
  }

  @Test(
    arguments: [
      ("auto", [:], false, false), ("auto", [:], true, true), ("auto", ["NO_COLOR": "1"], true, false),
      ("auto", ["CLICOLOR_FORCE": "1"], false, true), ("auto", ["TERM": "dumb"], true, false),
      ("always", ["NO_COLOR": "1"], false, true), ("never", ["CLICOLOR_FORCE": "1"], true, false),
    ] as [(String, [String: String], Bool, Bool)])
  func colorChoiceIsRespected(choice: String, environment: [String: String], isTerminal: Bool, expected: Bool) {
    #expect(Terminal.isColored(choice, environment, isTerminal: isTerminal) == expected)
  }

  @Test func everyCommandAcceptsColor() {
    #expect(Printed("--version", "--color", "never").code == .finished)
    #expect(Printed("--color=always", "--version").output == Printed("--version").output)
    let wrong = Printed("run", "--color", "red")
    #expect(wrong.code == .usage && wrong.error == "odometer: --color: got red, expected one of auto, always, never\n")
  }

  @Test func suggestsTransportTypes() {
    #expect(Printed("network", "build", "x.osm.pbf", "--by", "car").error.hasSuffix("; did you mean automobile?\n"))
  }
}
