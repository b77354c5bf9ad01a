import Foundation
import TestMaps
import Testing

/// Keys of jobs by public transport, and the messages about invalid ones.
struct TransitKeyTests {
  private let map = TestMap("a-b", spacing: 1000).way("ab")

  private func problem(_ keys: String, kind: String = "kind: 'matrix', origins: 'origins.csv'", by type: String) throws
    -> String
  {
    let feed = FeedScene(on: map, "ab", "t,a,1,7:00:00", "t,b,2,7:05:00")
    let error = #expect(throws: (any Error).self) {
      try JobScene(map, ["origins.csv": map.list("ab")], "\(kind), \(keys)", by: type, feed: feed)
    }
    return "\(error as Any)"
  }

  @Test(arguments: [
    ("departures: ['07:00'], date: '2026-11-23'", "gtfs: transit needs a timetable; name a GTFS zip"),
    ("gtfs: 'feed.zip'", "departures: a transit trip needs a departure or an arrival; add departures: {"),
    ("gtfs: 'feed.zip', departures: ['07:00']", "departures: the day is missing; add date"),
    ("gtfs: 'feed.zip', departures: ['07:00'], week: ['Mo']", "week: transit needs a date instead"),
    ("gtfs: 'feed.zip', arrivals: ['07:00']", "arrivals: the day is missing; add date"),
    ("gtfs: 'feed.zip', maximumRides: 9", "maximumRides: got 9, expected a whole number of vehicles"),
    ("gtfs: 'feed.zip', traffic: 'city.json5'", "traffic: vehicles follow their timetable"),
    ("gtfs: 'feed.zip', tollPreference: 'avoid'", "tollPreference: transit trips do not pay tolls"),
    ("gtfs: 'feed.zip', waitLimit: 5", "waitLimit: walks do not wait at closed streets"),
    ("gtfs: 'feed.zip', distances: true", "distances: rides have no distances"),
    ("gtfs: 'feed.zip', departures: ['07:00'], date: '2026-11-23', percentiles: [50]", "two or more departures"),
    ("gtfs: 'feed.zip', departureDate: '2026-11-23T07:00:00Z', percentiles: [50]", "two or more departures"),
    ("gtfs: 'feed.zip', percentiles: [50, 101]", "percentiles: got 101 (entry 2), expected a list of whole numbers"),
    ("gtfs: 'feed.zip', walkLimit: 121", "walkLimit: got 121, expected a number of minutes"),
    ("gtfs: 'feed.zip', boardingSlack: 3601", "boardingSlack: got 3601, expected a whole number of seconds"),
    ("gtfs: ['feed.zip', 'feed.zip']", "expected a path or a list of different paths"),
    (
      "gtfs: 'feed.zip', departures: ['07:00'], date: '2026-11-23', summary: ['waiting']",
      "summary: waiting applies to closed streets"
    ),
  ])
  func transitRefusesInvalidKeys(keys: String, message: String) throws {
    let problem = try problem(keys, by: "transit")
    #expect(problem.contains(message), "\(problem)")
  }

  @Test(arguments: [
    "gtfs: 'feed.zip'", "walkLimit: 10", "boardingSlack: 10", "maximumRides: 2", "headways: 'averageWait'", "limit: 60",
  ])
  func streetsRefuseKeysOfTransit(key: String) throws {
    let problem = try problem(key, by: "walking")
    #expect(problem.contains("it belongs to transportType \"transit\""), "\(problem)")
  }

  @Test func otherKindsRefuseTransit() throws {
    let kind = "kind: 'traces', traces: 'origins.csv'"
    let problem = try problem("gtfs: 'feed.zip'", kind: kind, by: "walking")
    #expect(problem.contains("it belongs to kinds"), "\(problem)")
    let bare = try self.problem("", kind: kind, by: "transit")
    #expect(
      bare.contains("kind traces does not support transit; expected one of routes, matrix, etas, access"), "\(bare)")
  }

  @Test func dateWithoutServiceIsRefused() throws {
    let keys = "gtfs: 'feed.zip', departures: ['07:00'], date: '2027-01-04', timeZone: 'Etc/UTC'"
    let problem = try problem(keys, by: "transit")
    #expect(problem.contains("nothing runs on 2027-01-04 (Monday), but trips run from 2026-01-01"), "\(problem)")
  }
}
