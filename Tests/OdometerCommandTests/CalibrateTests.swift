import Foundation
import OdometerCommand
import TestMaps
import Testing

/// `odometer calibrate`: its output and exit codes.
struct CalibrateTests {
  private static let map = TestMap("a-b-c-d-e-f", spacing: 1000).way("abcdef", ["highway": "primary"])

  /// Returns the output for 40 trips from a to other letters; `duration` returns the seconds for a number of kilometres.
  private func printed(_ options: [String] = [], _ duration: (Double) -> Double) throws -> Printed {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let rows = (0..<40).map { index in
      let to = CalibrateTests.map[["c", "d", "e", "f"][index % 4]]
      return "2026-11-23T08:\(10 + index),0,0,\(to.longitude),\(to.latitude),\(duration(Double(2 + index % 4)))\n"
    }
    try scratch.write(CalibrateTests.map.opl, to: "map.opl")
    try scratch.write("departure_time,from_lon,from_lat,to_lon,to_lat,duration\n" + rows.joined(), to: "trips.csv")
    return Printed(["calibrate", scratch.path("trips.csv"), "--map", scratch.path("map.opl")] + options)
  }

  @Test func printsATrafficTableAndItsAccuracy() throws {
    let printed = try printed { 60 + 150 * $0 }
    #expect(printed.code == .finished)
    #expect(printed.output.hasPrefix("// Slowness of streets") && printed.output.hasSuffix("}\n"))
    #expect(printed.error.hasPrefix("40 of 40 trips") && printed.error.contains("\nbetter: the median error"))
  }

  @Test func printsNoTableUnlessItIsBetter() throws {
    let seconds = try freeFlowSecondsPerKilometre()
    let printed = try printed { seconds * $0 }
    #expect(printed.code == .notAllOK && printed.output.isEmpty)
    #expect(printed.error.contains("not better: nothing is written"))
  }

  @Test(arguments: ["calibrate", "match"]) func aMissingFileIsReportedBeforeTheNetworkIsBuilt(command: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(CalibrateTests.map.opl, to: "map.opl")
    let file = scratch.path("nosuch")
    let printed = Printed(command, file, "--map", scratch.path("map.opl"), "--cache", scratch.path("cache"))
    #expect(printed.code == .input && printed.error == "odometer: \(file): no such file\n")
    #expect(scratch.files == ["map.opl"])
  }

  private func freeFlowSecondsPerKilometre() throws -> Double {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(CalibrateTests.map.opl, to: "map.opl")
    let places = ["a", "f"].map { (letter: Character) in
      "\(CalibrateTests.map[letter].latitude),\(CalibrateTests.map[letter].longitude)"
    }
    let eta = Printed(["eta", "--map", scratch.path("map.opl"), "--by", "automobile", "--"] + places)
    return try #require(eta.output.split(separator: "\t").first.flatMap { Double($0) }) / 5
  }

  @Test(arguments: [
    (["--interval", "0"], "--interval: got 0, expected seconds from 0.001 to 86400"),
    (
      ["--bands", "rush hour"],
      "got the hours rush hour, expected days and a time range that ends by midnight, e.g. Mo-Fr 07:30-09:00, or Fr 22:00-24:00 and Sa 00:00-02:00 for a night"
    ),
    (["--by", "boat"], "--by: got boat, expected one of automobile, van, truck, walking, wheelchair, pram, cycling"),
  ])
  func rejectsInvalidOptionValues(options: [String], sentence: String) throws {
    let printed = try printed(options) { 150 * $0 }
    #expect(printed.code == .usage && printed.error == "odometer: \(sentence)\n")
  }
}
