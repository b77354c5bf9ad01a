import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// What programs call that use the library.
struct LibraryScenarios {
  private let map = TestMap("a-b-c-d").way("abcd")

  @Test func awaitedAnswersAreThoseOfTheOthers() async throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let request = map.request("a", "d")
    let now = try { try directions.calculate(request) }()
    let later = try await directions.calculate(request)
    #expect(later == now && !now.isEmpty)
    #expect(try await directions.calculateETA(request).expectedTravelTime == now[0].expectedTravelTime)
  }

  @Test func aCancelledTaskEndsItsRequest() async throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let request = map.request("a", "d")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await directions.calculate(request)
    }
    await #expect(throws: DirectionsError.cancelled) { try await task.value }
    #expect(!directions.isCalculating)
  }

  @Test(arguments: [IsochroneRequest.Direction.fromPlace, .toPlace])
  func isochronesReachAsFarAsTripsDo(direction: IsochroneRequest.Direction) throws {
    let map = TestMap("a-b-c-d").way("abcd", ["oneway": "yes"])
    let directions = Directions(network: try map.network(profile: .stock("automobile")))
    let first = try directions.calculateETA(map.request("b", "c")).expectedTravelTime
    var request = IsochroneRequest(place: Place(coordinate: map["b"]), travelTimes: [first, first / 2])
    request.direction = direction
    let areas = try directions.calculateIsochrones(request)
    let length = try directions.calculateETA(map.request("b", "c")).distance
    #expect(areas.map(\.travelTime) == [first, first / 2])
    #expect(abs(areas[0].streetLength - length) < 1 && abs(areas[1].streetLength - length / 2) < 2)
    #expect(areas[0].area > areas[1].area && areas[0].polygons.count == 1)
  }

  @Test func anIsochroneAwayFromStreetsIsRefused() throws {
    let directions = Directions(network: try map.network(profile: .stock("walking")))
    let request = IsochroneRequest(place: Place(latitude: 3, longitude: 3), travelTimes: [60])
    #expect(throws: DirectionsError.placemarkNotFound(source: true)) { try directions.calculateIsochrones(request) }
  }
}
