import Foundation
import StreetNetwork
import TestMaps
import Testing

/// Errors in a profile point at the key and say what was found and what is allowed.
struct ProfileTests {
  private static let stock = String(
    decoding: FileManager.default.contents(atPath: Project.path("data/profiles/walking.json5"))!, as: UTF8.self)

  private func message(replacing old: String, with new: String) throws -> String {
    #expect(ProfileTests.stock.contains(old))
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(ProfileTests.stock.replacingOccurrences(of: old, with: new), to: "p.json5")
    let error = #expect(throws: (any Error).self) { try Profile(path: scratch.path("p.json5")) }
    return String(describing: error!).replacingOccurrences(of: scratch.folder + "/", with: "")
  }

  @Test func theStockProfileIsTheFileInTheProject() throws {
    #expect(try Profile.stock("walking").name == Profile(path: Project.path("data/profiles/walking.json5")).name)
  }

  @Test func anUnknownKeyIsNamed() throws {
    #expect(
      try message(replacing: "ferry: { speed: 12 }", with: "ferry: { speed: 12, sped: 3 }")
        == "p.json5:25: ferry.sped: unknown key; allowed: speed")
  }

  @Test func aWrongTypeIsNamed() throws {
    #expect(
      try message(replacing: "platform: 4.5, elevator", with: "platform: \"fast\", elevator")
        == "p.json5:13: highways.platform: found \"fast\", allowed: a speed in km/h, over 0")
  }

  @Test func aSpeedOfZeroIsRefused() throws {
    #expect(try message(replacing: "steps: 2.5,", with: "steps: 0,").contains("highways.steps: found 0, allowed"))
  }

  @Test func aMissingKeyIsNamed() throws {
    #expect(
      try message(replacing: "  ferry: { speed: 12 },", with: "")
        == "p.json5: the key ferry is missing; it needs an object { … }")
  }

  @Test func aValueInTwoListsIsRefused() throws {
    #expect(try message(replacing: "forbidden: [\"no\"", with: "forbidden: [\"yes\"").contains("\"yes\" stands in two"))
  }

  @Test func textThatIsNoJSON5IsNamedWithItsLine() throws {
    #expect(try message(replacing: "ferry: {", with: "ferry: {{{").hasPrefix("p.json5:"))
  }

  @Test func aMissingFileIsNamed() {
    let error = #expect(throws: (any Error).self) { try Profile(path: "/nowhere/p.json5") }
    #expect("\(error!)" == "/nowhere/p.json5: there is no such file")
  }
}
