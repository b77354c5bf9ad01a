import Jobs
import Tables
import TestMaps
import Testing

/// Traces on a drawn map, with 100 m between letters.
struct TraceJobTests {
  private let map = TestMap(
    """
    a-b-c-d-e
      |   |
      f-g-h         9
    """
  ).way("abcde").way("bf").way("fgh").way("dh")

  private func scene(
    _ traces: [String], _ keys: String = "", by type: String = "automobile", workers: Int = 1
  ) throws -> JobScene {
    try JobScene(
      map, ["traces.csv": map.traces(traces)], "kind: 'traces', traces: 'traces.csv', verify: 100, \(keys)", by: type,
      workers: workers)
  }

  /// Enough traces for several chunks.
  private var many: [String] {
    (0..<150).map { index in
      map.fixes(
        "t\(index)", along: ["abcde", "edhgf", "abfgh", "hdcba"][index % 4], speed: 4 + Double(index % 5),
        at: TestMap.monday + Double(index) * 600)
    }
  }

  @Test func describesATraceFromItsFixesToItsStreets() throws {
    let scene = try scene([map.fixes("t", along: "abcde")])
    defer { scene.remove() }
    try scene.expect(
      "SELECT trace_id, status, fix_count, kept_count, matched_count, part_count, stop_count, u_turn_count FROM trace",
      "t|ok|17|17|17|1|0|0\n")
    try scene.expect(
      "SELECT observed_time, departure_date, arrival_date, weekday, hour FROM trace",
      "80.0|2026-11-23T08:00:00Z|2026-11-23T08:01:20Z|Mo|8\n")
    try scene.expect("SELECT round(distance), own_length FROM trace", "400.0|400.0\n")
    try scene.expect("SELECT count(*), sum(kept), count(reason), count(street_fid) FROM fix", "17|17|0|17\n")
    try scene.expect("SELECT begin_reason, first_fix, last_fix FROM trace_part", "start|0|16\n")
  }

  @Test func datesAfterAClockChangeHaveTheNewOffset() throws {
    let lastMinute = 1_774_745_940.0  // 29 March 2026, 01:59 in Berlin
    let scene = try scene(
      [map.fixes("t", along: "abcde", speed: 1, every: 10, at: lastMinute)], "timeZone: 'Europe/Berlin'", by: "walking")
    defer { scene.remove() }
    for table in ["trace", "trace_part"] {
      try scene.expect(
        "SELECT departure_date, substr(arrival_date, 11), substr(expected_arrival_date, 11, 4), "
          + "substr(expected_arrival_date, -6) FROM \(table)",
        "2026-03-29T01:59:00+01:00|T03:05:40+02:00|T03:|+02:00\n")
    }
  }

  @Test func namesStreetsInTheOrderOfTravel() throws {
    let scene = try scene([map.fixes("t", along: "abfgh")])
    defer { scene.remove() }
    let streets = "trace_street JOIN street_used ON street_used.fid = street_fid"
    try scene.expect(
      "SELECT n, name, is_u_turn FROM \(streets) ORDER BY trace_street.fid", "0|abcde|0\n1|bf|0\n2|fgh|0\n")
    try scene.expect("SELECT from_offset, to_offset, length FROM \(streets) WHERE name = 'bf'", "0.0|200.0|200.0\n")
    try scene.expect(
      "SELECT count(*) FROM trace_street WHERE enter_date < leave_date AND leave_date <= '2026-11-23T08:01:40Z'", "3\n")
  }

  @Test func aTripThatEndsWithAStopEndsWhenTheStopEnds() throws {
    let parked = (1...120).map {
      "t,\(TestMap.monday + 80 + Double($0) * 5),\(map["e"].longitude),\(map["e"].latitude)\n"
    }
    let scene = try scene([map.fixes("t", along: "abcde") + parked.joined()])
    defer { scene.remove() }
    try scene.expect(
      "SELECT distance_count, arrival_date, observed_time, moving_time + dwell_time, stop_count FROM trace",
      "120|2026-11-23T08:11:20Z|680.0|680.0|1\n")
    try scene.expect("SELECT last_fix, observed_time FROM trace_part", "136|680.0\n")
  }

