import OdometerCommand
import TestMaps
import Testing

/// The notes of `route` and `eta` about places on islands, and about speeds.
struct PlaceNoteTests {
  private func printed(_ command: String, _ to: Character, _ options: [String] = []) throws -> Printed {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let map = TestMap.grid
    try scratch.write(map.opl, to: "map.opl")
    let places = ["A", to].map { "\(map[$0].latitude),\(map[$0].longitude)" }
    // After `--`, a negative latitude is not read as an option.
    return Printed([command, "--map", scratch.path("map.opl"), "--by", "automobile"] + options + ["--"] + places)
  }

  @Test(arguments: ["route", "eta"]) func notesAnIslandPassedBySnapping(command: String) throws {
    let printed = try printed(command, "1")
    #expect(printed.code == .finished)
    #expect(
      printed.error
        == "odometer: the destination was snapped to a street 200 m away, past one 0 m away on an island of 2 junctions\n"
    )
    #expect(try self.printed(command, "2").error == "")
  }

  @Test(arguments: ["route", "eta"]) func notesSpeedsOffTheMap(command: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let speeds = try scratch.write("way_id,slowness\n987654,4\n", to: "speeds.csv")
    let printed = try printed(command, "2", ["--speeds", speeds, "--depart", "2026-11-23T08:00:00Z"])
    #expect(
      printed.error.hasPrefix(
        """
        odometer: \(speeds): 1 row, 0 on the map, 1 not on the map
        odometer: warning: \(speeds): over half of its rows are not on the map;
        """), "\(printed.error)")
  }

  @Test func notesIsolatedIslands() throws {
    let printed = try printed("eta", "1", ["--snap-limit", "150"])
    #expect(printed.code == .notAllOK)
    #expect(
      printed.error.hasPrefix(
        "odometer: the destination has no street within the snap limit except one 0 m away on an island of 2 junctions\n"
      ))
  }
}
