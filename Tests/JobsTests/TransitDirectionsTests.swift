import Foundation
import Routing
import StreetNetwork
import TestMaps
import Testing
import TransitNetwork

/// Public transport in the library, on drawn maps: results equal those of jobs. Walking a kilometre takes 12 minutes.
struct TransitDirectionsTests {
  private let map = TestMap("a-b-c-d-e-f-g", spacing: 1000).way("abcdefg", ["name": "Rua"])
  /// Vehicles go from b to d, and from e to g; riders walk from d to e.
  private var feed: FeedScene {
    FeedScene(on: map, "bdeg", "t,b,1,7:20:00", "t,d,2,7:25:00", "u,e,1,7:45:00", "u,g,2,7:52:00")
  }

  /// Calls `body` with directions that use a feed.
  private func withDirections<R>(
    _ options: TransitNetwork.Options = .init(), networks: [StreetNetwork]? = nil, _ body: (Directions) throws -> R
  ) throws -> R {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try feed.zip().write(to: URL(fileURLWithPath: scratch.path("feed.zip")))
    let transit = try TransitNetwork(gtfs: [scratch.path("feed.zip")], network: map.network(), options: options)
    return try body(Directions(transit: transit, networks: networks))
  }

  private func place(_ letter: Character) -> Place { Place(coordinate: map[letter]) }
  /// Returns a time on 2026-11-23, in UTC.
  private func date(_ clock: String) -> Date {
    let parts = clock.split(separator: ":").compactMap { Double($0) }
    return Date(timeIntervalSince1970: 1_795_392_000 + parts[0] * 3600 + parts[1] * 60)
  }

  private func request(_ from: Character, _ to: Character, at clock: String = "07:00") -> DirectionsRequest {
    var request = DirectionsRequest(source: place(from), destination: place(to))
    (request.transportType, request.departureDate) = (.transit, date(clock))
    request.timeZone = TimeZone(identifier: "Etc/UTC")
    return request
  }

  private func minutes(_ seconds: Double) -> Int { Int((seconds / 60).rounded()) }

