import Foundation
import TestMaps
import Testing

/// Nightly runs: the handling of the folder left by the previous run, and the output of unattended runs.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct NightTests {
  private static let keys = "kind: 'etas', pairs: 'pairs.csv'"
  private static let header = "id,o_lon,o_lat,d_lon,d_lat\n"

  private func scene(_ keys: String = NightTests.keys) throws -> Scratch {
    try Scratch(.block, ["pairs.csv": NightTests.header + "1,0,0,0.0018,0\n2,0,0,0.0009,-0.0018\n"], job: keys)
  }

  @discardableResult
  private func run(_ scratch: Scratch, _ words: String...) throws -> Run {
    try Run(Project.binary, ["run"] + words, in: scratch.folder, environment: ["TZ": NightTests.noon])
  }

  private func shell(_ scratch: Scratch, _ line: String) throws -> Run {
    try Run("/bin/sh", ["-c", line.replacing("odometer", with: Project.binary)], in: scratch.folder)
  }

  /// Puts a folder into the state left by a killed run: rows written, files not yet renamed.
  private func markUnfinished(_ scratch: Scratch, _ folder: String) throws {
    let database = scratch.path("\(folder)/results.sqlite")
    try FileManager.default.moveItem(atPath: database, toPath: database + ".part")
  }

  // MARK: Resume, or start from scratch

  @Test func restartsAndNamesTheChangedKey() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    try markUnfinished(scratch, "out")
    try scratch.writeJob(NightTests.keys + ", snapLimit: 300")
    #expect(try run(scratch, "job.json5").status == 3)
    let night = try run(scratch, "job.json5", "--resume-or-fresh")
    #expect(
      night.status == 0 && night.error.contains("from scratch")
        && night.error.contains("snap_limit was 1000.0, now 300.0"))
    #expect(try scratch.sql("SELECT value FROM job WHERE key = 'snap_limit'") == "300.0\n")
    #expect(scratch.text("out/log.jsonl").contains("\"event\":\"restarted\""))
  }

  @Test func refusesChangedInputBeforeBuildingANetwork() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    try markUnfinished(scratch, "out")
    for name in scratch.files where name.contains(".network") {
      try FileManager.default.removeItem(atPath: scratch.path(name))
    }
    try scratch.write(NightTests.header + "1,0,0,0.0018,0\n", to: "pairs.csv")
    let refused = try run(scratch, "job.json5")
    #expect(refused.status == 3 && refused.error.contains("the content of pairs changed"), "\(refused.error)")
    #expect(!scratch.files.contains { $0.contains(".network") })
  }

  @Test func resumeOrFreshReplacesCorruptUnfinishedFiles() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    try scratch.write(String(repeating: "not a database ", count: 100), to: "out/results.sqlite.part")
    #expect(try run(scratch, "job.json5").status == 3)
    #expect(try run(scratch, "job.json5", "--resume-or-fresh").status == 0)
    #expect(try scratch.sql("SELECT count(*) FROM route") == "2\n")
  }

  // MARK: Another job's results

  @Test(arguments: [
    ("kind: 'routes', pairs: 'pairs.csv'", "job.json5", "kind was etas"),
    (NightTests.keys, "day.json5", "job_file was job.json5"),
  ])
  func refusesAnotherJobsResults(keys: String, file: String, difference: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    let before = scratch.bytes("out/results.sqlite")
    try scratch.writeJob(keys)
    if file != "job.json5" {
      try FileManager.default.moveItem(atPath: scratch.path("job.json5"), toPath: scratch.path(file))
    }
    for word in ["--quiet", "--resume-or-fresh"] {
      let refused = try run(scratch, file, word)
      #expect(refused.status == 4 && refused.error.contains(difference), "\(refused.error)")
    }
    #expect(scratch.bytes("out/results.sqlite") == before)
    #expect(try run(scratch, file, "--fresh").status == 0)
  }

  @Test func replacesTheSameJobsResults() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    try scratch.writeJob(NightTests.keys + ", snapLimit: 300")
    #expect(try run(scratch, "job.json5").status == 0)
  }

  // MARK: A folder each night

  /// A time zone in which it is about noon, so that midnight does not pass during a test. POSIX signs: zones east of
  /// Greenwich are negative.
  private static let noon = {
    let hours = 12 - Int(Date().timeIntervalSince1970) / 3600 % 24
    return hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
  }()

  private static let today = Date().formatted(
    Date.ISO8601FormatStyle(timeZone: TimeZone(identifier: noon) ?? .gmt).year().month().day())

  private func nightly(_ more: String = "") throws -> Scratch {
    let scratch = try scene()
    let job = scratch.text("job.json5").replacing("'out'", with: "'reports/{date}'")
    try scratch.write(job.replacing("kind:", with: "\(more) kind:"), to: "job.json5")
    return scratch
  }

  /// Runs a job and leaves its results as those of an earlier night that was interrupted.
  private func leaveUnfinishedNight(_ scratch: Scratch, of job: String = "job.json5") throws {
    try run(scratch, job)
    try FileManager.default.moveItem(
      atPath: scratch.path("reports/\(NightTests.today)"), toPath: scratch.path("reports/2020-01-01"))
    try markUnfinished(scratch, "reports/2020-01-01")
  }

  @Test func namesTheFolderAfterTheDayAndLinksTheLatest() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    #expect(try run(scratch, "job.json5").status == 0)
    #expect(scratch.files(in: "reports") == [NightTests.today, "latest"])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("reports/latest")) == NightTests.today)
  }

  /// In these zones it is about noon of the day before or after that of Greenwich.
  @Test(arguments: ["<+1X>", "ABC", "UTC", "GMT"]) func namesTheFolderAfterTheDayInAnyFormOfTimeZone(name: String)
    throws
  {
    let scratch = try nightly()
    defer { scratch.remove() }
    let hour = Int(Date().timeIntervalSince1970) / 3600 % 24
    let ahead = hour < 12 ? -12 - hour : 36 - hour
    let day = (Date() + Double(ahead * 3600)).formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
    let zone = "\(name)\(ahead > 0 ? "-" : "+")\(abs(ahead))"
    let plan = try Run(
      Project.binary, ["run", "job.json5", "--dry-run"], in: scratch.folder, environment: ["TZ": zone])
    #expect(plan.output.contains("results: reports/\(day)"), "\(zone): \(plan)")
  }

  @Test func resumesTheUnfinishedFolderFirst() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try leaveUnfinishedNight(scratch)
    let night = try run(scratch, "job.json5")
    #expect(night.status == 0 && night.error.contains("reports/2020-01-01 first"), "\(night.error)")
    for day in ["2020-01-01", NightTests.today] {
      #expect(scratch.files(in: "reports/\(day)").contains("results.sqlite"))
    }
  }

  @Test func keepsAChangedUnfinishedFolderAndStartsTonights() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try leaveUnfinishedNight(scratch)
    try scratch.write(NightTests.header + "1,0,0,0.0018,0\n", to: "pairs.csv")
    let plan = try run(scratch, "job.json5", "--resume-or-fresh", "--dry-run")
    #expect(
      plan.output.contains("first: reports/2020-01-01 (has an unfinished run, which is kept: since"), "\(plan)")
    let night = try run(scratch, "job.json5", "--resume-or-fresh")
    #expect(
      night.status == 0 && night.error.contains("warning: reports/2020-01-01 is kept: since the unfinished run started")
    )
    #expect(!scratch.text("reports/2020-01-01/log.jsonl").contains("NothingToResume"))
    #expect(scratch.files(in: "reports/2020-01-01").contains("results.sqlite.part"))
    #expect(scratch.files(in: "reports/\(NightTests.today)").contains("results.sqlite"))
  }

  @Test func doesNotTouchUnfinishedFoldersOfOtherJobs() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try scratch.write(scratch.text("job.json5"), to: "other.json5")
    try leaveUnfinishedNight(scratch, of: "other.json5")
    for word in ["--resume-or-fresh", "--fresh"] {
      let night = try run(scratch, "job.json5", word)
      #expect(
        night.status == 0 && night.error.contains("warning: reports/2020-01-01: an unfinished run of another job"),
        "\(night)")
      #expect(scratch.files(in: "reports/2020-01-01").contains("results.sqlite.part"))
    }
  }

  /// `sqlite3 results.sqlite` leaves an empty file if the run has not finished.
  @Test(arguments: ["", "not a database, and longer than nothing"])
  func aStrayDatabaseInAnUnfinishedFolderDoesNotStopTonightsRun(content: String) throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try leaveUnfinishedNight(scratch)
    try scratch.write(content, to: "reports/2020-01-01/results.sqlite")
    let plan = try run(scratch, "job.json5", "--dry-run")
    #expect(plan.output.contains(content.isEmpty ? "which is resumed" : "which is kept: this file does not"), "\(plan)")
    let night = try run(scratch, "job.json5")
    #expect(
      night.status == 0 && scratch.files(in: "reports/\(NightTests.today)").contains("results.sqlite"), "\(night)")
    #expect(night.error.contains("2020-01-01: the unfinished run is kept: this file does not") == !content.isEmpty)
    #expect(scratch.files(in: "reports/2020-01-01").contains("results.sqlite.part") == !content.isEmpty)
  }

  @Test func afterAFailureToWriteAnEarlierNightTheExitCodeIs4() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try leaveUnfinishedNight(scratch)
    let night = try Run(
      odometer: "run", "job.json5", "--quiet", in: scratch.folder,
      with: Fault(.enospc, at: 1, of: "write", "reports/2020-01-01/report.html.part"))
    #expect(night.status == 4 && night.error.contains("2020-01-01: the unfinished run is kept:"), "\(night)")
    #expect(scratch.files(in: "reports/latest").contains("results.sqlite"))
  }

  @Test func notesOlderUnfinishedNights() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    for day in ["2020-01-01", "2020-01-02"] {
      try FileManager.default.copyItem(
        atPath: scratch.path("reports/\(NightTests.today)"), toPath: scratch.path("reports/\(day)"))
      try markUnfinished(scratch, "reports/\(day)")
    }
    for day in ["2020-01-02", "2020-01-01"] {
      let night = try run(scratch, "job.json5")
      #expect(night.status == 0 && night.error.contains("reports/\(day) first"), "\(night)")
      #expect(night.error.contains("2020-01-01: an older unfinished run is kept") == (day == "2020-01-02"), "\(night)")
    }
  }

  @Test func saysThatAnEarlierNightIsInProgress() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(
      atPath: scratch.path("reports/2020-01-01"), withIntermediateDirectories: true)
    try scratch.write("", to: "reports/2020-01-01/results.sqlite.part")
    let holder = open(scratch.path("reports/2020-01-01"), O_RDONLY | O_CLOEXEC)
    defer { close(holder) }
    #expect(flock(holder, LOCK_EX) == 0)
    let night = try run(scratch, "job.json5")
    #expect(
      night.status == 0 && night.error.contains("2020-01-01: a run in this folder is still in progress"), "\(night)")
  }

  @Test func doesNotStartAJobInAPastDaysFolder() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(
      atPath: scratch.path("reports/2020-01-01"), withIntermediateDirectories: true)
    try scratch.write("", to: "reports/2020-01-01/results.sqlite.part")
    let night = try run(scratch, "job.json5")
    #expect(night.status == 0 && night.error.contains("reports/2020-01-01: an unfinished run"), "\(night)")
    #expect(scratch.files(in: "reports/2020-01-01") == ["results.sqlite.part"])
  }

  @Test func failureToCreateALinkIsAWarning() throws {
    let scratch = try nightly("keep: 1,")
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("reports/latest"), withIntermediateDirectories: true)
    let night = try run(scratch, "job.json5", "--quiet")
    #expect(night.status == 0 && night.output.isEmpty, "\(night)")
    #expect(night.error.contains("warning: reports/latest: cannot link the latest results"), "\(night)")
  }

  @Test func latestDoesNotLinkToAnotherJobsResults() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try scratch.write(scratch.text("job.json5"), to: "other.json5")
    try run(scratch, "other.json5")
    try FileManager.default.moveItem(
      atPath: scratch.path("reports/\(NightTests.today)"), toPath: scratch.path("reports/2099-01-01"))
    #expect(try run(scratch, "job.json5").status == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("reports/latest")) == NightTests.today)
  }

  @Test func resumesYesterdaysShardFirst() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try run(scratch, "job.json5", "--shard", "0/2")
    try FileManager.default.moveItem(
      atPath: scratch.path("reports/\(NightTests.today)"), toPath: scratch.path("reports/2020-01-01"))
    let journal = scratch.path("reports/2020-01-01/shard-00000-of-00002/shard.journal")
    try FileManager.default.moveItem(atPath: journal, toPath: journal + ".part")
    try run(scratch, "job.json5", "--shard", "1/2")
    #expect(scratch.files(in: "reports/2020-01-01") == ["shard-00000-of-00002"])
    let night = try run(scratch, "job.json5", "--shard", "0/2")
    #expect(night.status == 0 && FileManager.default.fileExists(atPath: journal), "\(night)")
  }

  @Test func keepsTheGivenNumberOfDays() throws {
    let scratch = try nightly("keep: 2,")
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    // The last name is not a date.
    for day in ["2020-01-01", "2020-01-02", "2020-01-03", "2020-02-30"] {
      try FileManager.default.copyItem(
        atPath: scratch.path("reports/\(NightTests.today)"), toPath: scratch.path("reports/\(day)"))
    }
    try scratch.write("mine", to: "reports/2020-01-02/notes.txt")
    let night = try run(scratch, "job.json5")
    #expect(night.error.contains("reports/2020-01-02"), "\(night.error)")
    #expect(scratch.files(in: "reports") == ["2020-01-02", "2020-01-03", "2020-02-30", NightTests.today, "latest"])
    #expect(scratch.files(in: "reports/2020-01-02").count == scratch.files(in: "reports/2020-01-03").count + 1)
  }

  @Test func keepRemovesOlderNightsThatHaveOnlyALog() throws {
    let scratch = try nightly("keep: 1,")
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    let log = scratch.text("reports/\(NightTests.today)/log.jsonl")
    for (day, text) in [
      ("2020-01-01", log), ("2020-01-02", log.replacing("\"job.json5\"", with: "\"other.json5\"")), ("2099-01-01", log),
    ] {
      try FileManager.default.createDirectory(
        atPath: scratch.path("reports/\(day)"), withIntermediateDirectories: false)
      try scratch.write(text, to: "reports/\(day)/log.jsonl")
    }
    // Finished shards that no merge has read yet.
    try FileManager.default.createDirectory(
      atPath: scratch.path("reports/2020-01-03/shard-1"), withIntermediateDirectories: true)
    try scratch.write(log, to: "reports/2020-01-03/log.jsonl")
    try scratch.write("", to: "reports/2020-01-03/shard-1/shard.journal")
    let night = try run(scratch, "job.json5")
    #expect(
      scratch.files(in: "reports") == ["2020-01-02", "2020-01-03", NightTests.today, "2099-01-01", "latest"],
      "\(night)")
  }

  @Test func keepRemovesNightsWithFinishedShards() throws {
    let scratch = try nightly("keep: 1,")
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    for day in ["2020-01-01", "2020-01-02"] {
      try FileManager.default.copyItem(
        atPath: scratch.path("reports/\(NightTests.today)"), toPath: scratch.path("reports/\(day)"))
      try run(scratch, "job.json5", "--shard", "0/2", "--output", "reports/\(day)/shard-00000-of-00002")
    }
    let journal = scratch.path("reports/2020-01-02/shard-00000-of-00002/shard.journal")
    try FileManager.default.moveItem(atPath: journal, toPath: journal + ".part")
    let night = try run(scratch, "job.json5")
    #expect(scratch.files(in: "reports") == ["2020-01-02", NightTests.today, "latest"], "\(night)")
    #expect(night.error.contains("other files (shard-00000-of-00002/shard.journal.part)"), "\(night)")
  }

  @Test func keepDoesNotFollowLinksAndLatestSkipsFutureDates() throws {
    let scratch = try nightly("keep: 1,")
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    let today = scratch.path("reports/\(NightTests.today)")
    for folder in ["archive", "reports/2099-01-01"] {
      try FileManager.default.copyItem(atPath: today, toPath: scratch.path(folder))
    }
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("reports/2020-01-01"), withDestinationPath: "../archive")
    let night = try run(scratch, "job.json5")
    #expect(
      night.error.contains("warning: reports/2020-01-01: older than keep allows, but kept: it is a symbolic link"))
    #expect(night.error.contains("warning: reports/2099-01-01: these results are dated after today"), "\(night.error)")
    #expect(scratch.files(in: "archive") == scratch.files(in: "reports/2099-01-01"))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("reports/latest")) == NightTests.today)
  }

  @Test func keepDoesNotRemoveLinkTargets() throws {
    let scratch = try nightly("keep: 1,")
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    try FileManager.default.copyItem(
      atPath: scratch.path("reports/\(NightTests.today)"), toPath: scratch.path("reports/2020-01-01"))
    try FileManager.default.createDirectory(atPath: scratch.path("elsewhere"), withIntermediateDirectories: false)
    try scratch.write("mine", to: "elsewhere/compare.html")
    #expect(symlink("../../elsewhere", scratch.path("reports/2020-01-01/compare")) == 0)
    let night = try run(scratch, "job.json5")
    #expect(
      night.error.contains("reports/2020-01-01: older than keep allows, but kept: it has other files (compare)"))
    #expect(scratch.text("elsewhere/compare.html") == "mine")
  }

  @Test func latestLinkDoesNotReplaceAFile() throws {
    let scratch = try nightly()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("reports"), withIntermediateDirectories: false)
    try scratch.write("mine", to: "reports/latest")
    let night = try run(scratch, "job.json5")
    #expect(night.status == 0 && night.error.contains("another file has the name of the link"), "\(night)")
    #expect(scratch.text("reports/latest") == "mine")
  }

  @Test(arguments: ["map.opl", "pairs.csv"]) func refusalsOfPipesNameTheFile(name: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    unlink(scratch.path(name))
    #expect(mkfifo(scratch.path(name), 0o600) == 0)
    let refused = try run(scratch, "job.json5")
    #expect(
      refused.status == 3 && refused.error.contains("\(name): ") && refused.error.contains("a pipe"), "\(refused)")
  }

  /// The other files are a map, a table, a job file and results.
  @Test(arguments: [
    "run job.json5 --metrics pairs.csv", "run job.json5 --metrics job.json5", "run job.json5 --metrics map.opl",
    "run job.json5 --metrics out/results.sqlite", "run job.json5 --nonsense --metrics pairs.csv",
    "report out --output pairs.csv", "report out --output out/results.sqlite",
    "coverage make map.opl --output map.opl", "coverage make map.opl --output pairs.csv",
    "run job.json5 --dry-run --problems pairs.csv",
  ])
  func outputsDoNotReplaceOtherFiles(words: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    let names = ["pairs.csv", "job.json5", "map.opl", "out/results.sqlite"]
    let before = names.map { FileManager.default.contents(atPath: scratch.path($0)) }
    let refused = try shell(scratch, "odometer \(words)")
    #expect(refused.status == (words.contains("nonsense") ? 2 : 4), "\(refused)")
    #expect(names.map { FileManager.default.contents(atPath: scratch.path($0)) } == before)
  }

  @Test func reportsInvalidOutputTemplates() throws {
    let scratch = try scene(NightTests.keys + ", keep: 3")
    defer { scratch.remove() }
    #expect(try run(scratch, "job.json5").error.contains("warning: keep: the output, out, has no {date}"))
    let refused = try run(scratch, "job.json5", "--output", "out/{day}")
    #expect(refused.status == 2 && refused.error.contains("output: got {day} in out/{day}"), "\(refused.error)")
  }

  @Test func refusedRunDoesNotChangeTheExistingLog() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    let before = scratch.text("out/log.jsonl")
    try scratch.write(scratch.text("job.json5"), to: "other.json5")
    #expect(try run(scratch, "other.json5").status == 4)
    #expect(scratch.text("out/log.jsonl") == before && !before.isEmpty)
  }

  @Test func refusesAForeignDatabase() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    try FileManager.default.removeItem(atPath: scratch.path("out/results.sqlite"))
    try scratch.write("", to: "out/results.sqlite")
    _ = try TestDatabase(scratch.path("out/results.sqlite")).list("CREATE TABLE mine (x); INSERT INTO mine VALUES (7)")
    let night = try run(scratch, "job.json5")
    #expect(
      night.status == 4 && night.error.contains("out/results.sqlite: this file does not belong to a job"), "\(night)")
    #expect(try scratch.sql("SELECT x FROM mine") == "7\n")
    #expect(try run(scratch, "job.json5", "--fresh").status == 0)
  }

  @Test func jobsWithNumberedDuplicatesCanBeResumedRepeatedAndMerged() throws {
    let scratch = try scene(NightTests.keys + ", duplicates: 'number'")
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    let again = try run(scratch, "out", "--again")
    #expect(again.status == 0, "\(again)")
    try markUnfinished(scratch, "out")
    let resumed = try run(scratch, "job.json5", "--resume-or-fresh")
    #expect(resumed.status == 0 && !resumed.error.contains("from scratch"), "\(resumed)")
    for shard in ["0/2", "1/2"] { try run(scratch, "job.json5", "--shard", shard, "--output", "s\(shard.prefix(1))") }
    let merged = try Run(odometer: "merge", "s0", "s1", "--output", "merged", in: scratch.folder)
    #expect(merged.status == 0, "\(merged)")
  }

  @Test func runsWithANetworkFileCanBeRepeatedFromAnyFolder() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try Run(odometer: "network", "build", "map.opl", "--output", "m.network", in: scratch.folder)
    try scratch.write(scratch.text("job.json5").replacing("map.opl", with: "m.network"), to: "job.json5")
    #expect(try run(scratch, "job.json5").status == 0)
    let again = try Run(Project.binary, ["run", "--again", scratch.path("out")], in: "/")
    #expect(again.status == 0, "\(again)")
    try scratch.write(NightTests.header + "1,0,0,0.0018,0\n", to: "pairs.csv")
    let plan = try run(scratch, "out", "--again", "--dry-run")
    #expect(plan.status == 3 && plan.error.contains("the run cannot be repeated"), "\(plan)")
  }

  @Test func rejectedRowsLowerTheShare() throws {
    let scratch = try scene(NightTests.keys + ", minimumShare: 0.95")
    defer { scratch.remove() }
    #expect(try run(scratch, "job.json5").status == 0)
    try scratch.write(scratch.text("pairs.csv") + "3,x,0,0,0\n", to: "pairs.csv")
    let night = try run(scratch, "job.json5")
    let message = "2 of 2 rows are ok, and 1 of 3 input rows was rejected, which counts as not ok; expected a share"
    #expect(night.status == 7 && night.error.contains(message), "\(night)")
  }

  // MARK: Output

  @Test(arguments: ["run job.json5 2>/dev/full", "run job.json5 --progress always 2>&-", "verify out 2>/dev/full"])
  func runsWithoutAWritableStderr(line: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    #expect(try shell(scratch, "odometer \(line) > lines").status == 0)
  }

  @Test func metricsOfAnInvalidCommandLineNameItsJob() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    #expect(try run(scratch, "--workers", "4", "job.json5", "--nonsense", "--metrics", "m").status == 2)
    #expect(scratch.text("m").contains("odometer_job_exit_code{job=\"job\"} 2"), "\(scratch.text("m"))")
    #expect(try run(scratch, "job.json5", "--dry-run", "--metrics", "n").status == 2)
  }

  @Test func successfulQuietRunsAreSilent() throws {
    let scratch = try scene(NightTests.keys + ", verify: 2")
    defer { scratch.remove() }
    let night = try run(scratch, "job.json5", "--quiet")
    #expect(night.status == 0 && night.output.isEmpty && night.error.isEmpty, "\(night.output)\(night.error)")
  }

  @Test func fullStandardOutputIsAnError() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    let night = try shell(scratch, "odometer run job.json5 --metrics m.prom > /dev/full")
    #expect(night.status == 4 && night.error.contains("standard output: No space left on device"), "\(night.error)")
    #expect(scratch.text("m.prom").contains("odometer_job_exit_code{job=\"job\"} 4"))
  }

  @Test func readsAJobFromStandardInputWithTheOutputOption() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try scratch.write(scratch.text("job.json5").replacing("output: 'out',", with: ""), to: "job.json5")
    #expect(try run(scratch, "job.json5").error.contains("output"))
    #expect(try run(scratch, "job.json5", "--output", "a").status == 0)
    let piped = try shell(scratch, "odometer run - --output b < job.json5")
    #expect(piped.status == 0 && scratch.files(in: "b").contains("results.sqlite"), "\(piped.error)")
  }

  @Test func showsProgressAsRequested() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    let lines = try run(scratch, "job.json5", "--quiet", "--progress", "json").error.split(separator: "\n")
      .filter { !$0.contains("phase") }
    let last = try JSONSerialization.jsonObject(with: Data(lines[lines.count - 1].utf8)) as? [String: Any]
    #expect(last?["done"] as? Int == 2 && last?["total"] as? Int == 2 && last?["unit"] as? String == "etas")
    #expect(try run(scratch, "job.json5", "--progress", "always", "--quiet").error.contains("of 2 etas"))
    #expect(try !run(scratch, "job.json5", "--progress", "always").error.contains("0 of 2 etas, "))
    #expect(try run(scratch, "job.json5", "--progress", "never").error.isEmpty)
    #expect(try run(scratch, "job.json5", "--progress", "often").status == 2)
  }

  @Test func strictDryRunCountsRejectedRows() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    #expect(try run(scratch, "job.json5", "--strict", "--dry-run").status == 0)
    try scratch.write(scratch.text("pairs.csv") + "3,x,0,0,0\n", to: "pairs.csv")
    #expect(try run(scratch, "job.json5", "--dry-run").status == 0)
    #expect(try run(scratch, "job.json5", "--strict", "--dry-run").status == 1)
  }

  @Test(arguments: [("none.json5", 2), ("job.json5 --shard 9", 2), ("job.json5 --wrong", 2), ("bad.json5", 3)])
  func everyExitHasMetrics(words: String, code: Int) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try scratch.write(scratch.text("job.json5").replacing("map.opl", with: "none.opl"), to: "bad.json5")
    #expect(try shell(scratch, "odometer run \(words) --metrics m.prom").status == Int32(code))
    #expect(scratch.text("m.prom").contains("\"} \(code)\n"), "\(scratch.text("m.prom"))")
  }

  // MARK: Verify

  @Test func eachNightVerifiesADifferentSample() throws {
    let scratch = try scene(NightTests.keys + ", verify: 2")
    defer { scratch.remove() }
    let seed = "SELECT value FROM job WHERE key = 'verification_seed'"
    try run(scratch, "job.json5")
    let first = try scratch.sql(seed)
    try run(scratch, "job.json5")
    #expect(try scratch.sql(seed) != first && !first.isEmpty)
    try Run(
      odometer: "verify", "out", "--seed", first.trimmingCharacters(in: .whitespacesAndNewlines), in: scratch.folder)
    #expect(try scratch.sql(seed) == first)
  }

  @Test func verifiesTheRequestedNumberOfRows() throws {
    let pairs = (1...40).map { "\($0),0,0,0.0018,-0.00\(10 + $0)\n" }.joined()
    let scratch = try Scratch(
      .block, ["pairs.csv": NightTests.header + pairs],
      job: "kind: 'routes', pairs: 'pairs.csv', requestsAlternateRoutes: true")
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    #expect(try Run(odometer: "verify", "out", "--sample", "37", in: scratch.folder).output.hasPrefix("37 rows"))
  }

  // MARK: Sentinels

  private func sentinels(
    _ rows: String, _ header: String = "id,o_lon,o_lat,d_lon,d_lat,min_seconds,max_seconds,max_metres\n"
  )
    throws -> Scratch
  {
    let scratch = try scene(NightTests.keys + ", sentinels: 'sentinels.csv'")
    try scratch.write(header + rows, to: "sentinels.csv")
    return scratch
  }

  @Test func sentinelsInRangeLetTheJobRun() throws {
    let scratch = try sentinels("old town,0,0,0.0018,0,100,200,250\n")
    defer { scratch.remove() }
    #expect(try run(scratch, "job.json5").status == 0)
    #expect(scratch.text("out/log.jsonl").contains("\"event\":\"sentinels\""))
  }

  @Test func sentinelsOutOfRangeEndTheJobWithATable() throws {
    let scratch = try sentinels("old town,0,0,0.0018,0,100,,\nferry,0,0,0.0018,0,10,20,\nfar,0,0,50,50,1,2,\n")
    defer { scratch.remove() }
    let night = try run(scratch, "job.json5", "--quiet", "--metrics", "m.prom")
    #expect(night.status == 6 && night.error.contains("2 of 3 sentinels are out of range"), "\(night.error)")
    #expect(night.error.contains("10 to 20") && night.error.contains("placemark_not_found"))
    #expect(!scratch.files(in: "out").contains { $0.hasPrefix("results") })
    #expect(scratch.text("m.prom").contains("odometer_job_exit_code{job=\"job\"} 6"))
  }

  @Test func sentinelTableHasTheTimeOfEachTrip() throws {
    let scratch = try scene(
      NightTests.keys + ", sentinels: 'sentinels.csv', traffic: 'porto', departures: ['07:00', '08:30'], week: ['Mo']")
    defer { scratch.remove() }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat,max_seconds\nferry,0,0,0.0018,0,1\n", to: "sentinels.csv")
    let night = try run(scratch, "job.json5")
    #expect(night.status == 6 && night.error.contains(#/ferry +Mo 07:00 .*\n *ferry +Mo 08:30 /#), "\(night)")
  }

  @Test(arguments: [
    ("a,0,0,0.0018,0,,,\n", "sentinels.csv:2: got no range"), ("a,0,0,0.0018,0,20,10,\n", "min_seconds is above"),
    ("a,0,0,0.0018,0,x,,\n", "sentinels.csv:2: "), ("", "the file has no sentinels"),
  ])
  func invalidSentinelsStopTheJob(row: String, sentence: String) throws {
    let scratch = try sentinels(row)
    defer { scratch.remove() }
    let night = try run(scratch, "job.json5")
    #expect(night.status == 3 && night.error.contains(sentence), "\(night.error)")
  }

  // MARK: Again

  @Test func repeatsARunFromItsOwnRecord() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    try FileManager.default.removeItem(atPath: scratch.path("job.json5"))
    let again = try Run(odometer: "run", "--again", "\(scratch.folder)/out", in: "/")
    #expect(again.status == 0, "\(again.error)")
    let rows = "SELECT pair_id, expected_travel_time FROM route"
    #expect(try scratch.sql(rows) == TestDatabase(scratch.path("out-again/results.sqlite")).list(rows))
  }

  @Test func saysThatTheWorkingFolderIsNotUTF8() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    _ = try scratch.sql("UPDATE job SET value = '/data/M\u{FFFD}nchen' WHERE key = 'working_folder'")
    let again = try run(scratch, "--again", "out")
    #expect(again.status == 3 && again.error.contains("M\u{FFFD}nchen, has a name that is not UTF-8"), "\(again)")
  }

  @Test func reportsWhyARunCannotBeRepeated() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try run(scratch, "job.json5")
    try scratch.write(NightTests.header + "1,0,0,0.0018,0\n", to: "pairs.csv")
    let again = try run(scratch, "--again", "out")
    #expect(
      again.status == 3 && again.error.contains("since the earlier run, the content of pairs changed"))
    try FileManager.default.removeItem(atPath: scratch.path("map.opl"))
    #expect(try run(scratch, "--again", "out").status == 3)
    #expect(!scratch.files(in: "out-again").contains { $0.hasPrefix("results") })
  }
}
