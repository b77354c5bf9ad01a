import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

/// Notes with the digests of large files, so that the files are read in full only if they are new.
struct DigestNoteTests {
  /// A map with about 4,000 junctions: its network is larger than a megabyte.
  private static let opl: String = {
    let side = 64
    var nodes = "", ways = ""
    for row in 0..<side {
      for column in 0..<side { nodes += "n\(row * side + column + 1) v1 x0.\(1000 + column) y0.\(1000 + row)\n" }
      let across = (0..<side).map { "n\(row * side + $0 + 1)" }.joined(separator: ",")
      let down = (0..<side).map { "n\($0 * side + row + 1)" }.joined(separator: ",")
      ways += "w\(row + 1) v1 Thighway=residential N\(across)\nw\(side + row + 1) v1 Thighway=residential N\(down)\n"
    }
    return nodes + ways
  }()

  /// Builds a network file, and returns its path and that of the note next to it.
  private func built(_ scratch: Scratch) throws -> (file: String, note: String) {
    try scratch.write(DigestNoteTests.opl, to: "map.opl")
    let location = try StreetNetwork.location(map: scratch.path("map.opl"), profile: .stock("walking"))
    let file = scratch.path("my.network")
    try StreetNetwork.build(location, to: file, workers: 2) { _ in }
    return (file, file + ".verified")
  }

  private func flip(_ file: String) throws {
    let handle = try #require(FileHandle(forUpdatingAtPath: file))
    try handle.seek(toOffset: 700_000)
    let byte = try #require(try handle.read(upToCount: 1))
    try handle.seek(toOffset: 700_000)
    try handle.write(contentsOf: [byte[0] ^ 1])
    try handle.close()
  }

  @Test func recordsDigestsInNotes() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (file, note) = try built(scratch)
    let text = try String(contentsOfFile: note, encoding: .utf8)
    #expect(text.contains(try StreetNetwork(networkFile: file).fingerprints.network))
    #expect(scratch.files == ["map.opl", "my.network", "my.network.verified"])
  }

  @Test func detectsAChangeThatKeepsSizeAndTime() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (file, note) = try built(scratch)
    let date = try #require(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date)
    try flip(file)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    let error = #expect(throws: OdometerError.self) { try StreetNetwork(networkFile: file) }
    #expect(error?.problem.contains("corrupt") == true && !FileManager.default.fileExists(atPath: note))
  }

  /// A note is trusted even if it is forged: the file is then not checked.
  @Test func readsNotedFilesOnlyWhenChecking() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (file, note) = try built(scratch)
    let digest = try StreetNetwork(networkFile: file).fingerprints.network
    try flip(file)
    var status = stat()
    #expect(stat(file, &status) == 0)
    func nanoseconds(_ time: timespec) -> Int { time.tv_sec * 1_000_000_000 + time.tv_nsec }
    try scratch.write(
      "odometer-verified 2 \(digest) \(status.st_dev) \(status.st_ino) \(status.st_size) "
        + "\(nanoseconds(status.st_mtim)) \(nanoseconds(status.st_ctim))\n", to: "my.network.verified")
    #expect(try StreetNetwork(networkFile: file).fingerprints.network == digest)
    #expect(throws: OdometerError.self) { try StreetNetwork.check(networkFile: file) }
    #expect(!FileManager.default.fileExists(atPath: note))
    #expect(throws: OdometerError.self) { try StreetNetwork(networkFile: file) }
  }

  /// Earlier versions did not check the values of columns.
  @Test func doesNotTrustANoteOfAnEarlierVersion() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (file, note) = try built(scratch)
    let text = try String(contentsOfFile: note, encoding: .utf8)
    try scratch.write(text.replacing("verified 2", with: "verified 1"), to: "my.network.verified")
    _ = try StreetNetwork(networkFile: file)
    #expect(try String(contentsOfFile: note, encoding: .utf8) == text)
  }

  @Test(arguments: ["", "odometer-verified 2", "odometer-verified 2 5e 1 2 3 4 5\n", "\u{0}\u{ff}"])
  func ignoresInvalidNotes(text: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (file, note) = try built(scratch)
    let good = try String(contentsOfFile: note, encoding: .utf8)
    try scratch.write(text, to: "my.network.verified")
    _ = try StreetNetwork(networkFile: file)
    #expect(try String(contentsOfFile: note, encoding: .utf8) == good)
  }

  @Test func opensWithoutAWritableNote() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (file, note) = try built(scratch)
    unlink(note)
    try FileManager.default.createDirectory(atPath: note, withIntermediateDirectories: false)
    #expect(try StreetNetwork(networkFile: file).streetCount > 0)
    // The note is written to another folder if one is named.
    try FileManager.default.createDirectory(atPath: scratch.path("cache"), withIntermediateDirectories: false)
    _ = try StreetNetwork(networkFile: file, cache: scratch.path("cache"))
    #expect(scratch.files(in: "cache") == ["my.network.verified"])
  }

  @Test func detectsAnEditedMap() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    // A comment makes the file large.
    let padding = String(repeating: "# nothing\n", count: 1 << 17)
    try scratch.write(DigestNoteTests.opl + padding, to: "map.opl")
    let profile = try Profile.stock("walking")
    let paths = try (0..<2).map { _ in try StreetNetwork.path(map: scratch.path("map.opl"), profile: profile) }
    #expect(paths[0] == paths[1] && scratch.files == ["map.opl", "map.opl.verified"])
    try scratch.write(DigestNoteTests.opl + padding.dropLast(2) + "!\n", to: "map.opl")
    #expect(try StreetNetwork.path(map: scratch.path("map.opl"), profile: profile) != paths[0])
  }
}
