import Foundation
import Geography
import Hierarchy
import OpeningHours
import Settings
import StreetNetwork
import TestMaps
import Testing

struct StreetSpeedTests {
  // Ways are numbered in drawing order, nodes alphabetically.
  private let road = TestMap("a-b-c-d-e").way("abcd").way("de")

  @Test func namesTheStockTablesForAMissingFile() {
    #expect { try TrafficTable(named: "/nowhere.json5") } throws: {
      "\($0)" == "/nowhere.json5: traffic: no such file; expected a file or a stock table: porto"
    }
  }

  @Test func aWayHasItsSpeedInBothDirections() throws {
    let scene = try SpeedScene(road, SpeedRow(SpeedPlace(way: 1), .slowness(2, .all), line: 1))
    #expect(scene.slowness("ad") == 2 && scene.slowness("da") == 2 && scene.slowness("de") == 1)
  }

  @Test func waySpeedsApplyInOneDirection() throws {
    let row = SpeedRow(SpeedPlace(way: 1, direction: .backward), .slowness(2, .all), line: 1)
    let scene = try SpeedScene(road, row)
    #expect(scene.slowness("ad") == 1 && scene.slowness("da") == 2)
  }

  @Test func slownessIsStreetSpeedDividedByGivenSpeed() throws {
    let scene = try SpeedScene(road, .nodes("a", "d", .kmh(10, .all)))
    #expect(abs(scene.slowness("ad") - 2.5) < 0.01 && scene.slowness("da") == 1)
    #expect(scene.source.matched == 1 && scene.source.rows == 0)
  }

  @Test func zeroSpeedClosesTheStreet() throws {
    let scene = try SpeedScene(road, .nodes("a", "d", .kmh(0, WeekHours("Mo 07:00-08:00"))))
    #expect(scene.slowness("ad", hour: 7) == .infinity && scene.slowness("ad", hour: 8) == 1)
  }

  @Test func streetsHaveTheLengthWeightedMeanOfTheirSegments() throws {
    let scene = try SpeedScene(road, .nodes("a", "b", .slowness(4, .all)))
    #expect(scene.slowness("ad") == 2 && scene.slowness("da") == 1)
    #expect(abs(scene.facts.kilometresWithData.reduce(0, +) - 0.1) < 0.001)
  }

  @Test func nodesMayLieOnConsecutiveStreetsOfOneWay() throws {
    let map = TestMap("a-b-c-d\n  | |\n  e f").way("abcd").way("be").way("cf")
    let scene = try SpeedScene(map, .nodes("a", "d", .slowness(3, .all)))
    #expect(["ab", "bc", "cd"].map { scene.slowness($0) } == [3, 3, 3])
    #expect(["ba", "be"].map { scene.slowness($0) } == [1, 1])
  }

  @Test func nodesInReverseOrderMeanTheOtherDirection() throws {
    let map = TestMap("a-b-c-d\n  | |\n  e f").way("abcd").way("be").way("cf")
    let scene = try SpeedScene(map, .nodes("d", "b", .slowness(3, .all)))
    #expect(["dc", "cb", "ba", "cd"].map { scene.slowness($0) } == [3, 3, 1, 1])
  }

  @Test func rowsOffTheMapAreCountedAndNamed() throws {
    let scene = try SpeedScene(road, SpeedRow(SpeedPlace(way: 77), .kmh(10, .all), line: 1))
    #expect(scene.source.unmatched == 1 && scene.source.firstUnmatched == ["way 77"])
  }

  @Test func nodesOfDifferentWaysDoNotMatch() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("abc").way("bd")
    #expect(try SpeedScene(map, .nodes("a", "d", .kmh(10, .all))).source.unmatched == 1)
  }

  @Test func rowsAgainstAOneWayAreNotMatched() throws {
    let map = TestMap("a-b").way("ab", ["oneway": "yes"])
    let scene = try SpeedScene(map, .nodes("b", "a", .kmh(10, .all)))
    #expect(scene.source.notOpen == 1 && scene.source.matched == 0)
  }

  @Test func wayOpenInOneDirectionMatchesCompletely() throws {
    let map = TestMap("a-b").way("ab", ["oneway": "yes"])
    #expect(try SpeedScene(map, SpeedRow(SpeedPlace(way: 1), .kmh(10, .all), line: 1)).source.matched == 1)
  }

  @Test func theShorterOfParallelStreetsIsMatched() throws {
    let map = TestMap("e-a-b-f\n  | |\n  c-d").way("eabf").way("acdb")
    let scene = try SpeedScene(map, .nodes("a", "b", .slowness(3, .all)))
    #expect(scene.slowness("ab") == 3 && scene.slowness("ab", via: "c") == 1)
  }

  // MARK: Times

  @Test func periodsAreTheCoarsestThatHoldTheData() throws {
    let periods = try ["Mo 07:00-08:00", "Mo 07:30-08:00", "Mo 07:15-08:00", "Mo 07:05-08:00"].map {
      try SpeedScene(road, .nodes("a", "d", .kmh(10, WeekHours($0)))).speeds.profiles.period
    }
    #expect(periods == [3_600_000, 1_800_000, 900_000, 300_000])
  }

  @Test func hoursWithoutSpeedsUseThoseOfTheirClass() throws {
    let traffic = try traffic(#"{ classes: { residential: { "Mo-Su 07:00-08:00": 2, "Mo-Su 08:00-09:00": 3 } } }"#)
    let scene = try SpeedScene(road, .nodes("a", "d", .slowness(5, WeekHours("Mo-Su 07:00-08:00"))), traffic: traffic)
    #expect([6, 7, 8].map { scene.slowness("ad", hour: $0) } == [1, 5, 3])
    #expect([6, 7, 8].map { scene.slowness("da", hour: $0) } == [1, 2, 3])
  }

  @Test func hoursWithoutSpeedsAreInFreeFlowWithoutTraffic() throws {
    let row = SpeedRow(SpeedPlace(way: 1), .slowness(5, try WeekHours("Mo-Fr 07:00-09:00")), line: 1)
    let scene = try SpeedScene(road, row)
    #expect([3, 7, 12].map { scene.slowness("ad", hour: $0) } == [1, 5, 1])
  }

  @Test func fillByRatioKeepsTheRatioOfStreetToClass() throws {
    let traffic = try traffic(#"{ classes: { residential: { "Mo-Su 07:00-08:00": 2, "Mo-Su 08:00-09:00": 3 } } }"#)
    let scene = try SpeedScene(
      road, [.nodes("a", "d", .slowness(3, WeekHours("Mo-Su 07:00-08:00")))], traffic: traffic,
      use: SpeedUse(fillsByRatio: true))
    #expect([6, 7, 8].map { scene.slowness("ad", hour: $0) } == [1.5, 3, 4.5])
  }

  @Test func fiveMinutePeriodsKeepShortDips() throws {
    var week = [Float](repeating: .nan, count: 2016)
    week[8 * 12 + 1] = 5
    let scene = try SpeedScene(road, .nodes("a", "d", .week(week)))
    #expect(scene.speeds.profiles.period == 300_000)
    #expect(abs(scene.slowness("ad", hour: 8, minute: 5) - 5) < 0.01)
  }

  @Test func hoursAcrossMidnightEndOnTheNextDay() throws {
    let scene = try SpeedScene(road, traffic: try traffic(#"{ classes: { street: { "Su 23:00-01:00": 2 } } }"#))
    #expect(scene.slowness("ad", hour: 0) == 2 && scene.slowness("ad", hour: 1) == 1)
  }

  @Test(arguments: ["Mo-Fr 07:32-08:00", "PH 07:00-08:00", "Jan 07:00-08:00", "sunrise-sunset", "nonsense", "off"])
  func refusesHoursThatAreNotWeekly(text: String) {
    #expect(throws: OdometerError.self) { try WeekHours(text) }
  }

  // MARK: Contradictory rows

  @Test func aSecondSpeedForAStreetAndTimeIsAnError() throws {
    let rows = [SpeedRow.nodes("a", "d", .slowness(2, .all)), .nodes("b", "c", .slowness(4, .all), line: 2)]
    let error = #expect(throws: OdometerError.self) { try SpeedScene(road, rows) }
    #expect(
      error?.description
        == "speeds.csv:2: line 1 already has a speed for the same street and time (Mo 00:00); "
        + "set duplicates: \"mean\" to use the mean"
    )
  }

  @Test func duplicateSpeedsAreAveragedIfAllowed() throws {
    let rows = [SpeedRow.nodes("a", "d", .slowness(2, .all)), .nodes("a", "d", .slowness(4, .all), line: 2)]
    let scene = try SpeedScene(road, rows, use: SpeedUse(allowsDuplicates: true))
    #expect(scene.slowness("ad") == 3 && scene.source.duplicate == 1)
  }

  @Test func countsAndUsesImplausibleSpeeds() throws {
    let scene = try SpeedScene(road, .nodes("a", "d", .kmh(201, .all)))
    #expect(scene.source.implausible == 1 && scene.slowness("ad") == 0.125)
    #expect(scene.source.firstImplausible == ["line 1: 201.0 km/h on nodes 1 to 4, 25.0 in free flow"])
  }

  // MARK: Traffic and limits

  @Test func trafficIsByClassAndHour() throws {
    let map = TestMap("a-b-c").way("ab", ["highway": "primary"]).way("bc")
    let scene = try SpeedScene(map, traffic: try traffic(#"{ classes: { primary: { "Mo-Fr 07:30-09:00": 1.36 } } }"#))
    #expect(abs(scene.slowness("ab", hour: 8) - 1.36) < 0.001 && scene.slowness("ab", hour: 9) == 1)
    #expect(scene.slowness("bc", hour: 8) == 1 && scene.speeds.profiles.period == 1_800_000)
  }

  @Test(arguments: [
    (#"{ classes: { primry: {} } }"#, "classes.primry: not a road class"),
    (#"{ classes: { primary: { "Mo 07:00-09:00": 2, "Mo 08:00-10:00": 3 } } }"#, "overlap"),
    (#"{ classes: { street: {}, residential: {} } }"#, "class street occurs twice"),
    (#"{ classes: { primary: { "Mo 07:00-09:00": 0 } } }"#, "a slowness (travel time / free-flow time)"),
    (#"{ periods: "60min", classes: { primary: { "Mo 07:30-09:00": 2 } } }"#, "at multiples of 60 minutes"),
    (#"{ classes: { primary: { "PH 07:00-09:00": 2 } } }"#, "days of the week"),
  ])
  func refusesImplausibleTraffic(text: String, problem: String) throws {
    let error = #expect(throws: OdometerError.self) { try traffic(text) }
    #expect(error?.description.contains(problem) == true && error?.line == 1, "\(error?.description ?? "")")
  }

  @Test func conditionalLimitsAreProfiles() throws {
    let map = TestMap("a-b").way("ab", ["maxspeed": "50", "maxspeed:conditional": "25 @ (22:00-06:00)"])
    let scene = try SpeedScene(map)
    #expect([21, 22, 5, 6].map { (scene.slowness("ab", hour: $0) * 100).rounded() } == [100, 200, 200, 100])
  }

  @Test func limitsWithinAPeriodUseTheHarmonicMeanAndAreCounted() throws {
    let map = TestMap("a-b").way("ab", ["maxspeed": "50", "maxspeed:conditional": "25 @ (22:30-06:00)"])
    let scene = try SpeedScene(map)
    #expect((scene.slowness("ab", hour: 22) * 100).rounded() == 150)
    #expect(scene.facts.limited == 2 && scene.facts.limitedInexactly == 2)
  }

  @Test func limitsOnDatesApplyOnlyInTheirWeek() throws {
    let map = TestMap("a-b").way("ab", ["maxspeed": "50", "maxspeed:conditional": "25 @ (Nov-Mar)"])
    #expect(try SpeedScene(map).slowness("ab") == 1)
    let winter = LocalTime(Date(timeIntervalSince1970: 1_769_000_000), secondsFromGMT: 0)
    #expect(try abs(SpeedScene(map, week: winter).slowness("ab") - 2) < 0.001)
  }

  // MARK: The file

  @Test func opensTheCachedFileTheNextTime() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.opl(road.opl), profile: .stock("automobile"), at: scratch.path("map.network"))
    var readings = 0
    func speeds(_ digest: UInt8) throws -> (StreetSpeeds, SpeedFacts) {
      try StreetSpeeds.load(for: network, digest: [digest], uses: [SpeedUse()], traffic: nil) { join in
        readings += 1
        join.begin(SpeedSource(file: "speeds.csv", format: "long"))
        join.append(.nodes("a", "d", .slowness(2, .all)))
      }
    }
    let (first, second) = (try speeds(1), try speeds(1))
    #expect(readings == 1 && Array(first.0.streets) == Array(second.0.streets))
    #expect(second.1.sources[0].matched == 1)
    _ = try speeds(2)
    #expect(readings == 2)
  }
}

/// Speeds on a drawn map, for cars.
private struct SpeedScene {
  let network: StreetNetwork
  let speeds: StreetSpeeds
  let facts: SpeedFacts
  var source: SpeedSource { facts.sources[0] }

  init(
    _ map: TestMap, _ rows: [SpeedRow] = [], traffic: TrafficTable? = nil, week: LocalTime? = nil,
    use: SpeedUse = SpeedUse()
  ) throws {
    network = try map.network(profile: .stock("automobile"))
    (speeds, facts) = try StreetSpeeds.load(
      for: network, digest: [], uses: [use], traffic: traffic, week: week
    ) { join in
      join.begin(SpeedSource(file: "speeds.csv", format: "long"))
      for row in rows { join.append(row) }
    }
  }

  init(_ map: TestMap, _ row: SpeedRow, traffic: TrafficTable? = nil) throws {
    try self.init(map, [row], traffic: traffic)
  }

  /// Returns the slowness of the street between two nodes on a Monday.
  func slowness(_ ends: String, via: Character? = nil, hour: Int = 12, minute: Int = 0) -> Double {
    let nodes = ends.map(node)
    let street = (0..<network.streetCount).map { StreetID($0) }.first { street in
      let parts = network.parts(of: street)
      let inner = parts.flatMap { network.pointNodes[$0.points] }
      return Set([parts[0].tailNode, parts[parts.count - 1].headNode]) == Set(nodes)
        && (via.map { inner.contains(node($0)) } ?? (nodes.count == 2 && inner.count == 2 || !hasParallel(nodes)))
    }
    guard let street else { return .nan }
    let directed = DirectedStreet(street, isReversed: network.parts(of: street)[0].tailNode != nodes[0])
    let index = (hour * 60 + minute) * 60_000 / Int(speeds.profiles.period)
    return speeds.profiles.slowness(speeds.profile(of: directed), index).value
  }

  private func hasParallel(_ nodes: [Int64]) -> Bool {
    (0..<network.streetCount).count { index in
      let parts = network.parts(of: StreetID(index))
      return Set([parts[0].tailNode, parts[parts.count - 1].headNode]) == Set(nodes)
    } > 1
  }
}

private func node(_ letter: Character) -> Int64 { Int64(letter.asciiValue! - 96) }

extension SpeedRow {
  fileprivate static func nodes(_ from: Character, _ to: Character, _ value: SpeedValue, line: Int = 1) -> SpeedRow {
    SpeedRow(SpeedPlace(nodes: .init(from: node(from), to: node(to))), value, line: line)
  }
}

private func traffic(_ text: String) throws -> TrafficTable {
  try TrafficTable(SettingsFile(name: "traffic.json5", bytes: Data(text.utf8)))
}