  @Test func turnsAtTheOutermostFixEvenIfDropped() throws {
    let scene = try scene([map.fixes("t", along: "abcba", speed: 1.5, every: 2)], by: "walking")
    defer { scene.remove() }
    try scene.expect("SELECT status, u_turn_count, abs(distance - 400) < 10 FROM trace", "ok|1|1\n")
    try scene.expect("SELECT count(*) > 50 FROM fix WHERE reason = 'distance'", "1\n")
  }

  @Test func reportsEqualTimesOfAllFixes() throws {
    let rows = map.fixes("t", along: "abcde").split(separator: "\n").map { row in
      let fields = row.split(separator: ",")
      return "\(fields[0]),\(TestMap.monday),\(fields[2]),\(fields[3])\n"
    }
    let scene = try scene([rows.joined()])
    defer { scene.remove() }
    try scene.expect(
      "SELECT status, status_reason, round(distance), observed_time, moving_time, departure_date FROM trace",
      "doubtful|all fixes have the same time|400.0|||\n")
    try scene.expect("SELECT count(*) FROM observed_speed", "0\n")
  }

  /// The distances of fixes are not stored one by one, unlike the other measures.
  @Test func statisticsOfFixesLeaveOutDoubtfulTraces() throws {
    let doubtful = map.fixes("u", along: "edcb").replacing(/u,[0-9.]+/) { _ in "u,\(TestMap.monday)" }
    let scene = try scene([map.fixes("t", along: "abcde"), doubtful])
    defer { scene.remove() }
    try scene.expect("SELECT status, matched_count > 0 FROM trace ORDER BY trace_id", "ok|1\ndoubtful|1\n")
    try scene.expect(
      """
      SELECT count = (SELECT matched_count FROM trace WHERE trace_id = 't') FROM statistic
        WHERE measure = 'snap_distance'
      """, "1\n")
  }

  /// Returns the fixes of a trip from a to e, 80 s long, omitting the times of fixes for which `isMissing` returns
  /// true.
  private func fixes(without isMissing: (Int) -> Bool) -> String {
    map.fixes("t", along: "abcde").split(separator: "\n").enumerated().map { index, row in
      let fields = row.split(separator: ",")
      return "t,\(isMissing(index) ? "" : fields[1]),\(fields[2]),\(fields[3])\n"
    }.joined()
  }

  @Test(arguments: [2, 4, 8, 16])
  func missingTimesBetweenOthersDoNotChangeTheResult(step: Int) throws {
    let scene = try scene([fixes { !$0.isMultiple(of: step) }])
    defer { scene.remove() }
    try scene.expect(
      "SELECT observed_time, moving_time, round(time_ratio * expected_travel_time), round(max_speed) FROM trace",
      "80.0|80.0|80.0|5.0\n")
    try scene.expect("SELECT round(10.0 * (to_cm - from_cm) / observed_ms) FROM trace_street_row WHERE n = 0", "5.0\n")
  }

  @Test func anEndWithoutATimeLeavesTheMovingTimeUnknown() throws {
    let scene = try scene([fixes { $0 == 16 }])
    defer { scene.remove() }
    try scene.expect("SELECT observed_time, moving_time, time_ratio, round(max_speed) FROM trace", "75.0|||5.0\n")
  }

  @Test func unmatchedFixesDoNotChangeLengthsOrBoxes() throws {
    let rows = map.fixes("t", along: "abcde").split(separator: "\n", omittingEmptySubsequences: true)
    let lost = "t,\(TestMap.monday + 42),10,10"
    let scene = try scene([(rows[...8] + [lost[...]] + rows[9...]).joined(separator: "\n") + "\n"])
    defer { scene.remove() }
    try scene.expect(
      "SELECT status, part_count, off_road_count, own_length, round(length_ratio, 2), max_lat < 1, max_lon < 1 FROM trace",
      "ok|1|1|400.0|1.0|1|1\n")
  }

