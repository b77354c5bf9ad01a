import Foundation
import StreetNetwork
import TestMaps
import Testing

/// Errors in a profile point at the key and say what they got and what they expected.
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

  @Test(arguments: Profile.stockNames) func stockProfilesEqualTheFilesInData(name: String) throws {
    let stock = try Profile.stock(name)
    let file = try Profile(path: Project.path("data/profiles/\(name).json5"))
    #expect(stock.name == name && stock.bytes == file.bytes)
  }

  @Test func rejectsUnknownKeys() throws {
    let message = try message(replacing: "cost: 0, bias", with: "cost: 0, const: 3, bias")
    #expect(message.hasSuffix("unknown key turns.const; did you mean turns.cost?"), "\(message)")
    #expect(message.hasPrefix("p.json5:"))
  }

  @Test func rejectsValuesOfAnotherType() throws {
    #expect(
      try message(replacing: "platform: 4.5, elevator", with: "platform: \"fast\", elevator")
        == "p.json5:13: highways.platform: got \"fast\", expected a speed in km/h, over 0")
  }

  @Test func rejectsASpeedOfZero() throws {
    #expect(try message(replacing: "steps: 2.5,", with: "steps: 0,").contains("highways.steps: got 0, expected"))
  }

  @Test func namesMissingKeys() throws {
    #expect(
      try message(replacing: "  drivingSide: \"byCountry\",", with: "")
        == "p.json5: the key drivingSide is missing; expected byCountry, left, right")
  }

  @Test func rejectsAValueInTwoLists() throws {
    let message = try message(replacing: "\"no\", \"military\"", with: "\"yes\", \"military\"")
    #expect(message.contains("\"yes\" is in two"))
  }

  @Test func reportsTheLineThatIsNotJSON5() throws {
    #expect(try message(replacing: "access: {", with: "access: {{{").hasPrefix("p.json5:"))
  }

  @Test func namesTheMissingFile() {
    let error = #expect(throws: (any Error).self) { try Profile(path: "/nowhere/p.json5") }
    #expect("\(error!)" == "/nowhere/p.json5: no such file")
  }
}
