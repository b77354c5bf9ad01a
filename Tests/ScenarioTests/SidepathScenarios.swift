import StreetNetwork
import TestMaps
import Testing

/// Paths along streets: their names, and whether their use is mandatory.
struct SidepathScenarios {
  /// Returns the names of the streets from a to d along the path bc, 10 m from the street ef unless drawn otherwise.
  private func names(
    _ path: [String: String], street: [String: String] = ["name": "High Street"],
    drawing: String = SidepathScenarios.near, by type: TransportType = .walking
  ) throws -> String {
    let map = TestMap(drawing, spacing: 10).way("ab").way("bc", path.merging(["name": ""]) { a, _ in a }).way("cd")
      .way("ef", street)
    return try map.streets("a", "d", by: type)
  }

  private static let near = """
    a-b---------------c-d
      e---------------f
    """
  private static let far = """
    a-b---------------c-d


      e---------------f
    """
  private static let passing = """
    a-b---------------c-d
                  e---f
    """
  private static let across = """
              e
    a-b---------------c-d
              f
    """

  @Test(arguments: [
    ["highway": "footway", "footway": "sidewalk"], ["highway": "footway"], ["highway": "path"],
    ["highway": "cycleway", "foot": "yes"], ["highway": "footway", "is_sidepath": "yes"],
  ])
  func aPathCarriesTheNameOfTheStreetAlongIt(tags: [String: String]) throws {
    #expect(try names(tags) == "ab High Street cd")
  }

  @Test func tagsOfAPathNameItsStreet() throws {
    #expect(try names(["highway": "footway", "street:name": "Low Street"]) == "ab Low Street cd")
    #expect(try names(["highway": "footway", "is_sidepath:of:name": "Low Street"]) == "ab Low Street cd")
    #expect(try names(["highway": "footway", "is_sidepath:of:ref": "B 3"]) == "ab B 3 cd")
    #expect(try names(["highway": "footway", "name": "Lovers' Lane"]) == "ab Lovers' Lane cd")
  }

  /// `street:name` may belong to an address, unless the path clearly belongs to a street.
  @Test func aPathAwayFromStreetsHasNoStreetsName() throws {
    for tags in [["highway": "footway"], ["highway": "cycleway", "foot": "yes"]] {
      let named = tags.merging(["street:name": "Low Street"]) { $1 }
      #expect(try !names(named, drawing: SidepathScenarios.far).contains("Low"))
    }
    let sidewalk = ["highway": "footway", "footway": "sidewalk", "street:name": "Low Street"]
    #expect(try names(sidewalk, drawing: SidepathScenarios.far) == "ab Low Street cd")
  }

  @Test func streetsClosedToWalkersAlsoNameTheirPaths() throws {
    let street = ["highway": "trunk", "name": "Ring Road"]
    #expect(try names(["highway": "footway"], street: street) == "ab Ring Road cd")
    #expect(try names(["highway": "cycleway"], street: street, by: .cycling) == "ab Ring Road cd")
    #expect(try names(["highway": "footway"], street: ["name": "", "ref": "N 14"]) == "ab N 14 cd")
  }

  @Test(arguments: [far, passing, across])
  func aPathThatDoesNotRunAlongAStreetHasNoName(drawing: String) throws {
    #expect(try !names(["highway": "footway"], drawing: drawing).contains("High"))
  }

  @Test(arguments: [
    ["tunnel": "yes", "layer": "-1"], ["tunnel": "yes"], ["layer": "-1"], ["indoor": "yes"], ["level": "-1"],
    ["location": "underground"], ["bridge": "yes", "layer": "1"], ["tunnel": "building_passage"], ["level": "1;2"],
  ])
  func aPathOnAnotherLevelHasNoName(tags: [String: String]) throws {
    for type in [TransportType.walking, .cycling] {
      let path = tags.merging(["highway": "footway", "footway": "sidewalk", "bicycle": "yes"]) { $1 }
      #expect(try names(path, by: type) == "ab footway cd")
      // A path at ground level does not get the name of a street below or above, either.
      let street = tags.merging(["name": "Main Road", "highway": "trunk"]) { $1 }
      #expect(try !names(["highway": "footway", "bicycle": "yes"], street: street, by: type).contains("Main"))
    }
  }