  @Test func routesHaveStepsOfSeveralTransportTypes() throws {
    let route = try withDirections { try $0.calculateAndWait(request("a", "g"))[0] }
    #expect(route.transportType == .transit && route.name == "5")
    #expect(
      route.steps.map { "\($0.maneuver.rawValue) \($0.transportType.rawValue) \(minutes($0.expectedTravelTime))" } == [
        "depart walking 12", "wait walking 8", "board transit 5", "depart walking 12", "wait walking 8",
        "board transit 7", "arrive walking 0",
      ])
    #expect(minutes(route.expectedTravelTime) == 52 && route.waitingTime.map(minutes) == 16)
    #expect(route.steps.reduce(0) { $0 + $1.expectedTravelTime } == route.expectedTravelTime)
    #expect(route.expectedDepartureDate == date("07:00") && route.expectedArrivalDate == date("07:52"))
  }

  @Test func etasEqualThoseOfRoutes() throws {
    let (eta, route) = try withDirections {
      (try $0.calculateETAAndWait(request("a", "g")), try $0.calculateAndWait(request("a", "g"))[0])
    }
    #expect(eta.transportType == .transit && eta.expectedTravelTime == route.expectedTravelTime)
    #expect(eta.waitingTime == route.waitingTime && eta.expectedArrivalDate == date("07:52"))
  }

  @Test func arrivalTripsLeaveLate() throws {
    var late = request("a", "g")
    (late.departureDate, late.arrivalDate) = (nil, date("08:00"))
    let eta = try withDirections { try $0.calculateETAAndWait(late) }
    // A minute of waiting at b before 7:20, after 12 minutes on foot.
    #expect(minutes(eta.expectedTravelTime) == 53 && eta.expectedArrivalDate == date("08:00"))
  }

  @Test func walkingAllTheWayIsWalking() throws {
    let eta = try withDirections { try $0.calculateETAAndWait(request("a", "b")) }
    #expect(eta.transportType == .walking && minutes(eta.expectedTravelTime) == 12)
  }

  @Test func matricesEqualThoseOfAJob() throws {
    let keys = "departures: ['07:00', '07:05', '07:10'], percentiles: [0, 50, 100], format: ['npy']"
    let scene = try JobScene(
      map, ["origins.csv": map.list("abc"), "destinations.csv": map.list("deg")],
      """
      kind: 'matrix', origins: 'origins.csv', destinations: 'destinations.csv', \(keys), date: '2026-11-23',
      timeZone: 'Etc/UTC', gtfs: 'feed.zip'
      """, by: "transit", feed: feed)
    defer { scene.remove() }
    var request = TransitMatrixRequest(sources: "abc".map(place), destinations: "deg".map(place))
    (request.departureDates, request.percentiles) = (["07:00", "07:05", "07:10"].map(date), [0, 50, 100])
    request.timeZone = TimeZone(identifier: "Etc/UTC")
    let matrices = try withDirections { try $0.calculateTransitMatricesAndWait(request) }
    let cells = (0..<3).flatMap { origin in
      matrices.flatMap { matrix in (0..<3).map { Float(matrix[origin, $0]?.expectedTravelTime ?? .nan) } }
    }
    let npy = scene.bytes("travel_times.npy").suffix(cells.count * 4)
    #expect(npy == cells.withUnsafeBytes { Data($0) } && matrices.count == 3)
  }

  @Test func plainMatrixRequestsUseTransit() throws {
    var request = MatrixRequest(sources: [place("a")], destinations: [place("g")])
    (request.transportType, request.departureDate) = (.transit, date("07:00"))
    request.timeZone = TimeZone(identifier: "Etc/UTC")
    let cell = try withDirections { try $0.calculateMatrixAndWait(request)[0, 0] }
    #expect(cell.map { minutes($0.expectedTravelTime) } == 52 && cell?.distance == nil)
  }

  @Test func optionsLimitTimesAndWalks() throws {
    var options = TransitNetwork.Options()
    options.timeLimit = 3000
    #expect(throws: DirectionsError.directionsNotFound) {
      try withDirections(options) { try $0.calculateETAAndWait(request("a", "g")) }
    }
    // No stop is within the walk limit, so only walking all the way remains.
    (options.timeLimit, options.walkLimit) = (7200, 600)
    let eta = try withDirections(options) { try $0.calculateETAAndWait(request("a", "g")) }
    #expect(eta.transportType == .walking && minutes(eta.expectedTravelTime) == 72)
  }

  @Test func optionsOutOfRangeAreRefused() throws {
    var options = TransitNetwork.Options()
    options.maximumRides = 0
    let error = #expect(throws: DirectionsError.self) { try withDirections(options) { _ in } }
    #expect("\(error!)" == "maximumRides: got 0, expected a whole number of vehicles from 1 to 8")
    var matrix = TransitMatrixRequest(sources: [place("a")], destinations: [place("g")])
    (matrix.departureDates, matrix.percentiles) = ([date("07:00")], [101])
    let other = #expect(throws: DirectionsError.self) {
      try withDirections { try $0.calculateTransitMatricesAndWait(matrix) }
    }
    #expect("\(other!)" == "percentiles: got 101, expected a whole number from 0 to 100")
  }

  @Test func streetNetworksAnswerTheirTransportTypes() throws {
    let walking = try map.network()
    var onFoot = request("a", "c")
    onFoot.transportType = .walking
    let eta = try withDirections(networks: [walking]) { try $0.calculateETAAndWait(onFoot) }
    #expect(eta.transportType == .walking && minutes(eta.expectedTravelTime) == 24)
    #expect(throws: DirectionsError.transportTypeUnavailable(.transit)) {
      try Directions(network: walking).calculateETAAndWait(request("a", "c"))
    }
  }

  @Test func datesWithoutServiceAndInvalidDeparturesAreRefused() throws {
    var early = request("a", "g")
    early.departureDate = try Date("2025-11-23T07:00:00Z", strategy: .iso8601)
    let error = #expect(throws: (any Error).self) { try withDirections { try $0.calculateETAAndWait(early) } }
    #expect(error.map { "\($0)" }?.contains("nothing runs on 2025-11-23 (Sunday)") == true)
    var days = TransitMatrixRequest(sources: [place("a")], destinations: [place("g")])
    #expect(throws: DirectionsError.invalidDepartures) {
      try withDirections { try $0.calculateTransitMatricesAndWait(days) }
    }
    days.departureDates = [date("07:00"), date("07:00").addingTimeInterval(86_400)]
    #expect(throws: DirectionsError.invalidDepartures) {
      try withDirections { try $0.calculateTransitMatricesAndWait(days) }
    }
  }
}
