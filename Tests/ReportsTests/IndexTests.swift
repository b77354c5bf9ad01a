import Foundation
import Jobs
import Reports
import Tables
import TestMaps
import Testing

/// Thirty nights of a job, derived from the results of one night: the median alternates between 600 and 601 s.
struct IndexTests {
  private func nights(_ change: (Int, TestDatabase, String) throws -> Void) throws -> Scratch {
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv', verify: 2")
    defer { scene.remove() }
    let scratch = try Scratch()
    for night in 1...30 {
      let folder = scratch.path("reports/2026-11-\(night < 10 ? "0" : "")\(night)")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try scene.scratch.bytes("out/results.sqlite").write(to: URL(fileURLWithPath: "\(folder)/results.sqlite"))
      let database = try TestDatabase("\(folder)/results.sqlite")
      _ = try database.list(
        """
        UPDATE job SET value = '2026-11-\(night < 10 ? "0" : "")\(night)T01:00:00Z' WHERE key = 'started';
        UPDATE job SET value = '12.5' WHERE key = 'seconds';
        UPDATE statistic SET median = \(600 + night % 2) WHERE measure = 'expected_travel_time';
        """)
      try change(night, database, folder)
    }
    return scratch
  }

  /// Creates nights with a drift on the 20th, a new map on the 25th and a failure on the 28th.
  private func oddNights() throws -> Scratch {
    try nights { night, database, folder in
      switch night {
      case 20: _ = try database.list("UPDATE statistic SET median = 700 WHERE measure = 'expected_travel_time'")
      case 25...: _ = try database.list("UPDATE job SET value = 'another' WHERE key = 'map_sha256'")
      default: break
      }
      guard night == 28 else { return }
      try FileManager.default.removeItem(atPath: "\(folder)/results.sqlite")
      let log = """
        {"time":"2026-11-28T01:00:00Z","event":"start","kind":"etas","profile":"walking","transport_type":"walking",\
        "started":"2026-11-28T01:00:00Z","job_file":"x/job.json5"}
        {"time":"2026-11-28T01:00:01Z","event":"failed","problem":"pairs.csv: no <such> file"}

        """
      try Data(log.utf8).write(to: URL(fileURLWithPath: "\(folder)/log.jsonl"))
    }
  }

  @Test func anotherProfileIsAChangeOfTheSameJob() throws {
    let scratch = try nights { night, database, _ in
      guard night == 12 else { return }
      _ = try database.list(
        """
        UPDATE job SET value = 'wheelchair' WHERE key = 'profile';
        UPDATE job SET value = 'another' WHERE key = 'profile_sha256';
        """)
    }
    defer { scratch.remove() }
    let jobs = try RunHistory(of: scratch.path("reports")).jobs
    #expect(jobs.map(\.travelling) == ["on foot"] && jobs[0].nights.count == 30)
    #expect(dates(jobs[0].nights.filter { $0.changes == ["profile"] }) == ["12", "13"])
  }

  /// A folder of results may have any name.
  @Test func theModeOfAJobIsThatOfItsLastRunByTime() throws {
    let scratch = try nights { night, database, _ in
      guard night == 12 else { return }
      _ = try database.list(
        """
        UPDATE job SET value = 'wheelchair' WHERE key = 'profile';
        UPDATE job SET value = '2026-12-01T01:00:00Z' WHERE key = 'started';
        """)
    }
    defer { scratch.remove() }
    let jobs = try RunHistory(of: scratch.path("reports")).jobs
    #expect(jobs.map(\.travelling) == ["in a wheelchair"] && dates(jobs[0].nights).last == "01")
  }

  private func dates(_ nights: [RunHistory.Night]) -> [String] { nights.map { String($0.began.prefix(10).suffix(2)) } }

  @Test func marksDriftInThirtyNights() throws {
    let scratch = try oddNights()
    defer { scratch.remove() }
    let jobs = try RunHistory(of: scratch.path("reports")).jobs
    #expect(jobs.map(\.name) == ["job"] && jobs[0].nights.count == 30)
    #expect(dates(jobs[0].nights.filter(\.drifts)) == ["20"])
    #expect(dates(jobs[0].nights.filter { $0.changes == ["map"] }) == ["25"])
    #expect(dates(jobs[0].nights.filter { $0.failure == "pairs.csv: no <such> file" }) == ["28"])
    #expect(jobs[0].nights[0].verified == 2 && jobs[0].nights[0].differences == 0)
    #expect(jobs[0].nights[0].expected == nil && jobs[0].nights[5].expected?.contains(600) == true)
  }