  @Test func writesAFeaturePerPart() throws {
    let scene = try scene([map.fixes("t", along: "abc"), map.fixes("u", along: "edc")])
    defer { scene.remove() }
    let features = try scene.unzipped("traces.geojson.gz").split(separator: "\n").filter { $0.contains("Feature\"") }
    #expect(features.count == 2)
    #expect(features[1].contains("\"trace_id\":\"u\",\"part\":0,\"begin_reason\":\"start\""))
    #expect(features[1].contains("\"departure_date\":\"2026-11-23T08:00:00Z\""))
  }

  @Test func observesSpeedsByDirectionAndHour() throws {
    // Two traces on a Monday at 8:00, one at 9:00, and one on the Sunday before.
    let scene = try scene([
      map.fixes("t", along: "hdcba", speed: 5), map.fixes("u", along: "hdcba", speed: 5, at: TestMap.monday + 1800),
      map.fixes("v", along: "hdcba", speed: 10, at: TestMap.monday + 3600),
      map.fixes("w", along: "abcdh", speed: 5, at: TestMap.monday - 86_400),
    ])
    defer { scene.remove() }
    let lines = try scene.unzipped("observed_speeds.csv.gz").split(separator: "\n").map(String.init)
    #expect(lines.first == "way_id,from_node,to_node,forward,weekday,from,to,kmh,passes,slowness,street_key")
    // Way 4 is dh; nodes are numbered by their letters.
    #expect(lines.filter { $0.hasPrefix("4,8,4,0,Mo-Fr,08:00,09:00,") && $0.contains(",2,") }.count == 1, "\(lines)")
    #expect(lines.filter { $0.hasPrefix("4,8,4,0,Mo-Fr,09:00,10:00,") && $0.contains(",1,") }.count == 1, "\(lines)")
    #expect(lines.filter { $0.hasPrefix("4,4,8,1,Su,08:00,09:00,") }.count == 1, "\(lines)")
    try scene.expect(
      "SELECT weekday, hour, sum(passes) FROM observed_speed JOIN street_used ON street_used.fid = street_fid WHERE name = 'dh' GROUP BY 1, 2",
      "Mo-Fr|8|2\nMo-Fr|9|1\nSu|8|1\n")
  }

  @Test func passesWithAStopAreNotObserved() throws {
    let parked = (1..<24).map {
      "t,\(TestMap.monday + 30 + Double($0) * 5),\(map["d"].longitude),\(map["d"].latitude)\n"
    }
    let before = map.fixes("t", along: "abcd", speed: 10, every: 1)
    let after = map.fixes("t", along: "dh", speed: 10, every: 1, at: TestMap.monday + 150)
    let scene = try scene([
      before + parked.joined() + after,
      map.fixes("u", along: "abcdh", speed: 10, every: 1, at: TestMap.monday + 3600),
    ])
    defer { scene.remove() }
    try scene.expect("SELECT stop_count FROM trace", "1\n0\n")
    try scene.expect(
      "SELECT hour, sum(passes), max(speed) < 10.5 FROM observed_speed GROUP BY hour", "8|1|1\n9|3|1\n")
  }

  @Test func writesStatisticsOfTheJobAndEachHour() throws {
    let scene = try scene(many)
    defer { scene.remove() }
    try scene.expect(
      "SELECT count FROM statistic WHERE scope = 'job' AND measure IN ('distance', 'time_ratio', 'sigma')",
      "150\n150\n150\n")
    try scene.expect(
      "SELECT scope, count FROM statistic WHERE measure = 'distance' AND scope IN ('hour:08', 'hour:09')",
      "hour:08|12\nhour:09|6\n")
    #expect(try scene.sql("SELECT count(*) FROM histogram WHERE scope LIKE 'hour:%'") == "0\n")
  }

