import Foundation
import Geography
import Jobs
import TestMaps
import Testing

/// Areas within time limits on a drawn map: 100 m take 72 s.
struct IsochroneJobTests {
  private let map = TestMap(
    """
    a-b-c-d-e
      |   |
      f-g-h         9
    """
  ).way("abcde").way("bf").way("fgh").way("dh")

  private func scene(_ places: String, _ more: String, workers: Int = 1) throws -> JobScene {
    try JobScene(
      map, ["origins.csv": map.list(places)], "kind: 'isochrones', origins: 'origins.csv', \(more)", workers: workers)
  }

  @Test func streetsAreCutAtTheLimit() throws {
    // 144 s reach c and half of the 200 m from b to f; 150 s reach 8.33 m more on each branch.
    let scene = try scene("a9", "thresholds: [2.4, 2.5], streets: true,")
    defer { scene.remove() }
    try scene.expect(
      "SELECT place_id, from_threshold, threshold, status, street_length FROM isochrone",
      "a|0|144|ok|300.0\na|0|150|ok|317.0\n9|0|144|placemark_not_found|\n9|0|150|placemark_not_found|\n")
    #expect(try scene.unzipped("reached-streets.geojson.gz").split(separator: "\n").count == 4)
  }

  @Test func placesOnClosedStreetsHaveAReasonAndDoNotCount() throws {
    let map = TestMap("a-b-c").way("ab").way("bc", ["foot:conditional": "no @ (2026 Jan 01-2027 Dec 31)"])
    let midway = map["b"].longitude + (map["c"].longitude - map["b"].longitude) / 2
    let places = map.list("ab") + "x,\(midway),\(map["b"].latitude)\n"
    let scene = try JobScene(
      map, ["origins.csv": places],
      "kind: 'isochrones', origins: 'origins.csv', thresholds: [1, 2], departureDate: '2026-11-23T08:00:00Z'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT place_id, status, reason FROM isochrone WHERE threshold = 120",
      "a|ok|\nb|ok|\nx|directions_not_found|closed\n")
    try scene.expect("SELECT subject, reason, count FROM diagnosis", "isochrone|closed|1\n")
    try scene.expect("SELECT value LIKE '% typical one of 2 places %' FROM job WHERE key = 'headline'", "1\n")
    try scene.expect("SELECT value FROM job WHERE key = 'missing'", "1 place on closed streets\n")
  }

  /// The street is 111 m away.
  @Test func headlinesAreOfAThresholdWithAreas() throws {
    let places = "id,lon,lat\nx,\(map["c"].longitude),\(map["c"].latitude + 0.001)\n"
    let scene = try JobScene(
      map, ["origins.csv": places], "kind: 'isochrones', origins: 'origins.csv', thresholds: [0.5, 1, 10]")
    defer { scene.remove() }
    try scene.expect("SELECT value LIKE 'Within 10 min of %' FROM job WHERE key = 'headline'", "1\n")
  }

  /// The crossing of 300 m takes 18 minutes with the wait.
  @Test(arguments: [(10, 100), (40, 200)]) func ferriesExtendTheReachButAreNotInAreas(minutes: Int, metres: Int) throws
  {
    let ferry = ["highway": "", "route": "ferry", "duration": "1"]
    let map = TestMap("a-b---c-d").way("ab").way("bc", ferry).way("cd")
    let scene = try JobScene(
      map, ["origins.csv": map.list("a")],
      "kind: 'isochrones', origins: 'origins.csv', thresholds: [\(minutes)], buffer: 20")
    defer { scene.remove() }
    try scene.expect(
      "SELECT street_length, abs(area / (\(metres) * 40 + \(metres / 100) * 1257) - 1) < 0.1 FROM isochrone",
      "\(metres).0|1\n")
  }

  @Test func reachedStreetsHaveLength() throws {
    // One second is 1.39 m; a millimetre from the corner is less than the precision of coordinates.
    let corner = map["b"]
    let origins = "id,lon,lat\nx,\(corner.longitude),\(corner.latitude)\ny,\(map["a"].longitude + 0.00000004),0\n"
    let scene = try JobScene(
      map, ["origins.csv": origins],
      "kind: 'isochrones', origins: 'origins.csv', thresholds: [0.02, 0.9, 1.8], streets: true")
    defer { scene.remove() }
    for (_, coordinates) in try features(scene, "reached-streets.geojson.gz") {
      for line in coordinates as! [[[Double]]] {
        #expect(line.count >= 2 && zip(line, line.dropFirst()).allSatisfy { $0 != $1 }, "\(line)")
      }
    }
  }

