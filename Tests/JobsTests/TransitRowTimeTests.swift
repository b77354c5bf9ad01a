import Foundation
import Jobs
import Synchronization
import TestMaps
import Testing

/// Transit trips with a departure or an arrival time in their row. Walking a kilometre takes 12 minutes.
struct TransitRowTimeTests {
  private let map = TestMap("a-b-c-d-e-f-g", spacing: 1000).way("abcdefg")
  /// Vehicles go from b to d, and from e to g; riders walk from d to e.
  private var feed: FeedScene {
    FeedScene(on: map, "bdeg", "t,b,1,7:20:00", "t,d,2,7:25:00", "u,e,1,7:45:00", "u,g,2,7:52:00")
  }

  /// Returns pairs from a to g with a column of departure or arrival times.
  private func pairs(_ column: String, _ times: [String]) -> String {
    let lines = map.pairs(times.map { _ in ("a", "g") }).split(separator: "\n")
    return zip(lines, [column] + times).map { "\($0),\($1)" }.joined(separator: "\n")
  }

  private func run(_ pairs: String, kind: String = "etas", _ keys: String = "") throws -> JobScene {
    try JobScene(
      map, ["pairs.csv": pairs],
      "kind: '\(kind)', pairs: 'pairs.csv', timeZone: 'Etc/UTC', gtfs: 'feed.zip', verify: 100, \(keys)",
      by: "transit", feed: feed)
  }

