import Foundation
import Geography
import Input
import Jobs
import Settings
import StreetNetwork
import TestMaps
import Testing

struct CalibrationTests {
  @Test func findsTheSlownessOfHours() throws {
    var scene = try CalibrationScene()
    scene.add(120, hour: 8, among: scene.pairs) { 1.6 * $1 }
    scene.add(120, hour: 12, among: scene.pairs) { 1.1 * $1 }
    let calibration = try scene.calibration()
    let slowness = try calibration.slowness("primary")
    #expect(calibration.isBetter)
    #expect(abs(slowness["Mo-Fr 08:00-09:00"]! - 1.6) < 0.05 && abs(slowness["Mo-Fr 12:00-13:00"]! - 1.1) < 0.05)
  }

  /// A job with the table adds no waits at the ends: the slowness includes them.
  @Test func slownessAbsorbsWaitsAtTheEnds() throws {
    var scene = try CalibrationScene()
    scene.add(100, hour: 8, among: scene.pairs) { 80 + $1 }
    let calibration = try scene.calibration()
    #expect(try calibration.isBetter && calibration.slowness("primary")["Mo-Fr 08:00-09:00"]! > 1.1)
  }

  @Test func omitsHoursThatItCannotImprove() throws {
    var scene = try CalibrationScene()
    scene.add(100, hour: 8, among: scene.pairs) { 1.6 * $1 }
    scene.add(100, hour: 12, among: scene.pairs) { $1 }
    let calibration = try scene.calibration()
    #expect(try Array(calibration.slowness("primary").keys) == ["Mo-Fr 08:00-09:00"])
    #expect(calibration.report.contains("but not at Mo-Fr 12:00-13:00, which stay unchanged"))
  }

  @Test func keepsTheOldTableIfItIsAsGood() throws {
    var scene = try CalibrationScene()
    scene.add(100, hour: 8, among: scene.pairs) { 1.6 * $1 }
    scene.add(100, hour: 12, among: scene.pairs) { 1.3 * $1 }
    let known = "{ \"Mo 12:00-12:30\": 1.3, \"Mo 12:30-13:00\": 1.3, \"Su 12:05-12:10\": 2 }"
    let table = try TrafficTable(
      SettingsFile(name: "traffic", bytes: Data("{ classes: { primary: \(known), street: \(known) } }".utf8)))
    let slowness = try scene.calibration { $0.traffic = table }.slowness("street")
    #expect(slowness.keys.sorted() == ["Mo 12:00-13:00", "Mo-Fr 08:00-09:00", "Su 12:05-12:10"])
    #expect(slowness["Mo 12:00-13:00"] == 1.3 && slowness["Su 12:05-12:10"] == 2)
  }

  /// Values from a Saturday would have to be tested on another Saturday, and there is none.
  @Test func oneDayIsNotEnoughForAnHour() throws {
    var scene = try CalibrationScene()
    let pairs = scene.pairs
    for index in 0..<60 {
      let (day, pair) = (9 + index % 12, pairs[index % pairs.count])
      let ends = [pair.first!, pair.last!].map { CalibrationScene.map[$0] }
      let seconds = scene.freeFlow(pair.first!, pair.last!)
      // The 14th is a Saturday.
      let time = "2026-11-\(day < 10 ? "0" : "")\(day)T08:30:00"
      scene.add(time, ends[0], ends[1], (day == 14 ? 1.2 : 1.5) * seconds)
    }
    let calibration = try scene.calibration { $0.bands = ["Mo-Fr 08:00-09:00", "Sa 08:00-09:00"] }
    #expect(try Array(calibration.slowness("primary").keys) == ["Mo-Fr 08:00-09:00"])
  }

  /// Rows of the map are primary roads, columns are residential.
  @Test func findsTheSlownessOfClasses() throws {
    var scene = try CalibrationScene()
    let (rows, columns) = (["ae", "fj", "ok", "tp", "ad"], ["ap", "bq", "rc", "sd", "to"])
    scene.add(100, hour: 8, among: rows) { 2 * $1 }
    scene.add(100, hour: 8, among: columns) { 1.2 * $1 }
    let calibration = try scene.calibration()
    #expect(try abs(calibration.slowness("primary")["Mo-Fr 08:00-09:00"]! - 2) < 0.1)
    #expect(try abs(calibration.slowness("street")["Mo-Fr 08:00-09:00"]! - 1.2) < 0.1)
    let chosen = try #require(calibration.report.split(separator: "\n").first { $0.contains("chosen") })
    #expect(calibration.isBetter && chosen.contains("+ road groups by hour"))
  }