  @Test func similarNightsDoNotDrift() throws {
    let scratch = try nights { _, _, _ in }
    defer { scratch.remove() }
    let history = try RunHistory(of: scratch.path("reports"))
    #expect(history.jobs[0].nights.allSatisfy { !$0.drifts && $0.changes.isEmpty && $0.failure == nil })
    #expect(
      try IndexPage(of: scratch.path("reports")).headline == "1 job, 30 runs: the last run has results and no drift.")
  }

  @Test func sharesAreComparedInPointsAndWithinOneThreshold() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    // A new name of the unit changes no share.
    for (threshold, unit, nights) in [(1, "", 1...1), (5, "", 2...4), (5, ", unit: {'jobs, total': 'jobs'}", 5...7)] {
      let scene = try ReportScene(
        "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', weights: ['jobs, total'], thresholds: [\(threshold)]"
          + unit)
      defer { scene.remove() }
      for night in nights {
        let folder = scratch.path("reports/\(night)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try scene.scratch.bytes("out/results.sqlite").write(to: URL(fileURLWithPath: "\(folder)/results.sqlite"))
      }
    }
    let job = try #require(try RunHistory(of: scratch.path("reports")).jobs.first)
    #expect(
      job.measure.hasSuffix(" jobs within 5 min")
        && job.nights.map { $0.value == nil } == [true] + Array(repeating: false, count: 6))
    #expect(try IndexPage(of: scratch.path("reports")).html.contains(">0.0 points<"))
  }

  @Test func namesUnreadableResultsWithoutALog() throws {
    let scratch = try nights { night, _, folder in
      if night == 7 { try Data("no database".utf8).write(to: URL(fileURLWithPath: "\(folder)/results.sqlite")) }
    }
    defer { scratch.remove() }
    #expect(
      try IndexPage(of: scratch.path("reports")).headline
        == "1 job, 29 runs: the results in 2026-11-07 cannot be read, and have no log.")
  }

  @Test func shardsAreRunsOnlyIfUnfinishedAndWithoutResults() throws {
    let scratch = try oddNights()
    defer { scratch.remove() }
    let log = scratch.text("reports/2026-11-28/log.jsonl")
    for (folder, file) in [
      ("2026-11-30/shard-00000-of-00002", "shard.journal"), ("2026-11-30/shard-00001-of-00003", "shard.journal.part"),
      ("2026-12-01/shard-00000-of-00002", "shard.journal"), ("2026-12-01/shard-00001-of-00002", "shard.journal.part"),
    ] {
      try FileManager.default.createDirectory(
        atPath: scratch.path("reports/\(folder)"), withIntermediateDirectories: true)
      for (name, text) in [(file, "frames"), ("log.jsonl", log)] {
        try scratch.write(text, to: "reports/\(folder)/\(name)")
      }
    }
    let folders = try RunHistory(of: scratch.path("reports")).jobs.flatMap(\.nights).map(\.folder)
    #expect(folders.filter { $0.contains("shard") } == ["2026-12-01/shard-00001-of-00002"])
  }

  @Test func runsWithoutResultsAreMarked() throws {
    let scratch = try nights { night, database, _ in
      if night == 30 { _ = try database.list("UPDATE job SET key = 'rows_directions_not_found' WHERE key = 'rows_ok'") }
    }
    defer { scratch.remove() }
    let page = try IndexPage(of: scratch.path("reports"))
    #expect(page.headline == "1 job, 30 runs: the last run of 1 job has no answer.")
    #expect(page.feed.contains("<title>job: no answer</title>") && page.feed.matches(of: /<entry>/).count == 1)
  }

  @Test func writesPageListAndFeed() throws {
    let scratch = try oddNights()
    defer { scratch.remove() }
    let page = try IndexPage(of: scratch.path("reports"))
    try page.write()
    #expect(page.html == scratch.text("reports/index.html") && page.html.contains("pairs.csv: no &lt;such&gt; file"))
    #expect(page.html.contains("href=\"2026-11-30/report.html\"") && page.html.matches(of: /class="drift"/).count == 1)
    #expect(page.html.contains("Mon 30 Nov 2026, 01:00") && !page.html.contains(">2026-11-"))
    let feed = scratch.text("reports/index.xml")
    #expect(feed.matches(of: /<entry>/).count == 2 && feed.contains("job: typical travel time 12 min drifts"))
    let list = try #require(
      JSONSerialization.jsonObject(with: scratch.bytes("reports/index.json")) as? [String: Any])
    let jobs = try #require(list["jobs"] as? [[String: Any]])
    let nights = try #require(jobs[0]["nights"] as? [[String: Any]])
    #expect(nights.count == 30 && nights[19]["drifts"] as? Bool == true && nights[27]["failure"] is String)
    // The output is not a run, and may be overwritten.
    try page.write()
    #expect(try IndexPage(of: scratch.path("reports")).json == page.json)
  }

  @Test func refusesToReplaceAForeignFile() throws {
    let scratch = try nights { _, _, _ in }
    defer { scratch.remove() }
    try scratch.write("mine", to: "reports/index.html")
    #expect(throws: ResultsError.self) { try IndexPage(of: scratch.path("reports")).write() }
    #expect(throws: ResultsError.self) { try IndexPage(of: scratch.path("nowhere")) }
  }
}