  @Test func fixesAreWrittenOnRequest() throws {
    let trace = [map.fixes("t", along: "abcde")]
    let (csv, none) = (try scene(trace, "fixes: 'csv',"), try scene(trace, "fixes: 'none',"))
    defer {
      csv.remove()
      none.remove()
    }
    let lines = try csv.unzipped("fixes.csv.gz").split(separator: "\n")
    #expect(lines.count == 18 && lines[1].hasPrefix("t,0,2026-11-23T08:00:00Z,0,0,,1,,0,"))
    for scene in [csv, none] { try scene.expect("SELECT count(*) FROM fix", "0\n") }
    #expect(csv.files.contains("fixes.csv.gz") && !none.files.contains("fixes.csv.gz"))
  }

  @Test func countsUnmatchedFixesByReason() throws {
    // One fix every 10 m, some of them too close to the previous one.
    let scene = try scene([map.fixes("t", along: "abcde", speed: 2)])
    defer { scene.remove() }
    try scene.expect("SELECT fix_count = matched_count + distance_count, distance_count > 0 FROM trace", "1|1\n")
    try scene.expect(
      "SELECT count(*) FROM fix WHERE kept = 0 AND reason = 'distance'",
      try scene.sql("SELECT distance_count FROM trace"))
  }

  @Test func isIndependentOfTheNumberOfWorkers() throws {
    let (one, two) = (try scene(many, "fixes: 'csv',", workers: 1), try scene(many, "fixes: 'csv',", workers: 2))
    defer {
      one.remove()
      two.remove()
    }
    for name in ["traces.geojson.gz", "fixes.csv.gz", "observed_speeds.csv.gz"] {
      #expect(one.bytes(name) == two.bytes(name), "\(name)")
    }
    for table in ["trace", "trace_part", "trace_street_row", "stop", "street_used", "observed_speed", "statistic"] {
      let rows = "SELECT * FROM \(table)"
      #expect(try one.sql(rows) == two.sql(rows), "\(table)")
    }
  }

  @Test func resumesAfterTheLastChunk() throws {
    let whole = try scene(many)
    defer { whole.remove() }
    let before = try whole.sql("SELECT * FROM trace_street_row; SELECT * FROM statistic; SELECT * FROM fix_row")
    let bytes = whole.bytes("traces.geojson.gz")
    try whole.runInPart()
    #expect(try whole.run(workers: 1).isFinished)
    #expect(try whole.sql("SELECT * FROM trace_street_row; SELECT * FROM statistic; SELECT * FROM fix_row") == before)
    #expect(whole.bytes("traces.geojson.gz") == bytes)
    #expect(try whole.sql("SELECT count(*), sum(rows) = (SELECT sum(fix_count) FROM trace) FROM chunk") == "3|1\n")
  }

  @Test func verifiesItsSums() throws {
    let scene = try scene(many)
    defer { scene.remove() }
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    try scene.expect("SELECT value > 20 FROM job WHERE key = 'verified_sums'", "1\n")
    try scene.expect("SELECT * FROM verification", "")
  }

  @Test func tracesOffTheMapAreReported() throws {
    let scene = try scene([map.fixes("far", along: "99"), map.fixes("t", along: "ab")])
    defer { scene.remove() }
    try scene.expect("SELECT trace_id, status = 'ok', status_reason NOT NULL FROM trace", "far|0|1\nt|1|0\n")
  }

  @Test func refusesKeysThatTracesIgnore() throws {
    let error = try #require(throws: (any Error).self) {
      try scene([map.fixes("t", along: "ab")], "departureDate: '2026-11-20T08:00:00Z',")
    }
    #expect("\(error)".contains("departureDate: it belongs to kinds routes, etas,"), "\(error)")
  }
}
