import Routing
import StreetNetwork
import TestMaps
import Testing

/// The names of streets, and the changes of name that are announced.
struct NameScenarios {
  private func steps(_ map: TestMap, _ from: Character, _ to: Character, by type: TransportType = .automobile) throws
    -> [String]
  {
    try map.route(from, to, by: type).instructions
  }

  private func steps(_ tags: [String: String]) throws -> String {
    try steps(TestMap("a---b").way("ab", tags), "a", "b")[0]
  }

  /// Returns a---b---c---d, where each street has its own tags.
  private func row(_ tags: [String: String]...) -> TestMap {
    zip(["ab", "bc", "cd"], tags).reduce(TestMap("a---b---c---d")) { $0.way($1.0, $1.1) }
  }

  @Test func omitsChangesOfAHighwaysHiddenName() throws {
    let map = row(
      ["highway": "motorway", "ref": "21", "name": "x"], ["highway": "motorway", "ref": "21", "name": "y"],
      ["highway": "motorway", "ref": "21", "name": ""])
    #expect(try steps(map, "a", "d") == ["Head east on 21", "Arrive at the destination"])
  }

  @Test func namesTrunkRoadsByNameAndNumber() throws {
    #expect(try steps(["highway": "trunk", "name": "Rua X", "ref": "N 14"]) == "Head east on Rua X (N 14)")
    #expect(try steps(["highway": "trunk", "name": "", "ref": "N 14"]) == "Head east on N 14")
    #expect(try steps(["highway": "trunk", "name": "N 14", "ref": "N 14"]) == "Head east on N 14")
    #expect(try steps(["highway": "secondary", "name": "Rua X", "ref": "N 14"]) == "Head east on Rua X")
  }