  @Test(arguments: [
    ["bridge": "yes", "layer": "1"], ["tunnel": "yes", "layer": "-1"], ["level": "0"], ["level": "0;1"],
    ["bridge": "no", "tunnel": "no", "layer": "0", "indoor": "no"],
  ])
  func aPathOnTheLevelOfItsStreetHasItsName(tags: [String: String]) throws {
    let street = tags["level"] == nil ? tags : [:]
    #expect(
      try names(
        tags.merging(["highway": "footway"]) { $1 }, street: street.merging(["name": "High Street"]) { $1 })
        == "ab High Street cd")
  }

  @Test func tagsOfATunnelNameItsStreet() throws {
    #expect(
      try names(["highway": "footway", "tunnel": "yes", "is_sidepath:of:name": "Low Street"]) == "ab Low Street cd")
  }

  @Test func aServiceRoadIsNotASidepath() throws {
    #expect(try !names(["highway": "service"]).contains("High"))
  }

  /// Returns the distance from a to d. The street bc is shorter than the path bghc along it, for those allowed to use
  /// it.
  private func distance(_ street: [String: String], path: [String: String], by type: TransportType) throws -> Double {
    let map = TestMap(
      """
      a-b---------------------------------------c-d
        g---------------------------------------h
      """, spacing: 10
    ).way("ab").way("bc", street).way("cd").way("bghc", path.merging(["name": ""]) { a, _ in a })
    return try map.route("a", "d", by: type).distance
  }

  @Test(arguments: [
    (["sidewalk": "separate"], TransportType.walking), (["sidewalk:both": "separate"], .walking),
    (["sidewalk:left": "separate"], .walking), (["foot": "use_sidepath"], .walking),
    (["bicycle": "use_sidepath"], .cycling), (["cycleway": "separate"], .cycling),
    (["cycleway:right": "separate", "cycleway:left": "no"], .cycling),
  ])
  func mandatorySidepathsCloseTheStreet(tags: [String: String], type: TransportType) throws {
    let path = ["highway": type == .walking ? "footway" : "cycleway"]
    #expect(isClose(try distance(tags, path: path, by: type), 240))
    #expect(isClose(try distance([:], path: path, by: type), 220))
    // Without a path, the street remains open.
    #expect(isClose(try distance(tags, path: ["highway": "proposed"], by: type), 220))
    // Cyclists do not ride on footways.
    if type == .cycling { #expect(isClose(try distance(tags, path: ["highway": "footway"], by: type), 220)) }
  }

  @Test func aMandatorySidepathInOneDirectionClosesTheStreetInThatDirection() throws {
    let (forward, path) = (["bicycle:forward": "use_sidepath"], ["highway": "cycleway"])
    #expect(isClose(try distance(forward, path: path, by: .cycling), 240))
    #expect(isClose(try distance(forward.merging(["oneway": "yes"]) { $1 }, path: path, by: .cycling), 240))
    #expect(isClose(try distance(["bicycle:backward": "use_sidepath"], path: path, by: .cycling), 220))
    // Without a path, the street remains open.
    #expect(isClose(try distance(forward, path: ["highway": "footway"], by: .cycling), 220))
  }

  @Test func oneWayPathsLeaveTheStreetOpen() throws {
    let path = ["highway": "cycleway", "oneway": "yes"]
    #expect(isClose(try distance(["cycleway:right": "separate"], path: path, by: .cycling), 220))
    let oneway = ["cycleway:right": "separate", "oneway": "yes"]
    #expect(isClose(try distance(oneway, path: path, by: .cycling), 240))
  }

  @Test func tripsBeginAndEndOnAStreetWithAMandatorySidepath() throws {
    let map = TestMap(
      """
      a-b-------------1-------------------------c-d
        g---------------------------------------h
      """, spacing: 10
    ).way("ab").way("bc", ["sidewalk": "separate"]).way("cd").way("bghc", ["highway": "footway", "name": ""])
    #expect(isClose(try map.route("a", "1").distance, 80))
    #expect(isClose(try map.route("1", "d").distance, 140))
  }

  @Test func carsKeepTheStreet() throws {
    let tags = ["sidewalk": "separate", "cycleway": "separate", "bicycle": "use_sidepath"]
    #expect(isClose(try distance(tags, path: ["highway": "cycleway"], by: .automobile), 220))
  }
}
