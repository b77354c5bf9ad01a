import Foundation
import OdometerCommand
import TestMaps
import Testing

/// Maps links and coverage files on the command line, on a drawn map.
struct LinkCommandTests {
  private let map = TestMap("a---b\n    |\n    c").way("abc")

  private func printed(_ words: [String], _ files: [String: String] = [:]) throws -> Printed {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(map.opl, to: "map.opl")
    for (name, text) in files { try scratch.write(text, to: name) }
    return Printed(words.map { ["map.opl", "c.geojson"].contains($0) ? scratch.path($0) : $0 })
  }

  private func text(_ place: Character) -> String { "\(map[place].latitude),\(map[place].longitude)" }

  @Test func aLinkReplacesBothPlaces() throws {
    let places = try printed(["eta", "--map", "map.opl", "--", text("a"), text("c")])
    let link = try printed(["eta", "maps://?saddr=\(text("a"))&daddr=\(text("c"))", "--map", "map.opl"])
    #expect(link.output == places.output && !link.output.isEmpty, "\(link.error)")
    let here = try printed(["eta", "maps://?daddr=\(text("c"))", "--here=\(text("a"))", "--map", "map.opl"])
    #expect(here.output == places.output, "\(here.error)")
  }

  @Test func linksSetTheTransportType() throws {
    let ends = "maps://?saddr=\(text("a"))&daddr=\(text("c"))"
    for (flag, mode) in [("d", "automobile"), ("b", "cycling")] {
      let link = try printed(["eta", "\(ends)&dirflg=\(flag)", "--map", "map.opl"])
      let option = try printed(["eta", ends, "--by", mode, "--map", "map.opl"])
      #expect(link.output == option.output && !link.output.isEmpty, "\(link.error)")
    }
  }

  @Test func placesOffTheMapAreNamed() throws {
    for command in ["route", "eta"] {
      let printed = try printed([command, text("a"), "20,10", "--map", "map.opl"])
      #expect(
        printed.code == .notAllOK && printed.error.hasPrefix("odometer: the destination lies 24"), "\(printed.error)")
      #expect(printed.error.hasSuffix(" km outside the map\n"))
    }
  }

  private func file(_ points: [(Double, Double)]) -> [String: String] {
    let ring = (points + [points[0]]).map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    return ["c.geojson": "{\"type\":\"MultiPolygon\",\"coordinates\":[[[\(ring)]]]}"]
  }

  @Test func coverageIsComparedWithTheMap() throws {
    let box = file([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    let inside = try printed(
      ["coverage", "check", "c.geojson", "--map", "map.opl", "--from", text("a"), "--to=0.5,0.5"], box)
    #expect(inside.code == .finished && inside.output.contains(" times the "), "\(inside.error)")
    #expect(inside.output.contains("--from \(text("a")): inside\n") && inside.output.contains("--to 0.5,0.5: inside\n"))
    let outside = try printed(["coverage", "check", "c.geojson", "--to", "2,0.5"], box)
    #expect(outside.code == .notAllOK && outside.output.contains("--to 2,0.5: outside\n"))
  }

  @Test func coverageOffTheMapIsReported() throws {
    let check = ["coverage", "check", "c.geojson", "--map", "map.opl"]
    let away = try printed(check, file([(40, 10), (41, 10), (41, 11)]))
    #expect(away.code == .notAllOK && away.output.hasSuffix("c.geojson: does not overlap the map\n"))
  }
}
