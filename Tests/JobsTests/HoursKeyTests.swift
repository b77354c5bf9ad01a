import Foundation
import Synchronization
import TestMaps
import Testing

/// The hours and days that a job may specify.
struct HoursKeyTests {
  /// bc is closed from 8:00 to 9:00.
  private let map = TestMap("a-b-c").way("ab").way("bc", ["motor_vehicle:conditional": "no @ (08:00-09:00)"])

  private func run(_ keys: String, _ kind: String = "kind: 'matrix', origins: 'origins.csv'") throws -> JobScene {
    try JobScene(map, ["origins.csv": map.list("ac")], "\(kind), \(keys)", by: "automobile")
  }

  @Test(arguments: [
    ("departures: ['7'],", "departures: got [\"7\"], expected times, e.g. [\"07:00\", \"07:30\"]"),
    ("departures: ['07:00', '7.30'],", "departures: got \"7.30\" (entry 2), expected times"),
    ("departures: ['07:00', '07:00'],", "departures: got \"07:00\" twice, expected times"),
    ("departures: ['24:01'],", "departures: got [\"24:01\"], expected times"),
    ("departures: { from: '07:00', to: '06:00', every: '1h' },", "departures: got an object, expected times"),
    ("departures: { from: '07:00', to: '08:00', every: '0min' },", "departures: got an object, expected times"),
    ("departures: ['07:00'], arrivals: ['09:00'],", "arrivals: a trip has departures or arrivals, not both"),
    (
      "departures: ['07:00'], departureDate: '2026-11-23T07:00:00Z',",
      "departureDate: the job has departures; use them with date instead"
    ),
    (
      "departures: ['07:00'], week: ['Mo'], date: '2026-11-23',",
      "date: hours belong to a typical week or to a date, not both"
    ),
    ("departures: ['07:00'], date: 'next Mon',", "date: got \"next Mon\", expected a day, e.g. \"2026-11-23\""),
    (
      "departures: ['07:00'], week: ['Mo', 'Mo'],",
      "week: got \"Mo\" twice, expected a list of Mo, Tu, We, Th, Fr, Sa, Su, each once"
    ),
    ("departures: ['07:00'],", "departures: the day is missing; add week: [\"Mo\"] for a typical one"),
    ("week: ['Mo'],", "week: it sets the days of trips; add departures: [\"07:00\"], or arrivals"),
    ("date: 'tomorrow',", "date: it sets the day of trips; add departures"),
    ("hours: ['worst'],", "hours: they summarize the departures of a day; add departures"),
    ("hours: ['p100'],", "hours: got [\"p100\"], expected a list of \"worst\", \"mean\" and percentiles"),
    ("timeZone: 'Europe/Lisbon',", "timeZone: it is the time zone of hours; add departures"),
    (
      "departures: ['07:00'], week: ['Mo'],",
      "departures: free-flow times of a typical week do not depend on the hour; add speeds or traffic"
    ),
  ])
  func rejectsInvalidHours(keys: String, message: String) throws {
    let error = try #require(throws: (any Error).self) { try run(keys) }
    #expect("\(error)".contains(": \(message)"), "\(error)")
  }

  /// The hours are accepted, since a trip that leaves at 23:30 waits for midnight.
  @Test(arguments: [
    "departures: ['22:30', '23:30'], date: '2026-03-31'", "arrivals: ['00:10', '01:30'], date: '2026-11-01'",
  ])
  func hoursMayDependOnClosuresOfAdjacentDays(keys: String) throws {
    let winter = TestMap("a-b-c").way("ab").way("bc", ["motor_vehicle:conditional": "no @ (Nov-Mar)"])
    let scene = try JobScene(
      winter, ["origins.csv": winter.list("ac")], "kind: 'matrix', origins: 'origins.csv', \(keys)", by: "automobile")
    scene.remove()
  }

  /// 08:30 on the map's clock, which shows UTC, in two notations, and 06:30.
  private static let moments = [
    ("2026-06-16T08:30:00Z", true), ("2026-06-16T10:30:00+02:00", true), ("2026-06-16T08:30:00+02:00", false),
  ]

  @Test(arguments: moments) func datesOfJobsAreReadOnTheMapsClock(date: String, isClosed: Bool) throws {
    let scene = try run("departureDate: '\(date)'")
    defer { scene.remove() }
    try scene.expect("SELECT max(expected_travel_time) > 1000 FROM matrix", isClosed ? "1\n" : "0\n")
  }

  @Test(arguments: moments) func timesOfRowsAreReadOnTheMapsClock(date: String, isClosed: Bool) throws {
    let rows = zip(map.pairs([("a", "c")]).split(separator: "\n"), [",departure_time", ",\(date)"])
    let scene = try JobScene(
      map, ["pairs.csv": rows.map { $0 + $1 }.joined(separator: "\n")],
      "kind: 'etas', pairs: 'pairs.csv', verify: 10", by: "automobile")
    defer { scene.remove() }
    try scene.expect("SELECT expected_travel_time > 1000 FROM route", isClosed ? "1\n" : "0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test(arguments: [("departureDate: '2026-10-25T00:30:00Z'", ""), ("verify: 1", "2026-10-25T00:30:00Z")])
  func notesClockChangesAndHolidays(key: String, time: String) throws {
    let map = TestMap("a-b-c").way("ab").way("bc", ["motor_vehicle:conditional": "no @ (PH)"])
    let rows = zip(map.pairs([("a", "c")]).split(separator: "\n"), [",departure_time", ",\(time)"])
    let scene = try JobScene(
      map, ["pairs.csv": rows.map { $0 + $1 }.joined(separator: "\n")],
      "kind: 'etas', pairs: 'pairs.csv', timeZone: 'Europe/Lisbon', \(key)", by: "automobile")
    defer { scene.remove() }
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
    let notes = Mutex<[String]>([])
    try scene.run(workers: 1, note: { note in notes.withLock { $0.append(note) } })
    for text in ["on 2026-10-25 clocks in Europe/Lisbon are turned back", "1 condition of the map depends on holidays"]
    {
      #expect(notes.withLock { $0 }.contains { $0.hasPrefix(text) }, "\(text)")
    }
  }

  @Test func refusesSeveralHoursIfNothingOpensOrCloses() throws {
    let plain = TestMap("a-b").way("ab")
    let error = try #require(throws: (any Error).self) {
      try JobScene(
        plain, ["origins.csv": plain.list("ab")],
        "kind: 'matrix', origins: 'origins.csv', departures: ['07:00', '08:00'], date: '2026-11-23',")
    }
    #expect(
      "\(error)".hasSuffix(
        "departures: free-flow times do not depend on the hour, and nothing on the map opens or closes on 2026-11-23; add speeds or traffic"
      ))
  }
}
