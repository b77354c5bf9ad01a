import Foundation
import TestMaps
import Testing

/// Output for operators: plans, limits, the log and metrics.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct OperationsTests {
  private func scene(_ keys: String) throws -> Scratch {
    let scratch = try Scratch()
    let map = TestMap("a-b-c").way("abc")
    try scratch.write(map.opl, to: "map.opl")
    let lines = "abc".map { "\($0),\(map[$0].longitude),\(map[$0].latitude)\n" }
    try scratch.write("id,lon,lat\n" + lines.joined(), to: "places.csv")
    try scratch.write(
      "{ kind: 'matrix', origins: 'places.csv', map: 'map.opl', transportType: 'walking', output: 'out', \(keys) }",
      to: "night \"1\".json5")
    return scratch
  }

  private func run(_ scratch: Scratch, _ words: String...) throws -> Run {
    try Run(Project.binary, ["run", "night \"1\".json5"] + words, in: scratch.folder)
  }

  @Test func planPrintsTimeMemoryAndDisk() throws {
    let scratch = try scene("memory: '2 GB'")
    defer { scratch.remove() }
    let before = try run(scratch, "--dry-run")
    #expect(
      before.output.contains("network: to be built in about 1 s") && before.output.contains("reads: map.opl 1 MB"))
    #expect(!scratch.files.contains("out"))
    try Run(odometer: "network", "build", "map.opl", in: scratch.folder)
    let plan = try run(scratch, "--dry-run", "--workers", "2").output
    #expect(
      plan.contains("9 cells to compute")
        && plan.contains(/time: (less than|about) \d+ s of wall time on 2 workers, \d+ s of CPU time/), "\(plan)")
    #expect(
      plan.contains("memory: about ") && plan.contains("available: 2.0 GB memory (limit set by the key memory)"),
      "\(plan)")
    #expect(plan.contains("disk: about 1 MB") && !scratch.files.contains("out"))
  }

  /// Runs the job and returns the minimum memory and the memory per worker of its forecast.
  private func forecast(_ scratch: Scratch, workers: Int) throws -> (least: Int, worker: Int) {
    #expect(try run(scratch, "--quiet", "--fresh", "--workers", "\(workers)").status == 0)
    let event = #/"least_memory_bytes":(\d+),"worker_memory_bytes":(\d+)/#
    let found = try #require(scratch.text("out/log.jsonl").matches(of: event).last)
    return try (#require(Int(found.1)), #require(Int(found.2)))
  }

  @Test func forecastCountsTheMemoryOfEachWorker() throws {
    let scratch = try scene("memory: '2 GB'")
    defer { scratch.remove() }
    let (one, three) = try (forecast(scratch, workers: 1), forecast(scratch, workers: 3))
    #expect(three.least - one.least == 2 * one.worker && one.worker > 0)
    let plan = try run(scratch, "--dry-run").output
    #expect(plan.contains(/memory: about \d+ MB, at least \d+ MB, of which 1 MB per worker/), "\(plan)")
  }

  @Test func planReportsTheFateOfExistingResults() throws {
    let scratch = try scene("memory: '2 GB'")
    defer { scratch.remove() }
    #expect(try run(scratch, "--quiet").status == 0)
    #expect(try run(scratch, "--dry-run").output.contains("results: out (has finished results, which are replaced)"))
    try FileManager.default.moveItem(
      atPath: scratch.path("out/results.sqlite"), toPath: scratch.path("out/results.sqlite.part"))
    #expect(try run(scratch, "--dry-run").output.contains("(has an unfinished run, which is resumed)"))
    try scratch.write(scratch.text("places.csv") + "x,0,0\n", to: "places.csv")
    #expect(try run(scratch, "--dry-run").output.contains("(the run will be refused with exit code 3: cannot resume"))
    let fresh = try run(scratch, "--dry-run", "--resume-or-fresh").output
    #expect(
      fresh.contains("(has an unfinished run, which is discarded: since it started, the content of"), "\(fresh)")
  }

  @Test func planReportsThatOtherDeparturesAreRefused() throws {
    let times = (10...59).map { "'07:\($0)'" }
    func keys(_ times: ArraySlice<String>) -> String {
      "memory: '2 GB', departures: [\(times.joined(separator: ","))], date: '2026-11-23'"
    }
    let scratch = try scene(keys(times[...]))
    defer { scratch.remove() }
    let map = TestMap("a-b-c").way("abc", ["foot:conditional": "no @ (07:00-07:30)"])
    try scratch.write(map.opl, to: "map.opl")
    #expect(try run(scratch, "--quiet").status == 0)
    try FileManager.default.moveItem(
      atPath: scratch.path("out/results.sqlite"), toPath: scratch.path("out/results.sqlite.part"))
    let job = scratch.text("night \"1\".json5")
    try scratch.write(job.replacing(keys(times[...]), with: keys(times.dropFirst())), to: "night \"1\".json5")
    let plan = try run(scratch, "--dry-run")
    #expect(
      plan.output.contains(
        "exit code 3: cannot resume the unfinished run in this folder: since it started, departures was ")
        && plan.output.contains("; undo that to resume, or restart with --fresh"), "\(plan)")
  }

  @Test func planReportsThatAnotherJobsResultsAreRefused() throws {
    let scratch = try scene("memory: '2 GB'")
    defer { scratch.remove() }
    #expect(try run(scratch, "--quiet").status == 0)
    try scratch.write(scratch.text("night \"1\".json5"), to: "day.json5")
    let plan = try Run(odometer: "run", "day.json5", "--dry-run", in: scratch.folder)
    #expect(
      plan.output.contains("(the run will be refused with exit code 4: finished results of another job"), "\(plan)")
    #expect(try Run(odometer: "run", "day.json5", in: scratch.folder).status == 4)
    let fresh = try Run(odometer: "run", "day.json5", "--dry-run", "--fresh", in: scratch.folder)
    #expect(fresh.output.contains("(has finished results, which are replaced)"), "\(fresh)")
  }

  @Test func workersDefaultToTheAvailableCores() throws {
    let scratch = try scene("memory: '2 GB'")
    defer { scratch.remove() }
    try Run(odometer: "network", "build", "map.opl", in: scratch.folder)
    let plan = try Run(
      "/usr/bin/env", ["taskset", "-c", "0", Project.binary, "run", "night \"1\".json5", "--dry-run"],
      in: scratch.folder)
    #expect(plan.output.contains("on 1 worker,"), "\(plan)")
  }

  @Test func planDoesNotRepairADamagedNetwork() throws {
    let scratch = try scene("memory: '2 GB'")
    defer { scratch.remove() }
    let built = try Run(odometer: "network", "build", "map.opl", in: scratch.folder)
    let file = built.output.trimmingCharacters(in: .whitespacesAndNewlines)
    try scratch.write("damaged", to: file)
    let plan = try run(scratch, "--dry-run")
    #expect(plan.status == 0 && plan.output.contains("network: to be built"), "\(plan.output)\(plan.error)")
    #expect(scratch.text(file) == "damaged")
  }

  @Test(arguments: [
    (
      "memory: '10 MB'", 4,
      "of memory, but the key memory allows 10 MB; allow more, split its input, or use fewer workers"
    ),
    ("memory: 'much'", 2, "memory: got \"much\", expected a size in MB, GB, MiB or GiB, e.g. \"500 MB\""),
    ("memory: 12", 2, "memory: got 12"),
    ("verify: 1.5", 2, "verify: got 1.5, expected a whole number"),
  ])
  func refusesJobsThatDoNotFitOrHaveInvalidValues(keys: String, status: Int32, sentence: String) throws {
    let scratch = try scene(keys)
    defer { scratch.remove() }
    try Run(odometer: "network", "build", "map.opl", in: scratch.folder)
    let refused = try run(scratch)
    #expect(refused.status == status && refused.error.contains(sentence), "\(refused.error)")
    #expect(refused.error.split(separator: "\n").count == 1)
    #expect(!scratch.files(in: "out").contains { $0.hasPrefix("results") })
  }

  @Test(arguments: [false, true]) func planReportsThatAJobDoesNotFit(hasNetwork: Bool) throws {
    let scratch = try scene("memory: '10 MB'")
    defer { scratch.remove() }
    if hasNetwork { try Run(odometer: "network", "build", "map.opl", in: scratch.folder) }
    let plan = try run(scratch, "--dry-run")
    let sentence = hasNetwork ? "the job needs about" : "map.opl: building its network takes about"
    #expect(plan.status == 0 && plan.output.contains("(the run will be refused with exit code 4: "), "\(plan)")
    #expect(plan.output.contains(sentence), "\(plan)")
  }

  @Test func givesTheSameResultsWithLittleMemory() throws {
    let scratch = try scene("format: ['sqlite', 'csv'], memory: '90 MB'")
    defer { scratch.remove() }
    #expect(try run(scratch, "--quiet").status == 0)
    let little = scratch.bytes("out/matrix.csv.gz")
    try scratch.write(scratch.text("night \"1\".json5").replacing("90 MB", with: "9 GB"), to: "night \"1\".json5")
    #expect(try run(scratch, "--quiet").status == 0)
    #expect(!little.isEmpty && little == scratch.bytes("out/matrix.csv.gz"))
  }

  @Test func writesMetricsInPrometheusFormat() throws {
    let scratch = try scene("verify: 5")
    defer { scratch.remove() }
    #expect(try run(scratch, "--metrics", "odometer.prom", "--quiet").status == 0)
    let lines = scratch.text("odometer.prom").split(separator: "\n").map(String.init)
    for line in [
      "odometer_job_success{job=\"night \\\"1\\\"\"} 1", "odometer_job_rows{job=\"night \\\"1\\\"\"} 3",
      "odometer_job_cells_by_status{job=\"night \\\"1\\\"\",status=\"ok\"} 9",
      "odometer_job_differences{job=\"night \\\"1\\\"\"} 0", "# TYPE odometer_job_duration_seconds gauge",
    ] { #expect(lines.contains(line), "\(line) in \(lines)") }
    let sample = try Regex("^odometer_[a-z_]+\\{.*\\} -?[0-9.]+$")
    for line in lines {
      #expect(line.hasPrefix("# ") || line.contains(sample), "\(line)")
    }
    // Results matter more than their metrics.
    let unwritten = try run(scratch, "--metrics", "no/folder.prom")
    #expect(unwritten.status == 0 && unwritten.error.contains("warning: no/folder.prom"), "\(unwritten.error)")
    // A failed run writes metrics, too.
    try scratch.write("id,lon\n", to: "places.csv")
    #expect(try run(scratch, "--metrics", "odometer.prom").status == 3)
    let failed = scratch.text("odometer.prom")
    #expect(failed.contains("odometer_job_success{job=\"night \\\"1\\\"\"} 0") && failed.contains("_exit_code"))
  }

  @Test func metricsCountTheStopsAndTripsOfFeeds() throws {
    let scratch = try scene("gtfs: 'feed.zip', departures: ['07:00'], date: '2026-11-23', timeZone: 'Etc/UTC'")
    defer { scratch.remove() }
    try scratch.write(
      scratch.text("night \"1\".json5").replacing("'walking'", with: "'transit'"), to: "night \"1\".json5")
    let feed = [
      "agency.txt": "agency_name,agency_timezone\nA,Etc/UTC",
      "calendar_dates.txt": "service_id,date,exception_type\ns,20261123,1",
      "routes.txt": "route_id,route_type\nr,3", "stops.txt": "stop_id,stop_lat,stop_lon\na,0,0\nx,3,3",
      "trips.txt": "trip_id,route_id,service_id\nt,r,s",
      "stop_times.txt": "trip_id,stop_id,stop_sequence,arrival_time,departure_time\nt,a,1,7:00:00,\nt,x,2,7:09:00,",
    ]
    try storedZip(feed.sorted { $0.key < $1.key }.map { ($0.key, Data($0.value.utf8)) })
      .write(to: URL(fileURLWithPath: scratch.path("feed.zip")))
    let finished = try run(scratch, "--metrics", "odometer.prom", "--quiet")
    #expect(finished.status == 0, "\(finished.error)")
    let metrics = scratch.text("odometer.prom")
    #expect(metrics.contains("odometer_transit_stops_unsnapped{job=\"night \\\"1\\\"\"} 1\n"), "\(metrics)")
    #expect(metrics.contains("odometer_transit_trips_running{job=\"night \\\"1\\\"\"} 1\n"), "\(metrics)")
  }

  @Test func logsEachEvent() throws {
    let scratch = try scene("verify: 5")
    defer { scratch.remove() }
    #expect(try run(scratch, "--quiet").status == 0)
    let events = try scratch.text("out/log.jsonl").split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
    let names = events.compactMap { $0["event"] as? String }.filter { $0 != "phase" }
    #expect(
      names == ["start", "forecast", "chunks", "sealed", "verified", "finished"])
    for event in events {
      #expect((event["time"] as? String)?.hasSuffix("Z") == true && (event["peak_memory_bytes"] as? Int ?? 0) > 1 << 20)
      #expect(event["elapsed_seconds"] is NSNumber)
    }
    #expect(
      events[0]["version"] != nil && events[0]["map_sha256"] != nil && events[0]["profile"] as? String == "walking")
  }
}
