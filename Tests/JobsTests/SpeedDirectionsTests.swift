import Foundation
import Input
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Observed speeds in the library, on a drawn map: results equal those of a job with the same files.
struct SpeedDirectionsTests {
  /// The direct street is slow on Mondays from 08:00 to 09:00; other streets have the slowness of their class.
  private static let map = TestMap("a-b-c-d\n|     |\ne-f-g-h").way("abcd").way("aefghd")
  private static let speeds = "way_id,weekday,from,to,slowness\n1,Mo,08:00,09:00,4\n"
  private static let traffic = "{ classes: { street: { 'Mo-Fr 07:00-10:00': 1.5 } } }"
  private static let monday = "2026-11-23T08:30:00Z"
  private static let date = Date(timeIntervalSince1970: 1_795_422_600)
  private static let letters = "abcdefgh"

  private static func job(_ keys: String) throws -> JobScene {
    let files = [
      "pairs.csv": map.pairs([("a", "d"), ("a", "c"), ("h", "b")]), "speeds.csv": speeds, "traffic.json5": traffic,
      "places.csv": map.list("aceh"), "stations.csv": map.list("dfb"),
    ]
    return try JobScene(map, files, "speeds: 'speeds.csv', traffic: 'traffic.json5', \(keys)", by: "automobile")
  }

  /// Calls `body` with directions on the map of a job, and the job's scene.
  private static func with(_ keys: String, _ body: (Directions, JobScene) throws -> Void) throws {
    let scene = try job(keys)
    defer { scene.remove() }
    let network = try StreetNetwork(map: scene.scratch.path("map.opl"), profile: .stock("automobile"))
    let directions = try Directions(
      networks: [network], speeds: [SpeedInput(file: scene.scratch.path("speeds.csv"))],
      traffic: scene.scratch.path("traffic.json5"))
    try body(directions, scene)
  }

  private static func text(_ numbers: Double...) -> String {
    numbers.map { String(format: "%.3f", $0) }.joined(separator: "|") + "\n"
  }

  /// Returns SQL for columns in the format of `text`.
  private static func columns(_ names: String...) -> String {
    names.map { "printf('%.3f', \($0))" }.joined(separator: ", ")
  }

  @Test func jobsAndTheLibraryShareTheirFileOfSpeeds() throws {
    try Self.with("kind: 'etas', pairs: 'pairs.csv', departureDate: '\(Self.monday)'") { _, scene in
      #expect(scene.scratch.files.count { $0.hasSuffix(".speeds") } == 1)
    }
    let scene = try JobScene(
      Self.map, ["pairs.csv": Self.map.pairs([("a", "d")])],
      "kind: 'etas', pairs: 'pairs.csv', traffic: 'porto', departureDate: '\(Self.monday)'", by: "automobile")
    defer { scene.remove() }
    let network = try StreetNetwork(map: scene.scratch.path("map.opl"), profile: .stock("automobile"))
    var request = DirectionsRequest(source: Self.place("a"), destination: Self.place("d"))
    request.departureDate = Self.date
    _ = try Directions(networks: [network], traffic: "porto").calculateETAAndWait(request)
    #expect(scene.scratch.files.count { $0.hasSuffix(".speeds") } == 1)
  }

  private static func place(_ letter: Character) -> Place { Place(coordinate: map[letter]) }

  @Test(arguments: ["departureDate", "arrivalDate"]) func etasEqualThoseOfAJob(key: String) throws {
    try Self.with("kind: 'etas', pairs: 'pairs.csv', \(key): '\(Self.monday)'") { directions, scene in
      let times = try [("a", "d"), ("a", "c"), ("h", "b")].map { (from: Character, to: Character) in
        var request = DirectionsRequest(source: Self.place(from), destination: Self.place(to))
        if key == "departureDate" { request.departureDate = Self.date } else { request.arrivalDate = Self.date }
        let eta = try directions.calculateETAAndWait(request)
        #expect(eta.expectedTravelTime > eta.staticTravelTime ?? .infinity)
        return Self.text(eta.expectedTravelTime, eta.distance)
      }
      let columns = Self.columns("expected_travel_time", "distance")
      try scene.expect("SELECT \(columns) FROM route ORDER BY pair_id", times.joined())
    }
  }

