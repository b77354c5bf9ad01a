import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

struct DirectionsTests {
  private let block = TestMap(
    """
    a-b-c
      | |  1
    2 | |
    d-e-f-g
    """
  ).way("abc").way("def").way("be").way("cf").way("fg")

  @Test func findsTheFastestRoute() throws {
    #expect(try block.streets("a", "e") == "abc be")
    #expect(try block.streets("a", "g") == "abc be def fg")
  }

  @Test func sumsTheTimesAndDistancesOfStreets() throws {
    let route = try block.route("a", "e")
    #expect(isClose(route.distance, 400))  // 100 m across, 300 m down
    #expect(isClose(route.expectedTravelTime, 288))  // at 5 km/h
  }

  @Test func etasEqualRoutes() throws {
    let directions = Directions(network: try block.network())
    for (from, to) in [("a", "g"), ("1", "2"), ("1", "1"), ("2", "f")] as [(Character, Character)] {
      let eta = try directions.calculateETAAndWait(block.request(from, to))
      let route = try directions.calculateAndWait(block.request(from, to))[0]
      #expect(eta.distance == route.distance && eta.expectedTravelTime == route.expectedTravelTime)
    }
  }

  // MARK: Places

  @Test func tripsToTheSamePlaceAreZero() throws {
    let route = try block.route("1", "1")
    #expect(route.distance == 0 && route.expectedTravelTime == 0)
    #expect(route.steps.count == 1 && route.steps[0].maneuver == .arrive)
    #expect(route.polyline.count == 2)
  }

  /// Place 1 is 150 m from cf, and place 2 is 100 m from def.
  @Test func countsSnapLegsOnFootUnlessDisabled() throws {
    let (with, without) = (try block.route("1", "2"), try block.snapLegs(false).route("1", "2"))
    #expect(isClose(with.distance - without.distance, 250))
    #expect(isClose(with.expectedTravelTime - without.expectedTravelTime, 180))
    #expect(with.polyline.coordinates.first!.distance(to: block["1"]) < 0.02)
    #expect(without.polyline.coordinates.first!.distance(to: block["1"]) > 49)
  }

  @Test func staysOnTheStreetOfBothEnds() throws {
    let map = TestMap("a-----b\n 1 2").way("ab").snapLegs(false)
    let route = try map.route("1", "2")
    #expect(isClose(route.distance, 100))
    #expect(route.polyline.count == 2)
  }

  @Test func respectsOneWaysAroundTheBlock() throws {
    let map = TestMap(
      """
      a-------b
         1 2  |
              |
      d-------c
      """
    ).way("ab", ["oneway:foot": "yes"]).way("bc").way("cd").way("da").snapLegs(false)
    #expect(isClose(try map.route("1", "2").distance, 100))
    #expect(isClose(try map.route("2", "1").distance, 1300))
  }

