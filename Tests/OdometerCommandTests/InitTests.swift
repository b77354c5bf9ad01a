import Foundation
import Jobs
import OdometerCommand
import Tables
import TestMaps
import Testing

struct InitTests {
  @Test(arguments: JobKind.allCases)
  func writesAReadableJob(kind: JobKind) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path("job.json5")
    let written = Printed("init", kind.rawValue, "--output", path)
    #expect(written.code == .finished && written.output == "\(path)\n")
    #expect(scratch.text("job.json5") == Printed("init", kind.rawValue).output)
    #expect(try Job(path: path).kind == kind)
  }

  /// Every optional key is included as a comment, with a valid value.
  @Test(arguments: JobKind.allCases)
  func optionalKeysCanBeUncommented(kind: JobKind) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let written = Printed("init", kind.rawValue).output
    for key in kind.keys where !key.setting.isRequired {
      let needed = InitTests.needed(by: key.name, of: kind)
      var text =
        needed.isEmpty ? written : written.replacing("transportType: \"walking\"", with: "transportType: \"transit\"")
      for name in Set([key.name] + needed) {
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  // \(name): ") }, "\(name)")
        text = text.replacing(line, with: line.replacing("// ", with: "", maxReplacements: 1))
      }
      #expect(try Job(path: scratch.write(text, to: "job.json5")).kind == kind, "\(key.name)")
    }
  }

  /// Returns the keys required by a key of transit or percentiles.
  private static func needed(by key: String, of kind: JobKind) -> [String] {
    switch key {
    case "gtfs", "walkLimit", "boardingSlack", "maximumRides", "headways": ["gtfs"]
    case "limit", "wheelchairBoarding": kind == .access ? [] : ["gtfs"]
    case "percentiles": ["gtfs", "departures"]
    default: []
    }
  }

  @Test func doesNotOverwriteFiles() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write("mine", to: "job.json5")
    let refused = Printed("init", "routes", "--output", path)
    #expect(refused.code == .output && scratch.text("job.json5") == "mine")
    #expect(refused.error == "odometer: \(path): the file exists already; name another one or remove it\n")
    #expect(Printed("init", "routes", "--output", scratch.path("no/job.json5")).code == .output)
  }

  @Test func unknownKindsAreRefused() {
    let refused = Printed("init", "matrx")
    #expect(refused.code == .usage)
    #expect(
      refused.error
        == "odometer: KIND: got matrx, expected one of routes, etas, matrix, access, isochrones, traces; did you mean matrix?\n"
    )
  }
}