  @Test(arguments: [IsochroneRequest.Direction.fromPlace, .toPlace])
  func areasEqualThoseOfAJob(direction: IsochroneRequest.Direction) throws {
    let isFrom = direction == .fromPlace
    let keys = """
      kind: 'isochrones', origins: 'places.csv', thresholds: [0.5], direction: '\(isFrom ? "from" : "to")',
      \(isFrom ? "departureDate" : "arrivalDate"): '\(Self.monday)'
      """
    try Self.with(keys) { directions, scene in
      let lengths = try "aceh".map { letter in
        var request = IsochroneRequest(place: Self.place(letter), travelTimes: [30])
        request.direction = direction
        if isFrom { request.departureDate = Self.date } else { request.arrivalDate = Self.date }
        let area = try directions.calculateIsochronesAndWait(request)[0]
        return Self.text(area.streetLength.rounded(), area.area.rounded())
      }
      let columns = Self.columns("round(street_length)", "round(area)")
      try scene.expect("SELECT \(columns) FROM isochrone ORDER BY place_id", lengths.joined())
    }
  }

  @Test func nearestPlacesEqualThoseOfAJob() throws {
    let keys = """
      kind: 'access', origins: 'places.csv', stations: 'stations.csv', nearest: 2, direction: 'to',
      departureDate: '\(Self.monday)'
      """
    try Self.with(keys) { directions, scene in
      var request = NearestRequest(
        sources: "aceh".map(Self.place), destinations: "dfb".map(Self.place), count: 2)
      request.departureDate = Self.date
      let found = try directions.calculateNearestAndWait(request).joined().map {
        Self.text($0.expectedTravelTime, $0.distance)
      }
      let columns = Self.columns("expected_travel_time", "distance")
      try scene.expect("SELECT \(columns) FROM access ORDER BY origin_id, rank", found.joined())
    }
  }

  @Test func areasRequireTheTimeAtTheirPlace() throws {
    try Self.with("kind: 'etas', pairs: 'pairs.csv', departureDate: '\(Self.monday)'") { directions, _ in
      var request = IsochroneRequest(place: Self.place("a"), travelTimes: [30])
      (request.direction, request.departureDate) = (.toPlace, Self.date)
      #expect(throws: DirectionsError.timeMissing(isArrival: true)) {
        try directions.calculateIsochronesAndWait(request)
      }
    }
  }

  @Test func speedsApplyInTheirHours() throws {
    try Self.with("kind: 'etas', pairs: 'pairs.csv', departureDate: '\(Self.monday)'") { directions, scene in
      var input = SpeedInput(file: scene.scratch.path("way.csv"))
      input.hours = try WeekHours("Tu 08:00-09:00")
      try scene.scratch.write("way_id,slowness\n1,4\n", to: "way.csv")
      let tuesday = try Directions(networks: directions.networks, speeds: [input])
      var request = DirectionsRequest(source: Self.place("a"), destination: Self.place("c"))
      request.departureDate = Self.date
      let free = try tuesday.calculateETAAndWait(request)
      request.departureDate = Self.date.addingTimeInterval(86_400)
      let slow = try tuesday.calculateETAAndWait(request)
      #expect(free.expectedTravelTime == free.staticTravelTime && slow.expectedTravelTime > free.expectedTravelTime)
    }
  }

  @Test func missingFilesAreReportedWhenDirectionsAreCreated() throws {
    let network = try Self.map.network(profile: .stock("automobile"))
    let errors = [(["none.csv"], nil), ([], "none.json5")].map { (files: [String], traffic: String?) in
      #expect(throws: (any Error).self) {
        try Directions(networks: [network], speeds: files.map(SpeedInput.init), traffic: traffic)
      }
    }
    #expect(
      errors.map { $0.map { "\($0)" } } == [
        "none.csv: no such file", "none.json5: traffic: no such file; expected a file or a stock table: porto",
      ])
  }
}
