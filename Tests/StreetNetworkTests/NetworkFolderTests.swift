import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

/// The files of a folder that are in use, and those that are removed.
struct NetworkFolderTests {
  private let map = TestMap("a-b-c").way("abc")

  /// Creates a folder with a map and its network, and returns the folder and the network's name.
  private func scratch() throws -> (scratch: Scratch, network: String) {
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    let path = try StreetNetwork(map: scratch.path("map.opl"), profile: .stock("walking")).path
    return (scratch, (path as NSString).lastPathComponent)
  }

  private func copy(_ scratch: Scratch, _ name: String, to other: String, version: UInt8 = 9) throws {
    var bytes = scratch.bytes(name)
    bytes[8] = version
    try bytes.write(to: URL(fileURLWithPath: scratch.path(other)))
  }

  /// Returns the use of each file: "name: use".
  private func uses(_ path: String) throws -> [String] {
    try NetworkFolder(path).entries.map { entry in
      let name = (entry.path as NSString).lastPathComponent
      return switch entry.use {
      case .inUse(let what): "\(name): \(what)"
      case .obsolete(let what): "\(name): obsolete, \(what)"
      case .unknown(let what): "\(name): left, \(what)"
      }
    }
  }

  @Test func keepsTheNetworkOfTheMapNextToIt() throws {
    let (scratch, network) = try scratch()
    defer { scratch.remove() }
    #expect(try uses(scratch.folder) == ["\(network): for the map next to it"])
    #expect(try uses(scratch.path("map.opl")) == ["\(network): for the map next to it"])
    try FileManager.default.removeItem(atPath: scratch.path("map.opl"))
    #expect(try uses(scratch.folder) == ["\(network): for a map elsewhere"])
  }

  @Test func removesTheNetworkOfAMapThatWasEdited() throws {
    let (scratch, network) = try scratch()
    defer { scratch.remove() }
    try scratch.write(map.way("ab").opl, to: "map.opl")
    let fresh = try StreetNetwork(map: scratch.path("map.opl"), profile: .stock("walking")).path
    let folder = try NetworkFolder(scratch.folder)
    #expect(folder.obsolete.map(\.path) == [scratch.path(network)])
    try folder.clean()
    #expect(scratch.files == ["map.opl", (fresh as NSString).lastPathComponent])
  }

  @Test func removesNetworksInOldFormats() throws {
    let (scratch, network) = try scratch()
    defer { scratch.remove() }
    let old = "map.opl.walking.0123456789ab.network"
    try copy(scratch, network, to: old, version: 14)
    try copy(scratch, network, to: "mine.network", version: 14)
    try copy(scratch, network, to: "map.opl.walking.0123456789ac.network", version: 99)
    #expect(
      try Set(uses(scratch.folder)) == [
        "\(network): for the map next to it", "\(old): obsolete, was written in format 14, but this version reads 25",
        "mine.network: left, was written in format 14, but this version reads 25",
        "map.opl.walking.0123456789ac.network: left, was written in format 99, but this version reads 25",
      ])
    try NetworkFolder(scratch.folder).clean()
    #expect(scratch.files.count == 4 && !scratch.files.contains(old))
  }

  @Test func doesNotTouchUnknownFiles() throws {
    let (scratch, network) = try scratch()
    defer { scratch.remove() }
    for name in ["a.network", "a.walking.0123456789ab.network", "b.part", "c.verified", "d.speeds"] {
      try scratch.write("mine", to: name)
    }
    let before = scratch.files
    #expect(try uses(scratch.folder).contains("a.walking.0123456789ab.network: left, is not a network file"))
    try NetworkFolder(scratch.folder).clean()
    #expect(scratch.files == before && before.contains(network))
  }

  @Test func removesOldRemainsOfStoppedProcesses() throws {
    let (scratch, network) = try scratch()
    defer { scratch.remove() }
    for (name, age) in [("\(network).1a2b.part", 60.0), ("\(network).3c.part", 200_000)] {
      try scratch.write("x", to: name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: scratch.path(name))
    }
    try NetworkFolder(scratch.folder).clean()
    #expect(scratch.files == ["map.opl", network, "\(network).1a2b.part"])
  }

  @Test func namesAMissingFolder() throws {
    let error = #expect(throws: OdometerError.self) { try NetworkFolder("/nowhere/at/all") }
    #expect(error?.description == "/nowhere/at/all: there is no such folder or map")
  }
}
