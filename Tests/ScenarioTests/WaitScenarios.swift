import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Trips wait at closed streets, within a limit. 2026-11-20 is a Friday, and clocks show Greenwich time.
struct WaitScenarios {
  /// bc is open from 9:00 to 17:00.
  private static let hours = ["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (09:00-17:00)"]
  private let street = TestMap("a-b-c-d").way("ab").way("bc", hours).way("cd")
  private let block = TestMap(
    """
    a-b-c-d
      | |
      e-f
    """
  ).way("ab").way("bc", hours).way("cd").way("be").way("ef").way("fc")

  private func eta(
    _ map: TestMap, _ time: String, isArrival: Bool = false, minutes: Double = 60, by type: TransportType = .automobile
  ) throws -> ETA? {
    var options = map.options
    options.waitLimit = minutes * 60
    let directions = Directions(network: try map.network(profile: .stock(type)), options: options)
    var request = DirectionsRequest(source: Place(coordinate: map["a"]), destination: Place(coordinate: map["d"]))
    let date = Timestamp("2026-11-20T\(time):00Z")?.date
    (request.departureDate, request.arrivalDate) = isArrival ? (nil, date) : (date, nil)
    request.timeZone = TimeZone(secondsFromGMT: 0)
    do {
      return try directions.calculateETAAndWait(request)
    } catch DirectionsError.directionsNotFound {
      return nil
    }
  }

  @Test(arguments: [
    ("07:30", 60.0, nil), ("08:30", 60.0, 1800.0), ("12:00", 60.0, 0), ("17:00", 60.0, nil), ("17:00", 960.0, 57_600),
    ("08:30", 0.0, nil), ("12:00", 0.0, 0), ("08:50", 10.0, 600),
  ])
  func waitsWithinTheLimit(departure: String, minutes: Double, waiting: Double?) throws {
    let found = try eta(street, departure, minutes: minutes)
    #expect((found == nil) == (waiting == nil))
    // The time that the trip takes to reach the street shortens the wait.
    if let found, let waiting { #expect(abs((found.waitingTime ?? -1) - waiting) < 30) }
  }

  @Test func usesAnotherWayIfTheWaitIsTooLong() throws {
    let (early, noon) = (try eta(block, "07:30"), try eta(block, "12:00"))
    #expect(early?.waitingTime == 0 && noon?.waitingTime == 0)
    #expect(early!.distance > noon!.distance + 150)
  }

  @Test(arguments: [("08:59", nil), ("12:00", 0.0), ("17:30", 1800.0), ("19:00", nil)])
  func arrivalTripsMayBeEarlyWithinTheLimit(arrival: String, waiting: Double?) throws {
    let found = try eta(street, arrival, isArrival: true)
    #expect((found == nil) == (waiting == nil))
    if let found, let waiting { #expect(abs((found.waitingTime ?? -1) - waiting) < 40) }
  }

  @Test func waitsForFerriesHaveNoLimit() throws {
    let ferry = ["highway": "", "route": "ferry", "duration": "10", "opening_hours": "06:00-22:00"]
    let map = TestMap("a-b-c-d").way("ab").way("bc", ferry).way("cd")
    let night = try eta(map, "23:00", minutes: 0, by: .walking)
    #expect((25_000..<27_000).contains(night?.waitingTime ?? 0))
  }

  @Test func boardingCountsAsWaiting() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["highway": "", "route": "ferry", "duration": "10"]).way("cd")
    #expect(try eta(map, "12:00", by: .walking)?.waitingTime == 1020)
  }
}