  @Test func areasContainTheirStreetsAndLittleBeyondTheBuffer() throws {
    let scene = try scene("ac", "thresholds: [2, 4], buffer: 20, streets: true,")
    defer { scene.remove() }
    let areas = try features(scene, "isochrones.geojson.gz")
    let streets = try features(scene, "reached-streets.geojson.gz")
    #expect(areas.count == 4)
    for (area, reached) in zip(areas, streets) {
      let polygons = area.coordinates as! [[[[Double]]]]
      let outer = MultiPolygon(rings: polygons.map { ring($0[0]) })
      let lines = (reached.coordinates as! [[[Double]]]).map(ring)
      #expect(!outer.contains(Array(lines.joined())).contains(false))
      // Right-handed and closed, with no corner much farther from the streets than the buffer.
      for rings in polygons {
        #expect(signedArea(rings[0]) > 0 && rings.dropFirst().allSatisfy { signedArea($0) < 0 })
        for position in rings.joined() {
          let corner = Coordinate(latitude: position[1], longitude: position[0])
          let distance = lines.reduce(Double.infinity) { min($0, self.distance(corner, $1)) }
          #expect(distance <= 22.6, "a corner \(distance) m from the streets")
        }
        #expect(rings.allSatisfy { $0.first == $0.last && MultiPolygon.flaw(in: ring($0)) == nil })
      }
    }
  }

  @Test func holesAreKept() throws {
    let scene = try scene("b", "thresholds: [6], buffer: 10,")
    defer { scene.remove() }
    let polygons = try features(scene, "isochrones.geojson.gz")[0].coordinates as! [[[[Double]]]]
    #expect(polygons.count == 1 && polygons[0].count == 2)
  }

  /// Walkers enter the square at b.
  private static let street = TestMap(
    """
      g-------h
      |       |
    a-b3  1  2|
      |       |
      k-------l
    """
  ).way("ab")
  private static let square = street.way("bghlkb", ["highway": "pedestrian", "area": "yes"])
  private static let closedAtNight = street.way(
    "bghlkb", ["highway": "pedestrian", "area": "yes", "foot:conditional": "no @ (22:00-06:00)"])

  @Test func areasContainTheReachedPartOfASquare() throws {
    let map = IsochroneJobTests.square
    let scene = try JobScene(
      map, ["origins.csv": map.list("a")], "kind: 'isochrones', origins: 'origins.csv', thresholds: [4, 6]")
    defer { scene.remove() }
    // 300 m and 450 m take 216 s and 324 s.
    let areas = try features(scene, "isochrones.geojson.gz")
    #expect(areas.map { contains($0.coordinates, [map["1"], map["2"]]) } == [[true, false], [true, true]])
  }

  @Test func areasOfAPlaceOnASquareStartThere() throws {
    let map = IsochroneJobTests.square
    let scene = try JobScene(
      map, ["origins.csv": map.list("1")], "kind: 'isochrones', origins: 'origins.csv', thresholds: [1, 2]")
    defer { scene.remove() }
    try scene.expect("SELECT status, street_length FROM isochrone", "ok|0.0\nok|0.0\n")
    let areas = try features(scene, "isochrones.geojson.gz")
    #expect(areas.map { contains($0.coordinates, [map["1"], map["2"]]) } == [[true, false], [true, true]])
  }