  @Test func throwsPlacemarkNotFoundBeyondTheSnapLimit() throws {
    #expect(try block.snapLimit(149).streets("1", "a") == "placemarkNotFound")
    #expect(try block.snapLimit(151).streets("1", "a") != "placemarkNotFound")
    let directions = Directions(network: try block.network(), options: block.snapLimit(149).options)
    #expect(throws: DirectionsError.placemarkNotFound(source: true)) {
      try directions.calculateAndWait(block.request("1", "a"))
    }
    #expect(throws: DirectionsError.placemarkNotFound(source: false)) {
      try directions.calculateETAAndWait(block.request("a", "1"))
    }
  }

  @Test func throwsDirectionsNotFoundBetweenComponents() throws {
    let map = TestMap("a-b c-d").way("ab").way("cd")
    #expect(try map.streets("a", "d") == "directionsNotFound")
  }

  @Test func rejectsAnotherTransportType() throws {
    let directions = Directions(network: try block.network())
    var request = block.request("a", "e")
    request.transportType = .walking
    #expect(try directions.calculateAndWait(request).count == 1)
    request.transportType = .automobile
    #expect(throws: DirectionsError.transportTypeUnavailable(.automobile)) { try directions.calculateAndWait(request) }
  }

  // MARK: Dates

  @Test func arrivalIsDeparturePlusTravelTime() throws {
    let directions = Directions(network: try block.network())
    var request = block.request("a", "e")
    #expect(try directions.calculateETAAndWait(request).expectedArrivalDate == nil)
    request.departureDate = Date(timeIntervalSince1970: 1000)
    #expect(
      try directions.calculateETAAndWait(request).expectedArrivalDate.map { isClose($0.timeIntervalSince1970, 1288) }
        == true)
    request.departureDate = nil
    request.arrivalDate = Date(timeIntervalSince1970: 1288)
    #expect(
      try directions.calculateAndWait(request)[0].expectedDepartureDate.map { isClose($0.timeIntervalSince1970, 1000) }
        == true
    )
  }

  // MARK: Tasks

  @Test func servesManyTasksAtOnce() async throws {
    let directions = Directions(network: try block.network())
    let (map, expected) = (block, try block.route("a", "g").distance)
    try await withThrowingTaskGroup(of: Double.self) { group in
      for _ in 0..<64 {
        group.addTask { try directions.calculateAndWait(map.request("a", "g"))[0].distance }
      }
      for try await distance in group { #expect(distance == expected) }
    }
  }

  // MARK: Random maps

  /// Random streets, some of them for destination traffic only, some one-way: the route, the ETA and the oracle agree,
  /// and the steps add up.
  @Test func agreesWithDijkstraOnRandomMaps() throws {
    for seed in 1...150 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let map = randomMap(&random)
      let network = try map.network()
      let router = Router(network, Directions.Options())
      let oracle = Dijkstra(network.arcs(without: nil))
      for _ in 0..<20 {
        func place() -> Coordinate {
          Coordinate(
            latitude: .random(in: -0.008...0.001, using: &random),
            longitude: .random(in: -0.001...0.008, using: &random))
        }
        guard let from = router.end(at: place()), let to = router.end(at: place()) else { continue }
        let way = oracle.path(from: network.sources(from.snap).seeds, to: network.targets(to.snap).seeds)?.weight
        let expected = [way, network.direct(from.snap, to.snap)?.weight].compactMap(\.self).min()
        let route = router.route(from: from, to: to)
        #expect(route?.weight == expected.map { from.leg + $0 + to.leg }, "seed \(seed)\n\(map.opl)")
        #expect(router.weight(from: from, to: to) == route?.weight, "seed \(seed)")
        #expect(route?.steps.reduce(Weight.zero) { $0 + $1.weight } == route?.weight, "seed \(seed)")
        guard let route else { continue }
        #expect(abs(route.polyline.length - route.distance) < 0.6 + Double(route.polyline.count) * 0.02, "seed \(seed)")
      }
    }
  }

  private func randomMap(_ random: inout SeededGenerator) -> TestMap {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    var rows = (0..<8).map { _ in Array(repeating: Character(" "), count: 16) }
    for letter in letters {
      let (row, column) = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<16, using: &random))
      if rows[row][column] == " " { rows[row][column] = letter }
    }
    let drawn = letters.filter { letter in rows.contains { $0.contains(letter) } }
    var map = TestMap(rows.map { String($0) }.joined(separator: "\n"))
    for _ in 0..<Int.random(in: 3...25, using: &random) {
      var way = ""
      for _ in 0..<Int.random(in: 2...5, using: &random) { way.append(drawn.randomElement(using: &random)!) }
      let tags: [[String: String]] = [
        [:], [:], [:], ["access": "destination"], ["oneway:foot": "yes"], ["highway": "steps"],
      ]
      map = map.way(way, tags.randomElement(using: &random)!)
    }
    return map
  }
}