  @Test func rowsMayHaveTheirOwnDepartures() throws {
    let scene = try run(
      pairs("departure_time", ["2026-11-23T07:00:00Z", "2026-11-24T08:05:00+01:00", "2026-11-23T07:30:00Z"]))
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT pair_id, departure_date, rides, round(expected_travel_time / 60), round(waiting_time / 60),
        expected_arrival_date FROM route
      """,
      """
      1|2026-11-23T07:00:00Z|2|52.0|16.0|2026-11-23T07:52:00Z
      2|2026-11-24T08:05:00+01:00|2|47.0|11.0|2026-11-24T08:52:00+01:00
      3|2026-11-23T07:30:00Z|0|72.0|0.0|2026-11-23T08:42:00Z

      """)
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_rows'", "3\n")
  }

  @Test func rowsMayHaveTheirOwnArrivals() throws {
    let scene = try run(pairs("arrival_time", ["2026-11-23T07:52:00Z", "2026-11-23T08:00:00Z"]))
    defer { scene.remove() }
    // The last departure that arrives in time is at 7:07.
    try scene.expect(
      "SELECT substr(departure_date, 12, 5), arrival_time, rides, round(expected_travel_time / 60) FROM route",
      "07:07|2026-11-23T07:52:00Z|2|45.0\n07:07|2026-11-23T08:00:00Z|2|53.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test(arguments: ["etas", "routes"]) func rowsEqualJobsOfOneDeparture(kind: String) throws {
    let rows = try run(pairs("departure_time", ["2026-11-23T07:03:00Z"]), kind: kind)
    defer { rows.remove() }
    let job = try run(map.pairs([("a", "g")]), kind: kind, "departureDate: '2026-11-23T07:03:00Z'")
    defer { job.remove() }
    let route = """
      SELECT pair_id, status, expected_travel_time, access_time, waiting_time, riding_time, transfer_time, egress_time,
        distance, name, step_count, departure_date, expected_arrival_date FROM route
      """
    #expect(try rows.sql(route) == job.sql(route))
    guard kind == "routes" else { return }
    let ride = "SELECT pair_id, ride, trip_id, from_stop, departure_date, to_stop, arrival_date FROM ride"
    #expect(try rows.sql(ride) == job.sql(ride))
    #expect(try rows.sql(ride).contains("1|1|t|b|2026-11-23T07:20:00Z|d|2026-11-23T07:25:00Z"))
    try rows.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func ridesKeepTheOffsetOfTheirPair() throws {
    let scene = try run(pairs("departure_time", ["2026-11-23T02:03:00-05:00"]), kind: "routes")
    defer { scene.remove() }
    try scene.expect("SELECT expected_arrival_date FROM route", "2026-11-23T02:52:00-05:00\n")
    try scene.expect(
      "SELECT departure_date, arrival_date FROM ride WHERE ride = 2",
      "2026-11-23T02:45:00-05:00|2026-11-23T02:52:00-05:00\n")
  }

  @Test(arguments: [("07:15", "1"), ("07:35", "2")]) func feedsCountDeparturesDuringTheTrips(
    last: String, departures: String
  ) throws {
    let scene = try run(
      pairs("departure_time", ["2026-11-23T07:14:00Z", "2026-11-23T\(last):00Z"]), "limit: 20")
    defer { scene.remove() }
    try scene.expect("SELECT departures FROM feed", "\(departures)\n")
  }

  @Test func rowsWithoutATimeUseTheJobsTime() throws {
    let scene = try run(
      pairs("departure_time", ["", "2026-11-23T07:05:00Z"]), "departureDate: '2026-11-23T07:00:00Z'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT pair_id, round(expected_travel_time / 60), substr(departure_date, 12, 5) FROM route",
      "1|52.0|07:00\n2|47.0|07:05\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func datesWithoutServiceAreRejected() throws {
    let scene = try run(
      pairs("departure_time", ["2026-11-23T07:00:00Z", "2027-01-04T07:00:00Z", ""]))
    defer { scene.remove() }
    try scene.expect("SELECT pair_id, round(expected_travel_time / 60) FROM route", "1|52.0\n")
    let rejected = try scene.sql("SELECT line, reason FROM rejected")
    #expect(rejected.contains("feed.zip: nothing runs on 2027-01-04 (Monday), but trips run from 2026-01-01"))
    #expect(rejected.contains("3|departure_time: "), "\(rejected)")
    #expect(
      rejected.contains("4|got no departure_time or arrival_time, and the job has no departureDate or arrivalDate"),
      "\(rejected)")
  }

  /// Service runs only on 31 December; its last vehicle leaves e at 1:45 on the next day.
  @Test func servicePastMidnightRunsOnTheNextDate() throws {
    let night = FeedScene(
      on: map, "bdeg", "t,b,1,25:20:00", "t,d,2,25:25:00", "u,e,1,25:45:00", "u,g,2,25:52:00",
      files: ["calendar_dates.txt": "service_id,date,exception_type\ns,20261231,1"])
    func run(_ pairs: String, _ keys: String = "") throws -> JobScene {
      try JobScene(
        map, ["pairs.csv": pairs],
        "kind: 'etas', pairs: 'pairs.csv', timeZone: 'Etc/UTC', gtfs: 'feed.zip', verify: 100, \(keys)",
        by: "transit", feed: night)
    }
    for column in ["departure_time", "arrival_time"] {
      let (times, minutes) =
        column == "departure_time" ? (["01:00", "01:07"], "52.0\n45.0\n") : (["01:52", "01:59"], "45.0\n52.0\n")
      let rows = try run(pairs(column, times.map { "2027-01-01T\($0):00Z" }))
      defer { rows.remove() }
      try rows.expect("SELECT round(expected_travel_time / 60) FROM route", minutes)
      let notes = Mutex<[String]>([])
      try FileManager.default.removeItem(atPath: rows.scratch.path("out"))
      try rows.run(workers: 1, note: { note in notes.withLock { $0.append(note) } })
      #expect(notes.withLock { $0 }.count { $0.contains("nothing runs on 2027-01-01") } == 1)
      let key = column == "departure_time" ? "departures" : "arrivals"
      let job = try run(map.pairs([("a", "g")]), "\(key): ['\(times[0])', '\(times[1])'], date: '2027-01-01'")
      defer { job.remove() }
      try job.expect("SELECT round(expected_travel_time / 60) FROM route", minutes)
    }
    let late = #expect(throws: (any Error).self) {
      try run(map.pairs([("a", "g")]), "departures: ['11:00', '12:00'], date: '2027-01-01'")
    }
    #expect("\(late as Any)".contains("nothing runs on 2027-01-01"))
  }

  @Test func verifiesRowsWithAndWithoutTheirOwnTime() throws {
    let scene = try run(
      pairs("departure_time", ["2026-11-23T07:03:00Z", ""]), kind: "routes", "departureDate: '2026-11-23T12:00:00Z'")
    defer { scene.remove() }
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func verificationNamesItsSearch() throws {
    let scene = try run(pairs("departure_time", ["2026-11-23T07:00:00Z"]))
    defer { scene.remove() }
    let path = scene.scratch.path("out/results.sqlite")
    let network = try Verification.network(of: path, at: LocatedFiles(), cache: nil, workers: 1) { _ in }
    let outcome = try Verification(of: path, on: network, workers: 1).run(sample: 1, seed: 1)
    #expect(outcome.description.hasPrefix("1 row computed again by a plain timetable search"))
  }

  @Test func rejectsRowsThatTransitDoesNotSupport() throws {
    let scene = try run(
      pairs("avoid", ["", "tolls"]), "departureDate: '2026-11-23T07:00:00Z'")
    defer { scene.remove() }
    try scene.expect("SELECT count(*) FROM route", "1\n")
    try scene.expect("SELECT reason FROM rejected", "the pair avoids tolls or highways, which transit does not use\n")
  }

  @Test func tripsBeyondTheLimitAreReported() throws {
    let scene = try run(pairs("departure_time", ["2026-11-23T07:00:00Z"]), "limit: 30")
    defer { scene.remove() }
    try scene.expect("SELECT status, reason FROM route", "directions_not_found|beyond_limit\n")
  }

  @Test func missingTripsToAnArrivalAreExplained() throws {
    let scene = try run(pairs("arrival_time", ["2026-11-23T07:52:00Z"]), "limit: 30")
    defer { scene.remove() }
    let text = try RowDiagnosis(
      of: "1", in: scene.scratch.path("out/results.sqlite"), at: LocatedFiles(), cache: nil, workers: 1
    ) { _ in }.text
    #expect(
      text.contains("fastest trip by 2026-11-23T07:52:00Z takes 45.0 min, more than the limit of 30.0 min"), "\(text)")
  }

  @Test func percentileRowsDescribeTheTripsOfThatTime() throws {
    let scene = try run(
      map.pairs([("a", "g")]), kind: "routes",
      "percentiles: [50, 100], departures: ['07:00', '07:05', '07:30'], date: '2026-11-23'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT percentile, substr(departure_date, 12, 5), rides, round(expected_travel_time / 60) FROM route",
      "50|07:00|2|52.0\n100|07:30|0|72.0\n")
    try scene.expect("SELECT percentile, ride, trip_id FROM ride", "50|1|t\n50|2|u\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test(arguments: ["etas", "routes"]) func resultsAreIdenticalForAnyNumberOfWorkersAndShards(kind: String) throws {
    // Enough rows for several chunks of each kind.
    let times = (0..<(kind == "etas" ? 13_000 : 2000)).map { row in
      "2026-11-\(23 + row % 3)T07:\(10 + row * 7 % 50):00Z"
    }
    let scene = try run(pairs("departure_time", times), kind: kind)
    defer { scene.remove() }
    let expected = try scene.results(in: "out")
    for workers in [2, 7] {
      try scene.run(workers: workers, shouldStop: { false }) {
        $0.output = scene.scratch.path("out\(workers)")
        $0.verify = nil
      }
      #expect(try scene.results(in: "out\(workers)").tables["route"] == expected.tables["route"])
    }
    try scene.merge(3, workers: 2, into: "merged")
    #expect(try scene.results(in: "merged").tables["route"] == expected.tables["route"])
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
    try scene.runInPart()
    try scene.run(workers: 1)
    #expect(try scene.results(in: "out").tables["route"] == expected.tables["route"])
  }
}
