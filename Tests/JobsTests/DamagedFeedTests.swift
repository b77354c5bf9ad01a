import Foundation
import TestMaps
import Testing
import TransitNetwork

/// Feeds with one damaged file: each feed is read, or refused with a message that names the file or the zip.
struct DamagedFeedTests {
  static let whole = FeedScene([
    "calendar_dates.txt": "service_id,date,exception_type\ns,20261225,2",
    "feed_info.txt": "feed_publisher_name,feed_version,feed_start_date,feed_end_date\nA,7,20260101,20261231",
    "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt,5:00:00,6:00:00,600",
    "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nh,0,0,1\nh,0,0.02,2",
    "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\na,b,2,120",
  ])

  /// Returns the problem of the feed if a file's content is replaced; empty if the feed is read.
  private func problem(_ file: String, _ content: (String) -> String) -> String {
    var scene = Self.whole
    scene.files[file] = content(scene.files[file]!)
    return scene.problem()
  }

  @Test(arguments: DamagedFeedTests.whole.files.keys.sorted()) func emptyFilesAreRefusedByName(file: String) {
    let problem = problem(file) { _ in "" }
    #expect(problem.contains(file), "\(file): \(problem)")
  }

  @Test(arguments: DamagedFeedTests.whole.files.keys.sorted())
  func binaryRowsAreRejectedOrRefused(file: String) throws {
    let garbage = String(decoding: [0x80, 0, 0xFF, 0x2C, 0x22, 0x0D, 0x07] as [UInt8], as: Unicode.ASCII.self)
    let problem = problem(file) { "\($0.split(separator: "\n")[0])\n\(garbage)" }
    #expect(problem.isEmpty || problem.contains(" "), "\(file): \(problem)")
    #expect(!problem.hasPrefix("Error Domain"))
  }

  @Test(arguments: DamagedFeedTests.whole.files.keys.sorted()) func truncatedRowsAreRejectedOrRefused(file: String) {
    // Every prefix of the file, as left by an interrupted download.
    let text = Self.whole.files[file]!
    for count in stride(from: text.count - 1, to: 0, by: -3) {
      let problem = problem(file) { String($0.prefix(count)) }
      #expect(problem.isEmpty || problem.contains("0.zip"), "\(file), \(count) bytes: \(problem)")
    }
  }

  @Test(arguments: DamagedFeedTests.whole.files.keys.sorted()) func absurdFieldsAreRejectedOrRefused(file: String) {
    let lines = Self.whole.files[file]!.split(separator: "\n").map(String.init)
    for column in 0..<lines[1].split(separator: ",", omittingEmptySubsequences: false).count {
      for value in ["", "-1", "99999999999999999999", "1e999", "NaN", "99:99:99", "\"", "0", "20269999"] {
        var fields = lines[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        fields[column] = value
        let rows = ([lines[0], fields.joined(separator: ",")] + lines.dropFirst(2)).joined(separator: "\n")
        let problem = problem(file) { _ in rows }
        #expect(problem.isEmpty || problem.contains("0.zip"), "\(file), column \(column), \(value): \(problem)")
      }
    }
  }

  @Test func zipsWithAFlippedBitAreReadOrNamed() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let zip = Self.whole.zip()
    for bit in stride(from: 0, to: zip.count * 8, by: 97) {
      var damaged = zip
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try damaged.write(to: URL(fileURLWithPath: scratch.path("0.zip")))
      do {
        try FileManager.default.removeItem(atPath: FeedTimetable([scratch.path("0.zip")]).path)
      } catch {
        #expect("\(error)".contains("0.zip") && "\(error)".contains(" "), "bit \(bit): \(error)")
      }
    }
  }
}
