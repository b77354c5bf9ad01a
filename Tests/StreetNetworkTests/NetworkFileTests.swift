import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

/// A network file used as a map, without its extract and profile.
struct NetworkFileTests {
  private let map = TestMap("a-b-c\n  |\n  d").way("abc").way("bd")

  /// Builds a network file alone in its folder, and returns its path and the network.
  private func built(_ scratch: Scratch, _ profile: Profile? = nil) throws -> (path: String, network: StreetNetwork) {
    try scratch.write(map.opl, to: "map.opl")
    let network = try StreetNetwork(map: scratch.path("map.opl"), profile: profile ?? .stock("walking"))
    let path = scratch.path("my.network")
    try FileManager.default.moveItem(atPath: network.path, toPath: path)
    try FileManager.default.removeItem(atPath: scratch.path("map.opl"))
    return (path, network)
  }

  @Test func opensWithoutItsMap() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (path, network) = try built(scratch)
    let opened = try StreetNetwork(networkFile: path)
    #expect(opened.fingerprints == network.fingerprints && opened.mapName == "map.opl" && opened.path == path)
    #expect(try StreetNetwork(map: path, profile: .stock("walking")).fingerprints == network.fingerprints)
    #expect(scratch.files == ["my.network"])
  }

  @Test func isRecognizedByItsFirstBytes() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try built(scratch).path
    try FileManager.default.moveItem(atPath: path, toPath: scratch.path("porto"))
    #expect(StreetNetwork.isNetworkFile(scratch.path("porto")) && !StreetNetwork.isNetworkFile("no.osm.pbf"))
    #expect(try StreetNetwork(networkFile: scratch.path("porto")).streetCount > 0)
  }

  @Test func keepsCustomProfilesAndAvoidances() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let profile = try Profile.stock(.automobile, replacing: "uTurn: 20,", with: "uTurn: 21,").avoiding([.tolls])
    let path = try built(scratch, profile).path
    let kept = try StreetNetwork.profile(ofNetworkFile: path)
    #expect(kept.bytes == profile.bytes && kept.avoids == [.tolls] && kept.transportType == .automobile)
  }

  @Test func reportsDifferentAvoidances() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try built(scratch).path
    let error = #expect(throws: OdometerError.self) {
      try StreetNetwork(networkFile: path).avoiding([.tolls, .highways])
    }
    #expect(
      error?.description == "\(path): the network file was built to avoid nothing, but the trips must avoid tolls and "
        + "highways; name its map, or a network file that was built that way")
  }

  @Test func refusesAnotherProfile() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try built(scratch).path
    let error = #expect(throws: OdometerError.self) { try StreetNetwork(map: path, profile: .stock("cycling")) }
    #expect(
      error?.description == "\(path): the network file was built with a different version of profile cycling")
  }

  @Test(arguments: [
    ("text", "it is not a network file; create one with odometer network build MAP --output FILE"),
    ("extract", "it is an extract of OpenStreetMap, not a network file; rename it to end in .osm.pbf"),
    ("empty", "it is not a network file; create one with odometer network build MAP --output FILE"),
    ("half a header", "the network file is corrupt or truncated; copy it again, or build it again from its map"),
    ("cut", "the network file is corrupt or truncated; copy it again, or build it again from its map"),
    ("flipped", "the network file is corrupt or truncated; copy it again, or build it again from its map"),
    (
      "older",
      "the network file was written in format 24, but this version reads 25; build it again from its map, or use the version that built it"
    ),
    ("big-endian", "the network file was written on a machine with a different byte order; build it on this machine"),
    ("columns", "the network file is corrupt or truncated; copy it again, or build it again from its map"),
    ("profile", "the network file is corrupt or truncated; copy it again, or build it again from its map"),
  ])
  func reportsTheProblem(damage: String, sentence: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try built(scratch).path
    let bytes = damaged(scratch.bytes("my.network"), damage)
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: OdometerError.self) { try StreetNetwork(networkFile: path) }
    #expect(error?.description == "\(path): \(sentence)")
    #expect(scratch.bytes("my.network") == bytes, "a network file used as a map is never rebuilt")
  }

  private func damaged(_ bytes: Data, _ damage: String) -> Data {
    var bytes = bytes
    switch damage {
    case "text": return Data("some text of somebody else".utf8)
    case "extract": return Data([0, 0, 0, 13, 10, 9]) + Data("OSMHeader and more".utf8)
    case "empty": return Data()
    case "half a header": return bytes.prefix(90)
    case "cut": return bytes.dropLast(64)
    case "flipped": bytes[bytes.count - 1] ^= 1
    case "older": bytes[8] -= 1
    case "big-endian": bytes.replaceSubrange(8..<12, with: [0, 0, 0, bytes[8]])
    case "columns": bytes.replaceSubrange(12..<14, with: [255, 255])
    default: bytes[104] ^= 1
    }
    return bytes
  }

  @Test func namesMissingFiles() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path("no.network")
    #expect(throws: OdometerError.self) { try StreetNetwork.path(map: path, profile: .stock("walking")) }
    let error = #expect(throws: OdometerError.self) { try StreetNetwork(networkFile: path) }
    #expect(error?.problem == "there is no such network file")
    let folder = #expect(throws: OdometerError.self) { try StreetNetwork(networkFile: scratch.folder) }
    #expect(folder?.problem == "this is a folder, expected a network file")
  }
}