  @Test func freeFlowTripsGiveNoBetterTable() throws {
    var scene = try CalibrationScene()
    scene.add(100, hour: 8, among: scene.pairs) { $1 }
    let calibration = try scene.calibration()
    #expect(!calibration.isBetter && calibration.report.contains("not better: nothing is written"))
  }

  /// A table cannot improve on itself.
  @Test func isNotBetterThanItsOwnTable() throws {
    var scene = try CalibrationScene()
    scene.add(100, hour: 8, among: scene.pairs) { 1.6 * $1 }
    scene.add(100, hour: 9, among: scene.pairs) { 1.2 * $1 }
    let first = try scene.calibration()
    let table = try TrafficTable(SettingsFile(name: "traffic", bytes: Data(first.traffic.utf8)))
    let second = try scene.calibration { $0.traffic = table }
    #expect(first.isBetter && !second.isBetter)
  }

  @Test func isTheSameForAnyNumberOfWorkers() throws {
    var scene = try CalibrationScene()
    scene.add(150, hour: 8, among: scene.pairs) { pair, seconds in 40 + (pair < "j" ? 1.3 : 1.7) * seconds }
    let (one, three) = (try scene.calibration(), try scene.calibration { $0.workers = 3 })
    #expect(one.traffic == three.traffic && one.report == three.report)
  }

  @Test func isRobustAgainstAFewOutliers() throws {
    var scene = try CalibrationScene()
    scene.add(190, hour: 8, among: scene.pairs) { 1.5 * $1 }
    scene.add(10, hour: 8, among: scene.pairs) { min(3500, 10 * $1) }
    let slowness = try scene.calibration().slowness("primary")["Mo-Fr 08:00-09:00"]!
    #expect(abs(slowness - 1.5) < 0.1)
  }

  @Test func joinsHoursWithFewTrips() throws {
    var scene = try CalibrationScene()
    for (hour, count) in [(6, 50), (7, 20), (8, 25), (20, 5)] {
      scene.add(count, hour: hour, among: scene.pairs) { 1.5 * $1 }
    }
    let hours = try scene.calibration().slowness("primary").keys.sorted()
    #expect(hours == ["Mo-Fr 06:00-07:00", "Mo-Fr 07:00-09:00", "Mo-Fr 20:00-21:00"])
  }

  @Test func usesTheGivenHours() throws {
    var scene = try CalibrationScene()
    scene.add(100, hour: 8, among: scene.pairs) { 1.5 * $1 }
    scene.add(30, hour: 12, among: scene.pairs) { 1.5 * $1 }
    let calibration = try scene.calibration { $0.bands = ["Mo 07:30-09:15"] }
    #expect(try Array(calibration.slowness("primary").keys) == ["Mo 07:30-09:15"])
    #expect(calibration.traffic.contains("periods: \"15min\""))
    #expect(calibration.report.contains("30 outside the hours of --bands"))
  }

  private static let hours =
    "expected days and a time range that ends by midnight, e.g. Mo-Fr 07:30-09:00, or Fr 22:00-24:00 and Sa 00:00-02:00 for a night"

  @Test(arguments: [
    (["soon"], "got the hours soon, \(CalibrationTests.hours)"),
    (["Mo 22:00-02:00"], "got the hours Mo 22:00-02:00, \(CalibrationTests.hours)"),
    (["Mo 08:00-08:07"], "got the hours Mo 08:00-08:07, expected start and end at multiples of five minutes"),
    (["Mo-Fr 07:00-09:00", "We 08:00-10:00"], "the hours Mo-Fr 07:00-09:00 and We 08:00-10:00 overlap"),
  ])
  func refusesInvalidHours(bands: [String], sentence: String) throws {
    var scene = try CalibrationScene()
    scene.add(20, hour: 8, among: scene.pairs) { $1 }
    let error = #expect(throws: OdometerError.self) { try scene.calibration { $0.bands = bands } }
    #expect(error?.description == sentence)
  }

  @Test func countsOmittedTripsByReason() throws {
    var scene = try CalibrationScene()
    scene.add(40, hour: 8, among: scene.pairs) { 1.5 * $1 }
    let (a, t) = (CalibrationScene.map["a"], CalibrationScene.map["t"])
    let time = "2026-11-23T08:30:00Z"
    scene.add(time, a, t, 89)
    scene.add(time, a, t, 3601)
    scene.add(time, Coordinate(latitude: 0.01, longitude: -0.01), t, 600)
    scene.add(time, a, a, 600)
    let report = try scene.calibration().report
    #expect(report.hasPrefix("40 of 44 trips, 2026-11-23T08:10:00Z to 2026-11-23T08:49:00Z"))
    let reasons = [
      "1 shorter than 90 s (line 42)", "1 longer than 1 h (line 43)",
      "1 with an end more than 150 m from a street (line 44)", "1 with a fastest route of less than 10 s (line 45)",
    ]
    #expect(report.contains("left out: \(reasons.joined(separator: "; "))\n"))
  }

