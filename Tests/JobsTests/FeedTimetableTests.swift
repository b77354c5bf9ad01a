import Foundation
import Geography
import Input
import Jobs
import StreetNetwork
import TestMaps
import Testing
import Transit
import TransitNetwork

/// Zip files, and the file that stores a timetable.
struct FeedTimetableTests {
  @Test func timetablesAreReadOnce() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try FeedScene().zip().write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    var reports = 0
    let first = try FeedTimetable([scratch.path("a.zip")]) { _ in reports += 1 }
    let second = try FeedTimetable([scratch.path("a.zip")]) { _ in reports += 1 }
    #expect(reports == 1 && first.drawn == second.drawn && first.feeds[0].facts == second.feeds[0].facts)
    #expect(scratch.files == [(first.path as NSString).lastPathComponent, "a.zip"])
  }

  @Test func differentContentsHaveDifferentFiles() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let zip = URL(fileURLWithPath: scratch.path("a.zip"))
    let paths = try ["5", "7"].map { line in
      try FeedScene(["routes.txt": "route_id,route_short_name,route_type\nr,\(line),3"]).zip().write(to: zip)
      return try FeedTimetable([zip.path], cache: scratch.path("cache")).path
    }
    #expect(scratch.files(in: "cache") == paths.map { ($0 as NSString).lastPathComponent }.sorted())
    #expect(Set(paths).count == 2)
  }

  @Test func timetablesOfChangedFeedsAreCleaned() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let zip = URL(fileURLWithPath: scratch.path("a.zip"))
    let paths = try ["5", "7"].map { line in
      try FeedScene(["routes.txt": "route_id,route_short_name,route_type\nr,\(line),3"]).zip().write(to: zip)
      return try FeedTimetable([zip.path]).path
    }
    let folder = try NetworkFolder.withTimetables(scratch.folder)
    #expect(folder.entries.count == 2 && folder.obsolete.map(\.path) == [paths[0]])
    try folder.clean()
    #expect(scratch.files == [(paths[1] as NSString).lastPathComponent, "a.zip"])
  }

  @Test func timetablesOfOldFormatsAreObsolete() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try FeedScene().zip().write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    let path = try FeedTimetable([scratch.path("a.zip")]).path
    try FileManager.default.moveItem(atPath: scratch.path("a.zip"), toPath: scratch.path("b.zip"))
    #expect(try NetworkFolder.withTimetables(scratch.folder).entries.map(\.use) == [.inUse("for a feed elsewhere")])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[8] = 1
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(
      try NetworkFolder.withTimetables(scratch.folder).entries.map(\.use)
        == [.obsolete("was written in format 1, but this version reads 8")])
  }

  /// Every byte of a file is covered by its digest.
  @Test func damagedTimetablesAreRebuilt() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try FeedScene().zip().write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    let file = URL(fileURLWithPath: try FeedTimetable([scratch.path("a.zip")]).path)
    let bytes = try Data(contentsOf: file)
    for at in stride(from: 0, to: bytes.count, by: 97) {
      var (damaged, reports) = (bytes, 0)
      damaged[at] ^= 1
      try damaged.write(to: file)
      _ = try FeedTimetable([scratch.path("a.zip")]) { _ in reports += 1 }
      #expect(try Data(contentsOf: file) == bytes && reports == 1, "\(at)")
    }
  }

  @Test func feedsMayBeInAFolderOfTheirZip() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let scene = FeedScene()
    let zip = storedZip(
      [("__MACOSX/stops.txt", Data("x".utf8)), ("top/other/trips.txt", Data("x".utf8))]
        + scene.files.sorted { $0.key < $1.key }.map { ("top/feed/" + $0.key, Data($0.value.utf8)) })
    try zip.write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    #expect(try FeedTimetable([scratch.path("a.zip")]).drawn == scene.read().drawn)
  }

  @Test func twoFeedsInOneZipAreRefused() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let stops = Data(FeedScene().files["stops.txt"]!.utf8)
    try storedZip([("north/stops.txt", stops), ("south/stops.txt", stops)])
      .write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    let problem = "the zip contains two feeds, north/stops.txt and south/stops.txt; expected one zip per feed"
    #expect(throws: OdometerError.self) { try FeedTimetable([scratch.path("a.zip")]) }
    let error = #expect(throws: OdometerError.self) { try StationTable(scratch.path("a.zip"), map: "", types: nil) }
    #expect(error?.problem == problem)
  }

  @Test func checksumsOfZipsAreCompared() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var zip = FeedScene().zip()
    zip[zip.range(of: Data("8:10:00".utf8))!.lowerBound] = UInt8(ascii: "9")
    try zip.write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    let error = #expect(throws: OdometerError.self) { try FeedTimetable([scratch.path("a.zip")]) }
    #expect(error.map { "\($0)" } == "\(scratch.path("a.zip"))/stop_times.txt: the zip is corrupt or truncated")
  }

  @Test(arguments: [
    ("agency.txt", "0.zip: the zip has no agency.txt; expected a GTFS feed"),
    ("stops.txt", "0.zip: the zip has no stops.txt; expected a GTFS feed"),
    ("trips.txt", "0.zip: the zip has no trips.txt; expected a GTFS feed"),
  ])
  func missingFilesAreNamed(name: String, problem: String) {
    var scene = FeedScene()
    scene.files[name] = nil
    #expect(scene.problem() == problem)
  }

  /// Damages the flags and the method in the members' headers: at offsets 6 and 8 of local headers, 8 and 10 of central
  /// ones.
  @Test(arguments: [
    (0, 1, "it is encrypted; expected a zip without a password"),
    (2, 14, "its compression is not supported; expected deflate, bzip2 or none"),
  ])
  func reportsWhyMembersCannotBeRead(offset: Int, value: UInt8, problem: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var zip = FeedScene().zip()
    for (mark, start) in [([0x50, 0x4B, 3, 4] as [UInt8], 6), ([0x50, 0x4B, 1, 2], 8)] {
      for range in zip.ranges(of: mark) { zip[range.lowerBound + start + offset] = value }
    }
    try zip.write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    let error = #expect(throws: OdometerError.self) { try FeedTimetable([scratch.path("a.zip")]) }
    #expect(error?.problem == problem)
  }

  @Test func emptyIdsAreRejected() throws {
    let feeds = try FeedScene.read(FeedScene(["trips.txt": "trip_id,route_id,service_id\nt,r,s\nu,r,s\n,r,s"]))
    #expect(feeds.feeds[0].facts.rejected.map(\.reason) == ["trip_id is empty"])
  }

  @Test func foldersAreNotFeeds() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let error = #expect(throws: OdometerError.self) { try FeedTimetable([scratch.folder]) }
    #expect(error?.problem == "this is a folder, expected a GTFS zip")
  }

  @Test func duplicateFilesInAZipAreReported() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let files = FeedScene().files.sorted { $0.key < $1.key }.map { ($0.key, Data($0.value.utf8)) }
    let zip = storedZip(files + [("stop_times.txt", Data("trip_id,stop_id,stop_sequence".utf8))])
    try zip.write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    let feed = try FeedTimetable([scratch.path("a.zip")])
    #expect(
      feed.feeds[0].notes == [
        "\(scratch.path("a.zip")): the zip has 2 files named stop_times.txt; the first one is read"
      ])
  }

  @Test func bytesAfterTheEndOfAZipAreIgnoredAndReported() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try (FeedScene().zip() + Data("<html>".utf8)).write(to: URL(fileURLWithPath: scratch.path("a.zip")))
    let feed = try FeedTimetable([scratch.path("a.zip")])
    #expect(try feed.drawn == FeedScene().read().drawn)
    #expect(
      feed.feeds[0].notes == ["\(scratch.path("a.zip")): ignored 6 extra bytes after the end of the zip"])
  }

  @Test func theSameFeedTwiceIsRefused() throws {
    #expect(throws: OdometerError.self) { try FeedScene.read(FeedScene(), FeedScene()) }
  }

  @Test func rejectedRowsAreKeptUpToAThousand() throws {
    let dates = (0..<1200).map { _ in "s,20260101,3" }
    let feed = try FeedScene([
      "calendar_dates.txt": (["service_id,date,exception_type"] + dates).joined(separator: "\n")
    ]).read()
    let facts = feed.feeds[0].facts
    #expect(facts.rejectedRows == 1200 && facts.rejected.count == 1000)
    #expect(
      facts.notes == [
        "calendar_dates.txt: 1200 rows are rejected, of which the first 1000 are listed: exception_type is neither 1 nor 2"
      ])
  }

  @Test func unreadFilesAreNamed() throws {
    let feed = try FeedScene(["fare_rules.txt": "fare_id", "feed_info.txt": "feed_publisher_name,feed_version\nP,7"])
      .read()
    #expect(feed.feeds[0].notes.map { $0.replacing(/^.*0\.zip/, with: "") } == [": not read: fare_rules.txt"])
    #expect((feed.feeds[0].facts.publisher, feed.feeds[0].facts.version) == ("P", "7"))
  }

  /// After random damage, a feed is read, or rejected with a message.
  @Test(arguments: [
    "agency.txt", "calendar.txt", "calendar_dates.txt", "feed_info.txt", "frequencies.txt", "pathways.txt",
    "routes.txt", "stop_times.txt", "stops.txt", "transfers.txt", "trips.txt",
  ])
  func damagedFeedsDoNotCrash(name: String) throws {
    let scene = FeedScene([
      "calendar_dates.txt": "service_id,date,exception_type\ns,20261110,2\nx,20261111,1",
      "feed_info.txt": "feed_publisher_name,feed_version,feed_start_date,feed_end_date\nP,7,20260101,20261231",
      "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\nt,5:00:00,6:00:00,300,0",
      "pathways.txt":
        "from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time,length,stair_count\na,b,2,1,60,9.5,-12",
      "transfers.txt":
        "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id\na,b,2,60,,\n,,4,t,u",
    ])
    var random = SeededGenerator(seed: 1)
    let words = [
      "", ",", "\"", "\n", "\r", "-1", "0", "1e999", "99999999999", "20991231", "24:00:00", "999:59:59", "\u{0}", "é",
    ]
    let count = ProcessInfo.processInfo.environment["ODOMETER_RANDOM_GRAPHS"].flatMap { Int($0) } ?? 60
    for _ in 0..<count {
      var damaged = scene
      var text = Array(scene.files[name]!.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, at + Int.random(in: 0...3, using: &random))
        text.replaceSubrange(at..<end, with: words.randomElement(using: &random)!.utf8)
      }
      damaged.files[name] = String(decoding: text, as: UTF8.self)
      do {
        let feed = try damaged.read()
        _ = try? feed.calendar("2026-11-10")
      } catch {
        #expect(error is OdometerError, "\(error)")
      }
    }
  }
}
