import Foundation
import Jobs
import Tables
import TestMaps
import Testing

/// Files left in a folder by an earlier run, and files removed by a new one.
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

  /// Writes the database of a run that stopped in a given state.
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

  // MARK: Journals of interrupted commands

  /// Finished results in the middle of a change, as left by a killed `verify`.
  @Test func interruptedChangesOfResultsAreRolledBack() throws {
    try withFolder { _, folder in
      var finished = job()
      finished.identity[.kind] = "etas"
      try leave(finished, .finished, in: folder)
      let database = try SQLite(path: folder.database.unfinished, .writing)
      try database.execute("PRAGMA synchronous = OFF; BEGIN; UPDATE job SET value = 'routes' WHERE key = 'kind';")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: folder.database.unfinished + suffix, toPath: folder.database + suffix)
      }
      try database.execute("ROLLBACK")
      #expect(FileManager.default.fileExists(atPath: folder.database + "-journal"))
      #expect(try ResultsDatabase(path: folder.database).kind == .etas)
      #expect(!FileManager.default.fileExists(atPath: folder.database + "-journal"))
    }
  }

  /// SQLite would remove the file named by such a journal.
  @Test func journalsOfSeveralDatabasesAreRefused() throws {
    try withFolder { scratch, folder in
      try leave(job(), .finished, in: folder)
      try scratch.write("mine", to: "precious.txt")
      let path = folder.database.unfinished
      let name = scratch.path("precious.txt")
      func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
      let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
      var bytes = magic + word(0) + word(0) + word(2) + word(512) + word(4096)
      bytes += Array(repeating: 0, count: 512 - bytes.count) + word(0x4000_0000 / 4096 + 1) + Array(name.utf8)
      bytes += word(name.utf8.count) + word(name.utf8.reduce(0) { $0 + Int($1) }) + magic
      try Data(bytes).write(to: URL(fileURLWithPath: path + "-journal"))
      #expect(throws: ResultsError.self) { try PreviousRun(in: folder, of: job()) }
      #expect(throws: ResultsError.self) { try SQLite(path: path, .writing) }
      #expect(scratch.text("precious.txt") == "mine")
    }
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

  @Test func publishingRemovesOldFilesOfOtherKinds() throws {
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