  @Test func reportHasTenLinesAtMost() throws {
    let map = CalibrationScene.map
    let positions = "abcde".map { "[\(map[$0].longitude),\(map[$0].latitude)]" }.joined(separator: ",")
    let rows = (0..<24).map { "2026-11-23T\($0 < 10 ? "0" : "")\($0):30:00,\"[\(positions)]\"\n" }
    let text = "TIMESTAMP,POLYLINE\n" + rows.joined() + rows.joined() + ",\"[]\"\n"
    let report = try CalibrationScene().calibration(of: text) { $0.interval = 100 }.report
    #expect(report.contains("rejected: 1") && report.split(separator: "\n").count == 10, "\(report)")
  }

  /// The distance of a trace shows that the trip made a detour.
  @Test func omitsTripsWhoseTraceIsNotAFastestPath() throws {
    let map = CalibrationScene.map
    let scene = try CalibrationScene()
    func row(_ letters: String) -> String {
      let positions = letters.map { "[\(map[$0].longitude),\(map[$0].latitude)]" }.joined(separator: ",")
      return "1795422600,\"[\(positions)]\"\n"
    }
    let text = "TIMESTAMP,POLYLINE\n" + String(repeating: row("abcde"), count: 30) + row("abcdchmhcde") + row("aqe")
    let report = try scene.calibration(of: text) { $0.interval = 100 }.report
    #expect(report.contains("30 of 32 trips") && report.contains("a position every 100 s"))
    #expect(report.contains("2 longer than 1.5 times the fastest route plus 300 m (lines 32, 33)"), "\(report)")
  }

  @Test(arguments: [
    ("1,2026-11-23T08:30:00,0,0,0.04,0,", "duration is empty"),
    ("1,2026-11-23T08:30:00,0,0,0.04,0,-5", "duration \"-5\" is not a non-negative number"),
    ("1,,0,0,0.04,0,300", "departure_time is empty"),
    ("1,2026-11-23T08:30:00,0,0,0.04,0", "got 6 fields, expected 7 as in the header"),
    ("1,2026-11-23T08:30:00,0,0,x,0,300", "to_lon \"x\" is not a number"),
  ])
  func rejectsInvalidRows(row: String, reason: String) throws {
    var scene = try CalibrationScene()
    scene.add(30, hour: 8, among: scene.pairs) { 1.5 * $1 }
    let calibration = try scene.calibration(of: CalibrationScene.header + scene.rows.joined() + row + "\n")
    #expect(calibration.rejected.map { "\($0.line) \($0.reason)" } == ["32 \(reason)"])
    #expect(calibration.report.contains("rejected: 1"))
  }

  @Test(arguments: [
    ("id,from_lon,from_lat,to_lon,to_lat,duration\n1,0,0,1,1,5\n", "the header has no column for the departure"),
    ("id,departure_time,from_lon,from_lat,to_lon,to_lat\n1,1,0,0,1,1\n", "the header has no column for the duration"),
    ("id,departure_time,from_lon,from_lat,to_lon,duration\n1,1,0,0,1,1\n", "no column for the destination's latitude"),
    (
      "id,from_lon,to_lon,to_lat\n1,0,1,1\n",
      "the header has no columns for the origin's latitude, the departure, the duration: got id, from_lon, to_lon, to_lat, "
        + "expected columns such as origin_lat, departure_time, duration"
    ),
    ("", "the file is empty"),
    (CalibrationScene.header, "the file has no rows"),
  ])
  func refusesFilesWithoutTrips(text: String, sentence: String) throws {
    let scene = try CalibrationScene()
    let error = #expect(throws: OdometerError.self) { try scene.calibration(of: text) }
    #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
  }

  @Test func refusesTooFewTrips() throws {
    var scene = try CalibrationScene()
    scene.add(19, hour: 8, among: scene.pairs) { 1.5 * $1 }
    let error = #expect(throws: OdometerError.self) { try scene.calibration() }
    #expect(error?.problem == "got 19 usable trips, expected 20 or more; left out: none")
  }
}
