import Foundation
import Geography
import Input
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Other languages get the same results as Swift, and calls never trap.
struct LibraryTests {
  ///     a--b--c     g
  ///     |  |        |
  ///     d--e--f     h      an island
  private static let map = TestMap("a--b--c  g\n|  |     |\nd--e--f  h")
    .way("abc").way("def").way("ad").way("be").way("gh")
  private static let letters: [Character] = ["a", "b", "c", "d", "e", "f"]
  private static let places = letters.map { map[$0] }
  private static let nowhere = [
    Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 0, longitude: .infinity),
    Coordinate(latitude: 91, longitude: 0), Coordinate(latitude: -80, longitude: 1e300),
  ]

  @Test func answersEqualSwift() throws {
    let library = try CalledLibrary(Self.map)
    let directions = Directions(network: try Self.map.network())
    for (from, place) in zip(Self.letters, Self.places) {
      let found = try library.etas(Array(repeating: place, count: 6), Self.places)
      for (to, trip) in zip(Self.letters, found) {
        let eta = try directions.calculateETAAndWait(Self.map.request(from, to))
        #expect(trip == (eta.expectedTravelTime, eta.distance, "ok"))
      }
    }
  }

  @Test func reportsTheReasonForMissingTrips() throws {
    let library = try CalledLibrary(Self.map, "--snap-limit", "10")
    let trips = try library.etas(Array(repeating: Self.map["a"], count: 4), Self.nowhere)
    #expect(trips.allSatisfy { $0.seconds.isNaN && $0.metres.isNaN && $0.status == "placemark_not_found" })
    #expect(
      throws: CalledLibrary.Failure(code: 2, message: "got 1 origin and 2 destinations, expected equal numbers")
    ) {
      try library.etas([Self.map["a"]], Self.places.prefix(2).map(\.self))
    }
  }

  @Test func reasonsEqualThoseOfTheRouteTable() throws {
    let library = try CalledLibrary(Self.map, "--snap-limit", "10")
    let far = Coordinate(latitude: 1, longitude: 1)
    let found = try library.reasons(
      Array(repeating: Self.map["a"], count: 4), [Self.map["f"], Self.map["g"], far, Self.nowhere[0]])
    #expect(
      found == ["", "destination: island of 2 junctions", "destination: off_map", "destination: invalid"])
  }

  @Test func omitsFixesReceivedLate() throws {
    let library = try CalledLibrary(Self.map)
    let fixes = ["a", "b", "c"].map { Self.map[$0] }
    let (rows, _) = try library.match(fixes, [0, 100, 200], speeds: [3, 3, -1], received: [1, 161, 201], ends: [3])
    let reasons = (rows[0]["fixes"] as! [[String: Any]]).map { $0["reason"] as? String }
    #expect(reasons == [nil, "age", nil])
  }

  @Test func matricesEqualSingleTrips() throws {
    let library = try CalledLibrary(Self.map)
    let places = Self.places + Self.nowhere
    let (seconds, metres) = try library.matrix(places, places)
    for (row, from) in places.enumerated() {
      let trips = try library.etas(Array(repeating: from, count: places.count), places)
      for (column, trip) in trips.enumerated() {
        let cell = row * places.count + column
        #expect(seconds[cell].isNaN == trip.seconds.isNaN && metres[cell].isNaN == trip.metres.isNaN)
        guard !trip.seconds.isNaN else { continue }
        #expect(seconds[cell] == Float((trip.seconds * 1000).rounded()) / 1000)
        #expect(metres[cell] == Float((trip.metres * 100).rounded()) / 100)
      }
    }
  }

  @Test func leavesPaddingBetweenRowsUntouched() throws {
    let library = try CalledLibrary(Self.map)
    let (wide, whole) = try (
      library.matrix(Self.places, Self.places, stride: 9), library.matrix(Self.places, Self.places)
    )
    #expect((0..<6).allSatisfy { wide.seconds[$0 * 9..<$0 * 9 + 6] == whole.seconds[$0 * 6..<$0 * 6 + 6] })
    #expect((0..<6).allSatisfy { wide.seconds[$0 * 9 + 6..<$0 * 9 + 9].allSatisfy { $0 == -1 } })
    #expect(throws: CalledLibrary.Failure(code: 2, message: "stride: got 5, expected at least 6")) {
      try library.matrix(Self.places, Self.places, stride: 5)
    }
  }

  @Test func findsTheNearestFirst() throws {
    let library = try CalledLibrary(Self.map)
    let (found, seconds) = try library.nearest([Self.map["a"], Self.nowhere[0]], Self.places, count: 8)
    #expect(found == [0, 1, 3, 2, 4, 5, -1, -1] + Array(repeating: -1, count: 8))
    #expect(seconds[0] == 0 && seconds[6].isNaN)
    #expect(try library.nearest([Self.map["a"]], Self.places, count: 2, within: 1).found == [0, -1])
  }

  @Test func returnsRoutesWithTheirShapes() throws {
    let library = try CalledLibrary(Self.map)
    let (rows, positions) = try library.routes([Self.map["a"], Self.nowhere[0]], [Self.map["f"], Self.map["f"]])
    #expect(rows.map { $0["pair"] as? Int } == [0, 1])
    #expect(rows.map { $0["status"] as? String } == ["ok", "placemark_not_found"])
    let shape = try #require(rows[0]["shape"] as? [Int])
    let route = try Self.map.route("a", "f")
    #expect(Array(positions[shape[0]..<shape[0] + shape[1]]) == route.polyline.coordinates)
    #expect((rows[0]["steps"] as? [[String: Any]])?.count == route.steps.count)
    #expect(rows[0]["expected_travel_time"] as? Double == route.expectedTravelTime)
  }

  @Test func drawsAreas() throws {
    let library = try CalledLibrary(Self.map)
    let (rows, positions) = try library.isochrones([Self.map["a"], Self.nowhere[0]], [60, 120])
    #expect(rows.map { $0["status"] as? String } == ["ok", "ok", "placemark_not_found"])
    let rings = try #require((rows[1]["polygons"] as? [[[Int]]])?.first?.first)
    #expect(positions[rings[0]] == positions[rings[0] + rings[1] - 1])
    #expect(try #require(rows[0]["area"] as? Double) < #require(rows[1]["area"] as? Double))
  }

  @Test func unreachedAreasHaveNoSize() throws {
    let library = try CalledLibrary(Self.map)
    let place = Coordinate(latitude: Self.map["a"].latitude + 0.002, longitude: Self.map["a"].longitude)
    let (rows, _) = try library.isochrones([place], [10, 600])
    #expect(rows.map { $0["status"] as? String } == ["beyond_limit", "ok"])
    #expect(rows[0]["area"] == nil && rows[0]["street_length"] == nil && rows[1]["area"] is Double)
  }

  @Test func matchesTraces() throws {
    let library = try CalledLibrary(Self.map)
    let fixes = ["a", "b", "c"].map { Self.map[$0] } + ["d", "e"].map { Self.map[$0] }
    let (rows, _) = try library.match(fixes, [0, 100, 200, 0, 100], ends: [3, 5])
    #expect(rows.map { $0["status"] as? String } == ["ok", "ok"])
    #expect(
      throws: CalledLibrary.Failure(code: 2, message: "ends: expected ascending counts of fixes, at most 5")
    ) {
      try library.match(fixes, nil, ends: [4, 3])
    }
  }

  @Test(arguments: [
    (["--map", "/nowhere.osm.pbf"], Int32(3), "/nowhere.osm.pbf: there is no such map"),
    (["--by", "walking"], 2, "--map"),
    (["--map", "m.opl", "--to", "x"], 2, "odometer: unknown option --to"), ([], 2, "--map"),
    (["--map", "m.opl", "--speeds", "[1"], 2, "--speeds: not valid JSON5: "),
    (["--map", "m.opl", "--speeds", "{ dayz: 'Mo' }"], 2, "--speeds: unknown key dayz, expected one of file, "),
    (["--map", "m.opl", "--speeds", "[]"], 2, "--speeds: got an empty list, expected a path"),
  ])
  func reportsTheProblem(words: [String], code: Int32, message: String) throws {
    let failure = try #require(#expect(throws: CalledLibrary.Failure.self) { try CalledLibrary.open(words) })
    #expect(failure.code == code && failure.message.hasPrefix(message), "\(failure.message)")
  }

  @Test func answersByObservedSpeedsEqualSwift() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("way_id,slowness\n1,4\n", to: "speeds.csv")
    let library = try CalledLibrary(
      Self.map, "--by", "automobile", "--speeds", "[{ file: '\(scratch.path("speeds.csv"))', days: 'Mo' }]",
      "--traffic", "porto")
    var input = SpeedInput(file: scratch.path("speeds.csv"))
    input.hours = try WeekHours("Mo 00:00-24:00")
    let network = try Self.map.network(profile: .stock("automobile"))
    let directions = try Directions(networks: [network], speeds: [input], traffic: "porto")
    // A Monday, 08:30.
    let date = Date(timeIntervalSince1970: 1_795_422_600)
    let moment = Int64(date.timeIntervalSince1970 * 1000)

    var trip = Self.map.request("a", "c")
    (trip.departureDate, trip.timeZone) = (date, .gmt)
    let seconds = try directions.calculateETAAndWait(trip).expectedTravelTime
    let (a, c) = (Self.map["a"], Self.map["c"])
    #expect(try seconds > library.etas([a], [c])[0].seconds * 2)
    #expect(try library.etas([a], [c], at: [moment])[0].seconds == seconds)
    #expect(try library.nearest([a], [c], count: 1, at: moment).seconds == [seconds])

    var area = IsochroneRequest(place: Place(coordinate: a), travelTimes: [20])
    (area.departureDate, area.timeZone) = (date, .gmt)
    let (rows, _) = try library.isochrones([a], [20], at: moment)
    let length = try directions.calculateIsochronesAndWait(area)[0].streetLength
    #expect(rows[0]["street_length"].map { "\($0)" } == "\(length)" && length > 0)
  }

  @Test func installsANetworkFile() throws {
    let (scratch, library) = (try Scratch(), try CalledLibrary(Self.map))
    defer { scratch.remove() }
    let file = try #require(library.info["path"] as? String)
    let copy = try CalledLibrary.install(file, in: scratch.path("cache"))
    #expect(copy.hasPrefix(scratch.path("cache")) && FileManager.default.contentsEqual(atPath: copy, andPath: file))
    #expect(throws: CalledLibrary.Failure.self) { try CalledLibrary.install(scratch.path("none.network"), in: copy) }
  }

  @Test func answersAreTheSameForAnyNumberOfThreads() throws {
    let (one, three) = try (CalledLibrary(Self.map, "--workers", "1"), CalledLibrary(Self.map, "--workers", "3"))
    let many = (0..<3000).map { Self.places[$0 % 6] }
    #expect(try one.matrix(many, Self.places).seconds == three.matrix(many, Self.places).seconds)
    let (few, others) = (Array(many.prefix(400)), Array(many.dropFirst().prefix(400)))
    let found = try (one.routes(few, others), three.routes(few, others))
    #expect(found.0.positions == found.1.positions && found.0.rows.count == found.1.rows.count)
    #expect(try one.info["workers"] as? Int == 1 && three.info["workers"] as? Int == 3)
  }

  @Test func cancellingEndsRequests() throws {
    let library = try CalledLibrary(Self.map)
    nonisolated(unsafe) let cancelled = library
    let many = (0..<2_000_000).map { Self.places[$0 % 6] }
    Thread.detachNewThread {
      for _ in 0..<400 {
        usleep(20_000)
        cancelled.cancel()
      }
    }
    #expect(throws: CalledLibrary.Failure(code: 130, message: "the request was cancelled")) {
      try library.etas(many, many)
    }
  }

  /// Invalid numbers of every kind in every position must give results or messages.
  @Test func neverTraps() throws {
    let library = try CalledLibrary(Self.map)
    var random = SeededGenerator(seed: 21)
    let numbers: [Double] = [
      .nan, .infinity, -.infinity, 0, -0.0, 1e300, -1e300, .leastNonzeroMagnitude, 90, -180, 1, 30, 86_400, 86_401,
    ]
    let moments: [Int64] = [.min, .max, 0, -1, 1 << 40, -(1 << 45), 253_402_300_799_999, 1_764_000_000_000]
    func place() -> Coordinate {
      Bool.random(using: &random)
        ? Self.places.randomElement(using: &random)!
        : Coordinate(
          latitude: numbers.randomElement(using: &random)!, longitude: numbers.randomElement(using: &random)!)
    }
    func places() -> [Coordinate] { (0..<Int.random(in: 0...4, using: &random)).map { _ in place() } }
    func number() -> Double { numbers.randomElement(using: &random)! }
    func moment() -> Int64 { moments.randomElement(using: &random)! }
    for _ in 0..<500 {
      let (from, to) = (places(), places())
      _ = try? library.etas(from, to, at: from.map { _ in moment() })
      _ = try? library.matrix(from, to, at: moment())
      _ = try? library.nearest(from, to, count: Int.random(in: -1...9, using: &random), within: number(), at: moment())
      _ = try? library.routes(from, to, alternates: Bool.random(using: &random))
      _ = try? library.isochrones(from, [number(), number()], buffer: number(), at: moment())
      _ = try? library.reasons(from, to)
      _ = try? library.match(
        from, from.map { _ in number() }, from.map { _ in number() }, speeds: from.map { _ in number() },
        courses: from.map { _ in number() }, received: from.map { _ in number() },
        ends: [Int64.random(in: -1...5, using: &random), Int64(from.count)])
    }
  }
}
