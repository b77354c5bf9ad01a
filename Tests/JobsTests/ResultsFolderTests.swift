import Jobs
import Tables
import TestMaps
import Testing

/// Files left in a folder by an earlier run, and those removed by a new one.
struct ResultsFolderTests {
  private func withFolder(_ body: (Scratch, ResultsFolder) throws -> Void) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try body(scratch, ResultsFolder(path: scratch.folder))
  }

  private func job(_ changes: [(IdentityKey, String)] = [], file: String = "jobs/night.json5") -> JobRecord {
    var job = JobRecord()
    for (key, value) in [(.kind, "routes"), (.tracesSHA256, "1"), (.snapLimit, "200")] + changes {
      job.identity[key] = value
    }
    job.run[.jobFile] = file
    return job
  }

  /// The files left by a run that stopped in a state.
  private func leave(_ job: JobRecord, _ state: RunState, in folder: ResultsFolder) throws {
    let database = try SQLite(path: folder.database.unfinished, .creating)
    try database.execute("CREATE TABLE job (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
    let insert = try database.prepare("INSERT INTO job VALUES (?, ?)")
    var job = job
    job.run[.state] = state.rawValue
    for (key, value) in job.entries {
      insert.bind(key)
      insert.bind(value)
      try insert.execute()
    }
    try database.close()
  }

  // MARK: The previous run

  @Test func findsNoPreviousRun() throws {
    try withFolder { _, folder in
      let previous = try PreviousRun(in: folder, of: job())
      #expect(previous == .none)
    }
  }

  @Test func anEmptyDatabaseIsNotARun() throws {
    try withFolder { _, folder in
      try SQLite(path: folder.database.unfinished, .creating).close()
      #expect(try PreviousRun(in: folder, of: job()) == .none)
      #expect(!PreviousRun.hasBegun(in: folder))
    }
  }

  @Test(arguments: [(RunState.running, PreviousRun.unfinished), (.interrupted, .unfinished), (.finished, .sealed)])
  func findsThePreviousRun(state: RunState, expected: PreviousRun) throws {
    try withFolder { _, folder in
      try leave(job(), state, in: folder)
      #expect(try PreviousRun(in: folder, of: job(file: "elsewhere/night.json5")) == expected)
      #expect(PreviousRun.hasBegun(in: folder))
    }
  }

  @Test func rejectsAChangedJob() throws {
    try withFolder { _, folder in
      try leave(job(), .running, in: folder)
      let changed = job([(.snapLimit, "300"), (.tracesSHA256, "2")])
      let error = try #require(throws: ResultsError.self) { try PreviousRun(in: folder, of: changed) }
      #expect(error.cause == .changed && error.path == folder.path)
      #expect(
        error.problem.contains("since it started, the content of traces changed; snap_limit was 200, now 300;"),
        "\(error)")
    }
  }

  @Test func rejectsTheRunOfAnotherJob() throws {
    try withFolder { _, folder in
      try leave(job(), .running, in: folder)
      let other = job([(.kind, "etas")], file: "jobs/day.json5")
      let error = try #require(throws: ResultsError.self) { try PreviousRun(in: folder, of: other) }
      #expect(
        error.cause == .output
          && error.problem.contains("another job, jobs/night.json5, is in this folder (kind was routes, now etas)"),
        "\(error)")
    }
  }

  @Test func rejectsACorruptRun() throws {
    try withFolder { scratch, folder in
      try scratch.write(String(repeating: "not a database ", count: 100), to: "results.sqlite.part")
      let error = try #require(throws: ResultsError.self) { try PreviousRun(in: folder, of: job()) }
      #expect(error.cause == .changed && error.sqlite?.code == 26)
      #expect(error.problem == "cannot resume the unfinished run: file is not a database; restart with --fresh")
    }
  }

  // MARK: Files

  @Test func publishesAndRemovesFilesOfOtherKinds() throws {
    try withFolder { scratch, folder in
      for name in ["results.sqlite.part", "routes.geojson.gz.part", "report.html.part"] {
        try scratch.write("new", to: name)
      }
      for name in ["results.sqlite", "matrix.csv.gz", "travel_times.npy", "isochrones.geojson.gz", "notes.txt"] {
        try scratch.write("old", to: name)
      }
      try folder.publish([folder.routes, folder.report])
      #expect(scratch.files == ["notes.txt", "report.html", "results.sqlite", "routes.geojson.gz"])
      #expect(scratch.text("results.sqlite") == "new")
      try folder.publish([folder.routes, folder.report])
      #expect(scratch.files.count == 4)
    }
  }

  @Test func discardsAnUnfinishedRunCompletely() throws {
    try withFolder { scratch, folder in
      for name in ["results.sqlite.part", "results.sqlite.part-wal", "distances.npy.part", "results.sqlite"] {
        try scratch.write("12345", to: name)
      }
      #expect(folder.isUnfinished)
      folder.discard()
      #expect(!folder.isUnfinished && scratch.files == ["results.sqlite"])
    }
  }

  @Test func refusesASecondRun() throws {
    try withFolder { _, folder in
      let lock = try folder.lock()
      let error = try #require(throws: ResultsError.self) { try folder.lock() }
      withExtendedLifetime(lock) {}
      #expect(error.cause == .output && error.problem.hasPrefix("another run is writing into this folder"))
    }
  }
}
