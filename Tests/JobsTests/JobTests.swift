import Jobs
import StreetNetwork
import TestMaps
import Testing

/// In the text of a bad job file `▸` stands where the message must point.
struct JobTests {
  private func message(_ text: String) throws -> String {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("▸") }
    try scratch.write(text.replacingOccurrences(of: "▸", with: ""), to: "job.json5")
    let error = #expect(throws: (any Error).self) { try Job(path: scratch.path("job.json5")) }
    let message = "\(error!)".replacingOccurrences(of: scratch.folder + "/", with: "")
    guard let line else { return message }
    #expect(message.hasPrefix("job.json5:\(line + 1): "), "\(message)")
    return String(message.drop { $0 != " " }.dropFirst())
  }

  private static let rest = "map: \"m\", transportType: \"walking\", pairs: \"p\", output: \"o\""

  @Test func aWholeJobIsRead() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write(
      "{ kind: 'etas', // comment\n \(JobTests.rest), snapLegs: false, snapLimit: 50, }", to: "j")
    let job = try Job(path: path)
    #expect(job.kind == "etas" && job.map == "m" && job.snapLegs == false && job.snapLimit == 50)
  }

  @Test func anUnknownKeyIsNamedWithItsLine() throws {
    #expect(
      try message("{\n  kind: \"routes\",\n  \(JobTests.rest),\n  ▸snaplimit: 3,\n}")
        == "snaplimit: unknown key, expected arrivalDate, coverage, departureDate, highwayPreference, kind, language, map, memory, output, "
        + "pairs, profile, requestsAlternateRoutes, shapes, snapLegs, snapLimit, tollPreference, transportType, verify")
  }

  @Test func aWrongKindIsNamed() throws {
    #expect(
      try message("{\n  ▸kind: \"tables\", \(JobTests.rest) }")
        == "kind: got \"tables\", expected routes, etas, matrix, access, isochrones")
  }

  @Test func aWrongTypeIsNamed() throws {
    #expect(
      try message("{ kind: 'etas', \(JobTests.rest),\n▸snapLegs: 1 }") == "snapLegs: got 1, expected true or false")
    #expect(
      try message("{ kind: 'etas', \(JobTests.rest),\n// snapLimit: in a comment\n▸snapLimit: -3 }")
        == "snapLimit: got -3, expected a number of metres, over 0, at most 100000")
  }

  @Test func anUnknownTransportTypeIsRefused() throws {
    let text = "{ kind: 'etas', map: 'm',\n▸transportType: 'flying', pairs: 'p', output: 'o' }"
    #expect(try message(text) == "transportType: got \"flying\", expected automobile, walking, cycling")
  }

  @Test func aMissingKeyIsNamed() throws {
    #expect(try message("{ kind: 'etas' }") == "job.json5: the key map is missing; expected text")
  }

  @Test func textThatIsNoJSON5IsRefused() throws {
    #expect(try message("{ kind: 'etas'\n map }").contains("not valid JSON5"))
    #expect(try message("[1]") == "job.json5: got a list, expected { key: value, … }")
  }

  /// Every job in jobs/ is read.
  @Test(arguments: ["helsinki-walks", "helsinki-etas", "helsinki-drives"])
  func theExamplesAreJobs(name: String) throws {
    #expect(try Job(path: Project.path("jobs/\(name).json5")).map == "data/helsinki.osm.pbf")
  }
}