  @Test func announcesAChangeOfATrunkRoadsName() throws {
    let trunk = ["highway": "trunk", "ref": "N 14"]
    let map = row(
      trunk.merging(["name": "Rua X"]) { $1 }, trunk.merging(["name": ""]) { $1 },
      trunk.merging(["name": "Rua Y"]) { $1 })
    #expect(
      try steps(map, "a", "d") == [
        "Head east on Rua X (N 14)", "Continue onto Rua Y (N 14)", "Arrive at the destination",
      ])
  }

  @Test func announcesAllNumbersOfARoad() throws {
    #expect(try steps(["highway": "motorway", "name": "", "ref": "A 3;A 28"]) == "Head east on A 3, A 28")
    #expect(try steps(["highway": "motorway", "name": "", "ref": "A 3; A 28;A 3"]) == "Head east on A 3, A 28")
  }

  @Test func staysOnAHighwayThatSharesAStretch() throws {
    let shared = row(
      ["highway": "motorway", "name": "", "ref": "A 3"], ["highway": "motorway", "name": "", "ref": "A 3;A 28"],
      ["highway": "motorway", "name": "", "ref": "A 3"])
    #expect(try steps(shared, "a", "d") == ["Head east on A 3", "Arrive at the destination"])
    let left = row(
      ["highway": "motorway", "name": "", "ref": "A 3"], ["highway": "motorway", "name": "", "ref": "A 3;A 28"],
      ["highway": "motorway", "name": "", "ref": "A 28"])
    #expect(try steps(left, "a", "d") == ["Head east on A 3", "Continue onto A 28", "Arrive at the destination"])
  }

  @Test func spellsAStreetConsistently() throws {
    let map = row(["name": "RUA DO OURO"], ["name": "Rua do  Ouro"], ["name": "RUA DO OURO"])
    let route = try map.route("a", "d", by: .automobile)
    #expect(route.instructions == ["Head east on Rua do  Ouro", "Arrive at the destination"])
    let frequent = row(["name": "Rua Do Ouro"], ["name": "Rua do Ouro"], ["name": "Rua do Ouro"])
    #expect(try steps(frequent, "a", "d")[0] == "Head east on Rua do Ouro")
    #expect(try steps(frequent, "a", "d").count == 2)
    #expect(
      try steps(row(["name": "HAUPTSTRASSE"], ["name": "Nebenstraße"]), "a", "b")[0] == "Head east on HAUPTSTRASSE")
  }

  @Test(arguments: [
    ["Rua de São João", "RUA DE SAO JOAO", "Rua de Sao Joao"],
    ["Karl Marx Straße", "Karl-Marx-Straße", "KARL-MARX STRASSE"],
    ["Boulevard A - B", "Boulevard A-B", "Boulevard A – B"], ["Hauptstrasse", "Haupt-Straße", "Hauptstraße"],
    ["Rue de l'Église", "Rue de l'E\u{301}glise", "rue de l'eglise"], ["Odos Ερμού", "ODOS ΕΡΜΟΥ", "Odos Ερμου"],
    ["Улица Королёва", "улица Королева", "УЛИЦА КОРОЛЁВА"],
  ])
  func namesThatDifferInCaseHyphensOrAccentsAreEqual(names: [String]) throws {
    for first in names.indices {
      let turned = Array(names[first...] + names[..<first])
      let map = row(["name": turned[0]], ["name": turned[1]], ["name": turned[2]])
      let route = try map.route("a", "d", by: .automobile)
      #expect(route.steps.count == 2, "\(route.instructions)")
      #expect(route.title == "via \(names[0])")
    }
  }

  /// Quinta and Quintã are different places, each with a street named after it.
  @Test func accentsDistinguishStreetsFarApart() throws {
    let map = TestMap("a---b---c---d", spacing: 1000).way("ab", ["name": "Rua da Quinta"]).way("bc")
      .way("cd", ["name": "Rua da Quintã"])
    #expect(
      try steps(map, "a", "d") == [
        "Head east on Rua da Quinta", "Continue onto bc", "Continue onto Rua da Quintã", "Arrive at the destination",
      ])
    let near = TestMap("a---b---c---d").way("ab", ["name": "Rua de Sao Joao"]).way("bc", ["name": ""])
      .way("cd", ["name": "Rua de São João"])
    #expect(try steps(near, "a", "d") == ["Head east on Rua de São João", "Arrive at the destination"])
  }

  @Test(arguments: [
    ["Hohe Straße", "Hohestraße"], ["がわ通り", "かわ通り"], ["Rua 1", "Rua 2"], ["New Castle", "Newcastle"],
  ])
  func namesWithOtherDifferencesAreNotEqual(names: [String]) throws {
    #expect(try steps(row(["name": names[0]], ["name": names[1]]), "a", "c").count == 3)
  }

  @Test func spellsANumberConsistently() throws {
    let map = row(
      ["name": "", "ref": "A4"], ["name": "", "ref": "A 4"], ["name": "", "ref": "A 4;N 1"])
    #expect(try steps(map, "a", "d") == ["Head east on A 4", "Arrive at the destination"])
    let hyphens = row(["name": "", "ref": "A-4"], ["name": "", "ref": "A 4"], ["name": "", "ref": "K 12-1"])
    #expect(try steps(hyphens, "a", "c").count == 2)
    let others = row(["name": "", "ref": "K 12-1"], ["name": "", "ref": "K 121"])
    #expect(try steps(others, "a", "c").count == 3)
  }

  @Test(arguments: ["official_name", "loc_name", "alt_name", "int_name"])
  func usesAnotherNameWithoutAProperOne(key: String) throws {
    #expect(try steps(["name": "", key: "Rua X"]) == "Head east on Rua X")
    #expect(try steps(["name": "Rua Y", key: "Rua X"]) == "Head east on Rua Y")
  }

  @Test(arguments: [
    ("parking_aisle", "in the car park"), ("driveway", "on the driveway"), ("alley", "along the alley"),
    ("", "on the service road"), ("drive-through", "on the service road"),
  ])
  func serviceRoadsAreNamedByTheirUse(service: String, words: String) throws {
    #expect(try steps(["highway": "service", "name": "", "service": service]) == "Head east \(words)")
  }

  @Test func announcesTurnsBetweenUnnamedRoadsOfDifferentUse() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("abc", ["highway": "service", "name": ""])
      .way("bd", ["highway": "service", "service": "parking_aisle", "name": ""])
    #expect(try steps(map, "a", "d")[1] == "Turn right into the car park")
    #expect(try steps(map, "a", "c").count == 2)
  }

  @Test func namesARoundaboutInWhichATripStarts() throws {
    let map = TestMap("a---b\n|   |\nd---c").way("adcba", ["junction": "roundabout", "name": ""]).way(
      "cd", ["name": "x"])
    #expect(try steps(map, "a", "d")[0] == "Head south on the roundabout")
  }
}