  @Test func closedSquaresAreNotReached() throws {
    let map = IsochroneJobTests.closedAtNight
    let scene = try JobScene(
      map, ["origins.csv": map.list("1a")],
      "kind: 'isochrones', origins: 'origins.csv', thresholds: [4], departures: ['05:00', '12:00'], "
        + "date: '2026-06-01', timeZone: 'Etc/UTC', verify: 10")
    defer { scene.remove() }
    try scene.expect("SELECT place_id, status FROM isochrone", "1|directions_not_found\n1|ok\na|ok\na|ok\n")
    try scene.expect(
      "SELECT value FROM job WHERE key = 'missing'", "1 place on closed streets at some of the 2 hours\n")
    let areas = try features(scene, "isochrones.geojson.gz")
    #expect(areas.map { contains($0.coordinates, [map["1"]]) } == [[true], [false], [true]])
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  /// Walkers from a reach the square 48 s before six, or leave it 48 s after six. The places are 50 m (36 s) and 200 m
  /// from b.
  @Test(arguments: [
    ("thresholds: [3, 5], departures: ['05:58']", [[true, false], [true, true]]),
    ("thresholds: [10], direction: 'to', arrivals: ['06:02']", [[true, false]]),
  ])
  func squaresAreCrossedOnceTheyOpen(keys: String, expected: [[Bool]]) throws {
    let map = IsochroneJobTests.closedAtNight
    let scene = try JobScene(
      map, ["origins.csv": map.list("a")],
      "kind: 'isochrones', origins: 'origins.csv', date: '2026-06-01', timeZone: 'Etc/UTC', \(keys)")
    defer { scene.remove() }
    let areas = try features(scene, "isochrones.geojson.gz")
    #expect(areas.map { contains($0.coordinates, [map["3"], map["1"]]) } == expected)
  }

  @Test func tripsFromAPlaceOnASquareStartWhenItOpens() throws {
    let map = IsochroneJobTests.closedAtNight
    let scene = try JobScene(
      map, ["origins.csv": map.list("1")],
      "kind: 'isochrones', origins: 'origins.csv', thresholds: [1, 3], departures: ['05:58'], date: '2026-06-01', "
        + "timeZone: 'Etc/UTC', verify: 10")
    defer { scene.remove() }
    try scene.expect("SELECT status FROM isochrone", "directions_not_found\nok\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func squaresAreCrossedAtTheSpeedOfTheHour() throws {
    let map = IsochroneJobTests.square
    let scene = try JobScene(
      map,
      ["origins.csv": map.list("a"), "city.json5": "{ classes: { pedestrian: { 'Mo 07:00-08:00': 4 } } }"],
      "kind: 'isochrones', origins: 'origins.csv', thresholds: [6], traffic: 'city.json5', "
        + "departures: ['06:00', '07:00'], week: ['Mo']")
    defer { scene.remove() }
    // 288 s on the square reach 400 m, or 100 m.
    let areas = try features(scene, "isochrones.geojson.gz")
    #expect(areas.map { contains($0.coordinates, [map["3"], map["1"]]) } == [[true, true], [true, false]])
  }

  @Test func bandsWithoutNewStreetsAreEmpty() throws {
    let scene = try scene("c", "thresholds: [30, 40], bands: true,")
    defer { scene.remove() }
    try scene.expect("SELECT status, area > 0 FROM isochrone", "ok|1\nok|0\n")
  }

  @Test func bandsExcludeTheInnerArea() throws {
    let nested = try scene("c", "thresholds: [1, 2, 3],")
    let bands = try scene("c", "thresholds: [1, 2, 3], bands: true,")
    defer {
      nested.remove()
      bands.remove()
    }
    try bands.expect("SELECT from_threshold, threshold FROM isochrone", "0|60\n60|120\n120|180\n")
    let whole = try nested.sql("SELECT area FROM isochrone").split(separator: "\n").compactMap { Double($0) }
    let parts = try bands.sql("SELECT area FROM isochrone").split(separator: "\n").compactMap { Double($0) }
    #expect(whole.count == 3 && whole[0] < whole[1] && whole[1] < whole[2])
    // Borders lie on a grid, so a few square metres are in two areas or in none.
    #expect(abs(parts.reduce(0, +) - whole[2]) <= whole[2] * 0.001)
  }

  @Test func followsTheDirectionOfTravel() throws {
    let street = TestMap("a-b-c-d").way("abcd", ["oneway": "yes"])
    for (direction, length) in [("from", "200"), ("to", "100")] {
      let scene = try JobScene(
        street, ["origins.csv": street.list("b")],
        "kind: 'isochrones', origins: 'origins.csv', thresholds: [60], direction: '\(direction)'", by: "automobile")
      defer { scene.remove() }
      try scene.expect("SELECT street_length FROM isochrone", "\(length).0\n")
    }
  }

  @Test func isIndependentOfTheNumberOfWorkers() throws {
    let places = String(repeating: "abcdefgh9", count: 7)
    let (one, two) = (try scene(places, "streets: true,", workers: 1), try scene(places, "streets: true,", workers: 2))
    defer {
      one.remove()
      two.remove()
    }
    for name in ["isochrones.geojson.gz", "reached-streets.geojson.gz"] {
      #expect(one.scratch.bytes("out/\(name)") == two.scratch.bytes("out/\(name)"))
    }
    #expect(try one.sql("SELECT * FROM isochrone") == two.sql("SELECT * FROM isochrone"))
  }

  // MARK: Geometry

  private func features(_ scene: JobScene, _ name: String) throws -> [(properties: [String: Any], coordinates: Any)] {
    let text = try scene.unzipped(name)
    let collection = try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
    return (collection["features"] as! [[String: Any]]).map { feature in
      (feature["properties"] as! [String: Any], (feature["geometry"] as! [String: Any])["coordinates"]!)
    }
  }

  private func contains(_ coordinates: Any, _ places: [Coordinate]) -> [Bool] {
    let polygons = coordinates as! [[[[Double]]]]
    let outer = MultiPolygon(rings: polygons.map { ring($0[0]) })
    let holes = MultiPolygon(rings: polygons.flatMap { $0.dropFirst().map(ring) })
    return zip(outer.contains(places), holes.contains(places)).map { $0 && !$1 }
  }

  private func ring(_ positions: [[Double]]) -> [Coordinate] {
    positions.map { Coordinate(latitude: $0[1], longitude: $0[0]) }
  }

  private func signedArea(_ ring: [[Double]]) -> Double {
    zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0[0] * $1.1[1] - $1.1[0] * $1.0[1] }
  }

  /// Returns the distance in metres between a point and a line near the equator.
  private func distance(_ point: Coordinate, _ line: [Coordinate]) -> Double {
    zip(line, line.dropFirst()).map { a, b in
      let (dx, dy) = (b.longitude - a.longitude, b.latitude - a.latitude)
      let squared = dx * dx + dy * dy
      let along =
        squared == 0
        ? 0 : min(1, max(0, ((point.longitude - a.longitude) * dx + (point.latitude - a.latitude) * dy) / squared))
      return point.distance(to: Coordinate(latitude: a.latitude + along * dy, longitude: a.longitude + along * dx))
    }.min() ?? .infinity
  }
}
