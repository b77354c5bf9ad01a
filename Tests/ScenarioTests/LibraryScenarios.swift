import Foundation
import Geography
import Routing
import StreetNetwork
import Synchronization
import TestMaps
import Testing

/// The interface for programs that use the library.
struct LibraryScenarios {
  private let map = TestMap("a-b-c-d").way("abcd")

  @Test func asyncAnswersEqualSynchronousOnes() async throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let request = map.request("a", "d")
    let now = try { try directions.calculateAndWait(request) }()
    let later = try await directions.calculate(request)
    #expect(later == now && !now.isEmpty)
    #expect(try await directions.calculateETA(request).expectedTravelTime == now[0].expectedTravelTime)
  }

  @Test func networksArePreparedOnceByTheFirstRequest() throws {
    let asked = Mutex(0)
    let directions = Directions(networks: [try map.network(profile: .stock("walking"))], options: .init()) { _ in
      asked.withLock { $0 += 1 }
      return nil
    }
    for _ in 0..<3 { _ = try directions.calculateAndWait(map.request("a", "d")) }
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func aCancelledTaskEndsItsRequest() async throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let request = map.request("a", "d")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await directions.calculate(request)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!directions.isCalculating)
  }

  @Test(arguments: [IsochroneRequest.Direction.fromPlace, .toPlace])
  func isochronesReachAsFarAsTrips(direction: IsochroneRequest.Direction) throws {
    let map = TestMap("a-b-c-d").way("abcd", ["oneway": "yes"])
    let directions = Directions(network: try map.network(profile: .stock("automobile")))
    let first = try directions.calculateETAAndWait(map.request("b", "c")).expectedTravelTime
    var request = IsochroneRequest(place: Place(coordinate: map["b"]), travelTimes: [first, first / 2])
    request.direction = direction
    let areas = try directions.calculateIsochronesAndWait(request)
    let length = try directions.calculateETAAndWait(map.request("b", "c")).distance
    #expect(areas.map(\.travelTime) == [first, first / 2])
    #expect(abs(areas[0].streetLength - length) < 1 && abs(areas[1].streetLength - length / 2) < 2)
    #expect(areas[0].area > areas[1].area && areas[0].polygons.count == 1)
  }

  @Test func isochronesOfPlacesOnClosedStreetsAreClosed() throws {
    let map = TestMap("a-b-c").way("ab").way("bc", ["foot:conditional": "no @ (2026 Jan 01-2027 Dec 31)"])
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let midway = Coordinate(latitude: map["b"].latitude, longitude: (map["b"].longitude + map["c"].longitude) / 2)
    var request = IsochroneRequest(place: Place(coordinate: midway), travelTimes: [30, 60])
    #expect(try directions.calculateIsochronesAndWait(request).map(\.isClosed) == [false, false])
    request.departureDate = Timestamp("2026-11-23T08:00:00Z")?.date
    let areas = try directions.calculateIsochronesAndWait(request)
    #expect(areas.map(\.isClosed) == [true, true] && areas.allSatisfy(\.polygons.isEmpty))
  }

  @Test(arguments: [Double.nan, .infinity, 1e18, -1e18])
  func datesBeyondTheCalendarAreRefused(seconds: Double) throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    var request = map.request("a", "d")
    request.departureDate = Date(timeIntervalSince1970: seconds)
    let error = #expect(throws: DirectionsError.self) { try directions.calculateAndWait(request) }
    #expect(error?.localizedDescription.hasSuffix("expected a plausible date for a trip") == true)
  }

  @Test(arguments: [(-5, 60), (.nan, 60), (30, -1), (30, .nan)] as [(Double, Double)])
  func isochronesWithImpossibleValuesAreRefused(buffer: Double, time: Double) throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    var request = IsochroneRequest(place: Place(coordinate: map["a"]), travelTimes: [time])
    request.buffer = buffer
    #expect(throws: DirectionsError.self) { try directions.calculateIsochronesAndWait(request) }
  }

  @Test func equalRequestsHaveEqualRoutesInAnyOrder() throws {
    let network = try map.network(profile: .stock("walking"))
    let first = try Directions(network: network).calculateAndWait(map.request("a", "d"))
    let directions = Directions(network: network)
    _ = try directions.calculateAndWait(map.request("d", "b"))
    let later = try directions.calculateAndWait(map.request("a", "d"))
    #expect(first == later && Set(first) == Set(later))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(first) == encoder.encode(later))
  }

  @Test func aRouteWithADateHasItsFreeFlowTime() throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    var request = map.request("a", "d")
    request.departureDate = Date(timeIntervalSince1970: 1_795_422_600)
    let (route, eta) = (try directions.calculateAndWait(request)[0], try directions.calculateETAAndWait(request))
    #expect(route.waitingTime == 0 && route.waitingTime == eta.waitingTime)
    #expect(route.staticTravelTime == route.expectedTravelTime && route.staticTravelTime == eta.staticTravelTime)
  }

  @Test func aCancelledTaskBuildsNoNetwork() async throws {
    let map = map
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try map.network(profile: .stock("cycling"))
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test func invalidPlacesOfMatricesAreRefused() throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let (good, bad) = (Place(coordinate: map["a"]), Place(latitude: 91, longitude: 0))
    #expect(throws: DirectionsError.invalidPlace(source: true)) {
      try directions.calculateMatrixAndWait(MatrixRequest(sources: [good, bad], destinations: [good]))
    }
    #expect(throws: DirectionsError.invalidPlace(source: false)) {
      try directions.calculateNearestAndWait(NearestRequest(sources: [good], destinations: [bad], count: 1))
    }
  }

  @Test(arguments: [(0, 60), (1, -1), (1, .nan)] as [(Int, Double)])
  func nearestPlacesNeedACountAndATime(count: Int, seconds: Double) throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let place = Place(coordinate: map["a"])
    var request = NearestRequest(sources: [place], destinations: [place], count: count)
    request.timeLimit = seconds
    #expect(throws: DirectionsError.self) { try directions.calculateNearestAndWait(request) }
  }

  @Test func optionsOutOfRangeAreRefused() throws {
    var options = Directions.Options()
    options.snapLimit = -5
    let directions = Directions(network: try map.network(profile: .stock("walking")), options: options)
    let error = #expect(throws: DirectionsError.self) { try directions.calculateAndWait(map.request("a", "d")) }
    #expect("\(error!)" == "snapLimit: got -5, expected a number of metres, over 0, at most 100000")
    var matching = MatchOptions()
    matching.accuracy = 0.5
    let other = #expect(throws: DirectionsError.self) {
      try Directions(network: directions.network).matchAndWait([], options: matching)
    }
    #expect("\(other!)" == "accuracy: got 0.5, expected a number of metres, from 1 to 1000")
  }

  @Test func errorsHaveLocalizedDescriptions() throws {
    let profile = #expect(throws: (any Error).self) { try Profile.stock("bus") }
    let hours = #expect(throws: (any Error).self) { try WeekHours("Fu 00:00-24:00") }
    for error in [profile, hours] { #expect(error?.localizedDescription == error.map { "\($0)" }) }
  }

  @Test func anIsochroneAwayFromStreetsIsRefused() throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let request = IsochroneRequest(place: Place(latitude: 3, longitude: 3), travelTimes: [60])
    let error = #expect(throws: DirectionsError.self) { try directions.calculateIsochronesAndWait(request) }
    #expect(error?.localizedDescription.hasPrefix("the source lies 4") == true, "\(String(describing: error))")
  }

  // MARK: Several networks

  /// Walking is direct; driving takes a detour.
  private let crossing = TestMap(
    """
    a---b
    |   |
    c   |
    |   |
    d---e
    """
  ).way("acd", ["highway": "footway"]).way("ab").way("be").way("ed")

  private func networks() throws -> [StreetNetwork] {
    try ["automobile", "walking"].map { try crossing.network(profile: .stock($0)) }
  }

  @Test func transportTypeSelectsTheNetwork() throws {
    let directions = Directions(networks: try networks())
    var request = crossing.request("a", "d")
    for type in [TransportType.automobile, .walking] {
      request.transportType = type
      #expect(try directions.calculateAndWait(request).map(\.transportType) == [type])
      #expect(try directions.calculateETAAndWait(request).transportType == type)
    }
    request.transportType = .cycling
    #expect(throws: DirectionsError.transportTypeUnavailable(.cycling)) { try directions.calculateAndWait(request) }
  }

  @Test func anyTransportTypeUsesAllNetworksFastestFirst() throws {
    let directions = Directions(networks: try networks())
    var request = crossing.request("a", "d")
    request.transportType = .any
    let routes = try directions.calculateAndWait(request)
    #expect(Set(routes.map(\.transportType)) == [.automobile, .walking])
    #expect(routes.map(\.expectedTravelTime) == routes.map(\.expectedTravelTime).sorted())
    #expect(try directions.calculateETAAndWait(request).transportType == routes[0].transportType)
    // Near the footway, only one of the networks has a street.
    request.source = Place(coordinate: crossing["c"])
    #expect(try !directions.calculateAndWait(request).isEmpty)
  }

  @Test func matricesSelectNetworksLikeRequests() throws {
    let directions = Directions(networks: try networks())
    let (from, to) = (Place(coordinate: crossing["a"]), Place(coordinate: crossing["d"]))
    var (one, many) = (
      DirectionsRequest(source: from, destination: to), MatrixRequest(sources: [from], destinations: [to])
    )
    var nearest = NearestRequest(sources: [from], destinations: [to], count: 1)
    for type in [TransportType.automobile, .walking] {
      (one.transportType, many.transportType, nearest.transportType) = (type, type, type)
      let seconds = try directions.calculateETAAndWait(one).expectedTravelTime
      #expect(try directions.calculateMatrixAndWait(many)[0, 0]?.expectedTravelTime == seconds)
      #expect(try directions.calculateNearestAndWait(nearest)[0].first?.expectedTravelTime == seconds)
    }
  }

  @Test func matricesEndAtAnArrival() throws {
    let map = TestMap("a-b-c").way("abc", ["motor_vehicle:conditional": "no @ (07:00-09:00)"])
    let directions = Directions(network: try map.network(profile: .stock("automobile")))
    var request = MatrixRequest(
      sources: [Place(coordinate: map["a"])], destinations: [Place(coordinate: map["c"])])
    var one = map.request("a", "c")
    let noon = Date(timeIntervalSince1970: 1_795_435_200)
    (request.arrivalDate, one.arrivalDate) = (noon, noon)
    #expect(
      try directions.calculateMatrixAndWait(request)[0, 0]?.expectedTravelTime
        == directions.calculateETAAndWait(one).expectedTravelTime)
  }

  @Test func trafficSlowsDatedRequests() throws {
    let network = try map.network(profile: .stock("automobile"))
    let directions = try Directions(networks: [network], traffic: "porto")
    var request = map.request("a", "d")
    let free = try directions.calculateETAAndWait(request).expectedTravelTime
    // A Monday, 08:30.
    request.departureDate = Date(timeIntervalSince1970: 1_795_422_600)
    let eta = try directions.calculateETAAndWait(request)
    #expect(eta.expectedTravelTime > free * 1.2 && eta.staticTravelTime == free)
    #expect(throws: (any Error).self) { try Directions(networks: [network], traffic: "/nowhere.json5") }
  }
}
