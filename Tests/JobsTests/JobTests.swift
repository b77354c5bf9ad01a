import Foundation
import Geography
import Input
import Jobs
import Settings
import StreetNetwork
import Tables
import TestMaps
import Testing

/// In the text of an invalid job file, `▸` marks the line that the message must name.
struct JobTests {
  private func message(_ text: String) throws -> String {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("▸") }
    try scratch.write(text.replacingOccurrences(of: "▸", with: ""), to: "job.json5")
    let error = try #require(throws: (any Error).self) { try Job(path: scratch.path("job.json5")) }
    let message = "\(error)".replacingOccurrences(of: scratch.folder + "/", with: "")
    guard let line else { return message }
    #expect(message.hasPrefix("job.json5:\(line + 1): "), "\(message)")
    return String(message.drop { $0 != " " }.dropFirst())
  }

  private func job(_ text: String) throws -> Job {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try Job(path: scratch.write(text, to: "job.json5"))
  }

  private static let rest = "map: \"m\", transportType: \"walking\", pairs: \"p\", output: \"o\""
  private static let access =
    "kind: 'access', map: 'm', transportType: 'walking', origins: 'o', stations: 's', output: 'out'"
  private static let matrix = "kind: 'matrix', map: 'm', transportType: 'walking', origins: 'o', output: 'out'"

  @Test func readsAJob() throws {
    let job = try job("{ kind: 'etas', // comment\n \(JobTests.rest), snapLegs: false, snapLimit: 50, }")
    #expect(job.kind == .etas && job.map == "m" && job.snapLegs == false && job.snapLimit == 50)
    #expect(job.transportType == .walking)
  }

  @Test func suggestsASimilarKey() throws {
    #expect(
      try message("{\n  kind: \"routes\",\n  \(JobTests.rest),\n  ▸snaplimit: 3,\n}")
        == "unknown key snaplimit; did you mean snapLimit?")
  }

  @Test func namesTheKindsThatHaveTheKey() throws {
    #expect(
      try message("{ kind: \"routes\", \(JobTests.rest),\n▸nearest: 3 }")
        == "unknown key nearest; it belongs to kind access, but this job is of kind routes")
    #expect(
      try message("{ kind: \"etas\", \(JobTests.rest),\n▸thresholds: [3] }")
        == "unknown key thresholds; it belongs to kinds access, isochrones, but this job is of kind etas")
  }

  @Test(arguments: [
    ("▸Pairs: 'p'", "got the unknown key Pairs; did you mean pairs?"),
    (
      "▸origins: 'o'",
      "got the unknown key origins; it belongs to kinds matrix, access, isochrones, but this job is of kind etas"
    ),
    ("▸zebra: 1", "got the unknown key zebra"),
    ("▸zebra: 1, Pairs: 'p'", "got the unknown key Pairs; did you mean pairs?"),
  ])
  func namesTheUnknownKeyNextToTheMissingOne(setting: String, ending: String) throws {
    #expect(
      try message("{ kind: 'etas', map: 'm', transportType: 'walking', output: 'out',\n\(setting) }")
        == "the key pairs is missing; expected a path (not empty, no ~); \(ending)")
  }

  @Test func namesAMisspelledKind() throws {
    #expect(
      try message("{\n▸Kind: 'etas' }")
        == "the key kind is missing; expected one of routes, etas, matrix, access, isochrones, traces; "
        + "got the unknown key Kind; did you mean kind?")
  }

  @Test(arguments: [
    (
      "kind: 'route'",
      "kind: got \"route\", expected one of routes, etas, matrix, access, isochrones, traces; did you mean routes?"
    ),
    (
      "kind: 'etas', map: 'm', transportType: 'auto'",
      "transportType: got \"auto\", expected one of automobile, walking, cycling, transit; did you mean automobile?"
    ),
  ])
  func suggestsASimilarValue(settings: String, expected: String) throws {
    #expect(try message("{\n▸\(settings) }") == expected)
  }

  @Test func listsTheKeysOfTheKindForAnUnknownKey() throws {
    #expect(
      try message("{\n  kind: \"routes\",\n  \(JobTests.rest),\n  ▸zebra: 3,\n}")
        == "unknown key zebra, expected one of arrivalDate, arrivals, boardingSlack, coverage, currentLocation, date, "
        + "departureDate, departures, duplicates, elevation, gtfs, headways, highwayPreference, holidays, index, keep, kind, language, "
        + "limit, map, maximumRides, memory, minimumShare, output, pace, pairs, percentiles, places, profile, reportRoutes, "
        + "requestsAlternateRoutes, sentinels, shapes, snapLegs, snapLimit, speeds, timeZone, title, tollPreference, traffic, "
        + "transportType, verify, waitLimit, walkLimit, week, wheelchairBoarding"
    )
  }

  @Test func rejectsAnUnknownKind() throws {
    #expect(
      try message("{\n  ▸kind: \"tables\", \(JobTests.rest) }")
        == "kind: got \"tables\", expected one of routes, etas, matrix, access, isochrones, traces")
  }

  @Test(arguments: [
    ("snapLegs: 1", "snapLegs: got 1, expected true or false"),
    ("snapLimit: -3", "snapLimit: got -3, expected a number of metres, over 0, at most 100000"),
    ("snapLimit: '3'", "snapLimit: got \"3\", expected a number of metres, over 0, at most 100000"),
    ("transportType: 'flying'", "transportType: got \"flying\", expected one of automobile, walking, cycling, transit"),
    ("verify: 1.5", "verify: got 1.5, expected a whole number of rows from 1 to 1000000"),
    ("memory: '4 apples'", "memory: got \"4 apples\", expected a size in MB, GB, MiB or GiB, e.g. \"500 MB\""),
    ("memory: 12", "memory: got 12, expected a size in MB, GB, MiB or GiB, e.g. \"500 MB\""),
    ("tollPreference: 'never'", "tollPreference: got \"never\", expected one of any, avoid"),
    ("language: 'xx'", "language: got \"xx\", expected one of en, pt"),
    ("shapes: null", "shapes: got null, expected true or false"),
    (
      "departureDate: '2026-11-20'",
      "departureDate: got \"2026-11-20\", expected a date with time and zone, e.g. 2026-11-21T08:30:00+01:00"
    ),
  ])
  func rejectsWrongValues(setting: String, expected: String) throws {
    let rest = setting.hasPrefix("transportType") ? "map: 'm', pairs: 'p', output: 'o'" : JobTests.rest
    #expect(try message("{ kind: 'routes', \(rest),\n▸\(setting) }") == expected)
  }

  @Test(arguments: [
    ("format: ['npy', 'xls']", "format: got \"xls\" (entry 2), expected a list of sqlite, npy, csv"),
    ("format: []", "format: got an empty list and no summary: nothing would be written"),
    (
      "summary: ['within:600,x']",
      "summary: got [\"within:600,x\"], expected a list of \"nearest\", \"mean\", \"waiting\" and \"within:\" with seconds, "
        + "e.g. \"within:600,900,1800\""
    ),
  ])
  func rejectsWrongValuesOfMatrices(setting: String, expected: String) throws {
    #expect(try message("{ \(JobTests.matrix),\n▸\(setting) }") == expected)
  }

  @Test(arguments: ["[]", "['within:']", "['within:0']", "['within:1000001']", "['within:600,,900']", "['near']", "3"])
  func rejectsUnknownSummaries(summary: String) throws {
    #expect(try message("{ \(JobTests.matrix),\n▸summary: \(summary) }").hasPrefix("summary: got "))
  }

  @Test(arguments: [
    ("summary: ['mean', 'within:900, 600', 'within:600']", "within:600,900 mean", []),
    ("summary: ['nearest'], format: ['csv', 'sqlite']", "nearest", ["sqlite", "csv"]), ("", nil, ["sqlite"]),
  ])
  func readsSummariesOfAMatrix(settings: String, summary: String?, formats: [String]) throws {
    let identity = try job("{ \(JobTests.matrix), \(settings) }").identity
    #expect(identity.text(IdentityKey("summary")) == summary && identity.list(.format) == formats)
  }

  @Test(arguments: [
    ("nearest: 0", "nearest: got 0, expected a whole number of stations from 1 to 100"),
    ("nearest: 2.5", "nearest: got 2.5, expected a whole number of stations from 1 to 100"),
    ("limit: 14.9", "limit: got 14.9 minutes, expected at least 15, the last of thresholds, by default [5, 10, 15]"),
    ("thresholds: []", "thresholds: got [], expected a list of minutes, each over 0, at most 1440"),
    ("direction: 'up'", "direction: got \"up\", expected one of to, from"),
    ("weights: 'population'", "weights: got \"population\", expected a list of strings"),
    ("weight: 'a', weights: ['b']", "weight: weights also names the columns; leave out one of the two"),
  ])
  func rejectsWrongValuesOfAccess(setting: String, expected: String) throws {
    #expect(try message("{ \(JobTests.access),\n▸\(setting) }") == expected)
  }

  @Test func rejectsInvalidTags() throws {
    let text = "{ kind: 'access', map: 'm', transportType: 'walking', origins: 'o', output: 'out',\n▸stations: 'osm:' }"
    #expect(
      try message(text)
        == "stations: got \"osm:\", expected a file, or map tags, e.g. \"osm:railway=station,subway_entrance\"")
  }

  @Test func rejectsADepartureDateWithAnArrivalDate() throws {
    #expect(
      try message(
        "{ kind: 'etas', \(JobTests.rest), departureDate: '2026-11-20T08:00Z',\n▸arrivalDate: '2026-11-20T09:00Z' }")
        == "arrivalDate: a trip has a departureDate or an arrivalDate, not both")
  }

  @Test(arguments: [
    ("etas", "requestsAlternateRoutes: true", "kind routes"), ("etas", "shapes: true", "kind routes"),
    ("etas", "reportRoutes: ['1']", "kind routes"), ("etas", "language: 'pt'", "kinds routes, access"),
    ("routes", "flows: false", "kind etas"),
  ])
  func rejectsKeysOfOtherKinds(kind: String, key: String, home: String) throws {
    #expect(
      try message("{ kind: '\(kind)', \(JobTests.rest),\n▸\(key) }")
        == "\(key.prefix { $0 != ":" }): it belongs to \(home), but this job is of kind \(kind)")
  }

  @Test func namesAMissingKey() throws {
    #expect(
      try message("{ kind: 'etas' }") == "job.json5: the key map is missing; expected a path (not empty, no ~)")
  }

  @Test func rejectsTextThatIsNotJSON5() throws {
    #expect(
      try message("{ kind: 'etas'\n▸ map }") == "not valid JSON5: got map, expected a comma or }")
    #expect(try message("[1]") == "job.json5: got [1], expected { key: value, … }")
  }

  @Test(arguments: try FileManager.default.contentsOfDirectory(atPath: Project.path("jobs")).sorted())
  func readsEverySampleJob(file: String) throws {
    #expect(file.hasSuffix(".json5"))
    #expect(try Job(path: Project.path("jobs/\(file)")).map == "data/helsinki.osm.pbf")
  }

  @Test(arguments: try FileManager.default.contentsOfDirectory(atPath: Project.path("jobs")).sorted())
  func readsBackTheIdentityOfEverySampleJob(file: String) throws {
    let job = try Job(path: Project.path("jobs/\(file)"))
    var record = try JobRecord(identity: job.identity)
    record.identity[.kind] = job.kind.rawValue
    let again = JobRecord(entries: record.entries)
    #expect(again.figures.keys.isEmpty && again.identity.keys == record.identity.keys)
  }

  // MARK: Table job

  private func identity(_ settings: String) throws -> Entries<IdentityKey> {
    try job("{ \(JobTests.access), \(settings) }").identity
  }

  /// Different limits make different jobs: one must not be resumed with the rows of the other.
  @Test func recordsTheLimitWithoutRounding() throws {
    #expect(try identity("limit: 7.333, thresholds: [5]")[.limit] == "439.98")
    #expect(try identity("limit: 7.325, thresholds: [5]")[.limit] == "439.5")
    #expect(try identity("limit: 60")[.limit] == "3600")
    #expect(try identity("")[.limit] == "")
  }

  /// If a later run could not read its file either, two empty digests would be equal.
  @Test func hasNoIdentityWithAnUnreadableFile() throws {
    let error = try #require(throws: OdometerError.self) { try identity("coverage: '/proc/self/mem'") }
    #expect("\(error)" == "/proc/self/mem: the file cannot be read: Input/output error")
    #expect(throws: OdometerError.self) { try SpeedInputs([SpeedInput(file: "/proc/self/mem")]).digest }
    #expect(try identity("coverage: 'missing.geojson'")[IdentityKey(digestOf: "coverage")] == "")
  }

  @Test func saysWhyAJobFileCannotBeRead() throws {
    let error = try #require(throws: OdometerError.self) { try Job(path: "/proc/self/mem") }
    #expect("\(error)" == "/proc/self/mem: the file cannot be read: Input/output error")
  }

  @Test func recordsNamesWithCommasInQuotes() throws {
    #expect(try identity("weights: ['jobs, total', 'area']")[.weights] == "\"jobs, total\",area")
    #expect(try identity("weights: ['population', 'jobs']")[.weights] == "population,jobs")
    #expect(try identity("routeTypes: ['rail', 'tram']")[IdentityKey("route_types")] == "tram,rail")
  }
}
