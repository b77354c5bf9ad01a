import Foundation
import StreetNetwork
import TestMaps
import Testing

/// Errors in a profile name the key, and give the actual and the expected value.
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
        == "p.json5:15: highways.platform: got \"fast\", expected a speed in km/h, over 0")
  }

  @Test func rejectsASpeedOfZero() throws {
    #expect(try message(replacing: "steps: 2.5,", with: "steps: 0,").contains("highways.steps: got 0, expected"))
  }

  @Test func namesMissingKeys() throws {
    #expect(
      try message(replacing: "  drivingSide: \"byCountry\",", with: "")
        == "p.json5: the key drivingSide is missing; expected one of byCountry, left, right")
  }

  @Test func rejectsAValueInTwoLists() throws {
    let message = try message(replacing: "\"no\", \"military\"", with: "\"yes\", \"military\"")
    #expect(message.contains("\"yes\" is listed more than once"))
  }

  @Test func reportsTheLineThatIsNotJSON5() throws {
    #expect(try message(replacing: "access: {", with: "access: {{{").hasPrefix("p.json5:"))
  }

  @Test func namesTheMissingFile() {
    let error = #expect(throws: (any Error).self) { try Profile(path: "/nowhere/p.json5") }
    #expect("\(error!)" == "/nowhere/p.json5: no such file")
  }

  // MARK: Layers

  private func message(_ text: String) throws -> String {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(text, to: "p.json5")
    let error = #expect(throws: (any Error).self) { try Profile(path: scratch.path("p.json5")) }
    return String(describing: error!).replacingOccurrences(of: scratch.folder + "/", with: "")
  }

  @Test func profilesOverrideTheirBase() throws {
    let mine = try Profile.over("wheelchair", "highways: { footway: 2.5, track: null }")
    #expect(mine.name == "mine" && mine.transportType == .walking && mine.hasPace)
    let map = TestMap("a-b-c").way("abc", ["highway": "footway"]).snapLegs(false)
    let (own, base) = (try map.route("a", "c", profile: mine), try map.route("a", "c", profile: .stock("wheelchair")))
    #expect(isClose(own.expectedTravelTime, 2 * base.expectedTravelTime))
    let track = TestMap("a-b-c").way("ab", ["highway": "footway"]).way("bc", ["highway": "track"])
    #expect(try track.streets("a", "c", profile: .stock("wheelchair")) == "ab bc")
    #expect(try track.streets("a", "c", profile: mine) == "ab")  // as far as the footway
  }

  /// Tags of addresses are left out for other profiles.
  @Test func rulesMayReadAddresses() throws {
    let map = TestMap("a-b-c").way("ab").way("bc", ["addr:street": "Yard"])
    #expect(try map.streets("a", "c", profile: .over("walking", "names: ['addr:street', 'name']")) == "ab Yard")
    let mine = try Profile.over("walking", "forbidden: { 'addr:street': ['Yard'] }")
    #expect(try map.streets("a", "c", profile: mine) == "ab")  // as far as the yard
    #expect(try map.streets("a", "c") == "ab bc")
  }

  /// RFC 7396: null for a key that the base lacks has no effect.
  @Test func acceptsNullForKeysThatTheBaseLacks() throws {
    let mine = try Profile.over("walking", "vehicle: { width: null, height: 2 }, carried: null")
    #expect(mine.name == "mine")
  }

  @Test func settingsOfABaseArePartOfTheProfile() throws {
    let (walking, wheelchair) = try (Profile.stock("walking"), Profile.stock("wheelchair"))
    #expect(wheelchair.text.suffix(walking.text.count) == walking.text && wheelchair.text.count > walking.text.count)
    #expect(try walking.paced(4).text != walking.paced(4.5).text)
  }

  @Test func aNetworkFileKeepsAllLayers() throws {
    let network = try TestMap.block.network(profile: .over("truck", "vehicle: { height: 3 }"))
    #expect(network.profile.name == "mine" && network.fingerprints.profile.count == 64)
  }

  @Test(arguments: [
    ("{ base: 'truk', name: 'x' }", "p.json5:1: base: got \"truk\", expected "),
    (
      "{ base: 'truck', name: 'x',\n transportType: 'walking' }",
      "p.json5:2: transportType: the base truck is for automobile; leave it out"
    ),
    ("{ base: 'truck' }", "p.json5:1: base: a profile that is based on another one needs its own name"),
    (
      "{ base: 'truck', name: 'x',\n vehicle: { hight: 3 } }",
      "p.json5:2: unknown key vehicle.hight; did you mean vehicle.height?"
    ),
    ("{ base: 'truck', name: 'x', vehicle: { height: 'tall' } }", "p.json5:1: vehicle.height: got \"tall\", expected "),
    ("{ base: 'truck', name: 'x', pace: 3 }", "p.json5:1: pace: the profile has no usualPace"),
    ("{ base: 'walking', name: 'x', highways: 3 }", "p.json5:1: highways: got 3, expected an object {"),
    (
      "{ base: 'walking', name: 'x', crossings: { gaps: { primry: 3 } } }",
      "p.json5:1: crossings.gaps.primry: not a road class"
    ),
    ("{ base: 'walking', name: 'x', access: null }", "p.json5: the key access is missing"),
    ("{ base: 'walking', name: 'x', hills: { steepest: 3 } }", "p.json5:1: hills.steepest: got 3"),
    (
      "{ base: 'walking', name: 'x', hills: { uphill: 1e308, easiest: 10, downhill: 3 } }",
      "p.json5: hills.steepest: these values yield no speed"
    ),
    ("{ base: 'walking', name: 'x' }\0", "p.json5: got a zero byte, expected text"),
  ])
  func refusesInvalidLayers(text: String, expected: String) throws {
    let message = try message(text)
    #expect(message.hasPrefix(expected), "\(message)")
  }

  @Test func reportsUTF16() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try Data([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]).write(to: URL(fileURLWithPath: scratch.path("p.json5")))
    let error = #expect(throws: (any Error).self) { try Profile.named(scratch.path("p.json5")) }
    #expect("\(error!)".contains("got UTF-16, expected UTF-8"))
  }

  @Test func resolvesNamesOfStockProfilesAndFiles() throws {
    #expect(try Profile.named("truck").name == "truck")
    #expect(try Profile.named(Project.path("data/profiles/van.json5")).name == "van")
    let error = #expect(throws: (any Error).self) { try Profile.named("lorry") }
    #expect("\(error!)".hasPrefix("profile lorry: no such stock profile or file, expected automobile, van, truck"))
  }
}
