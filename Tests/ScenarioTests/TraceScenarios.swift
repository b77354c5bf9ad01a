import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Traces drawn by hand, and the streets that they must be matched to.
struct TraceScenarios {
  private let town = TestMap(
    """
    a---b---c---d
        |   |
    e---f---g---h
    """
  ).way("ab").way("bc").way("cd").way("ef").way("fg").way("gh").way("bf").way("cg")

  @Test func givesTheRouteOfACleanTraceBack() throws {
    #expect(try streets(town, town.drive("abfgh")) == ["ab", "bf", "fg", "gh"])
  }

  @Test func reversesTheMatchOfAReversedTrace() throws {
    #expect(try streets(town, town.drive("hgfba")) == ["gh", "fg", "bf", "ab"])
  }

  @Test func turnsAroundInMidStreet() throws {
    let match = try match(town, town.drive("abc").prefix(31) + town.drive("cba").suffix(31))
    #expect(match.uTurnCount == 1)
    #expect(abs(match.distance - 600) < 50, "\(match.distance)")
  }

  @Test func takesAWobbleAtASignalForStanding() throws {
    var fixes = Array(town.drive("abc"))
    for (index, aside) in [0, -9, 4, -12, 7, -3].enumerated() {
      fixes.insert(fixes[28].moved(metres: Double(aside)), at: 29 + index)
    }
    fixes = fixes.enumerated().map { $1.at(Double($0)) }
    let match = try match(town, fixes)
    #expect(match.uTurnCount == 0)
    #expect(abs(match.distance - 400) < 15, "\(match.distance)")
  }

  @Test func followsATunnelWithoutFixes() throws {
    let map = TestMap(
      """
      a---b-----------------c---d
          e-----------------f
      """
    ).way("ab").way("bc", ["tunnel": "yes", "highway": "primary"]).way("cd").way("be").way("ef").way("fc")
    let drive = map.drive("abcd")
    #expect(
      try streets(map, drive.filter { !(0.0021...0.0109).contains($0.coordinate.longitude) }) == ["ab", "bc", "cd"])
  }

  @Test func leavesAFixFarAsideOut() throws {
    var fixes = Array(town.drive("abcd"))
    fixes[30].coordinate.latitude += 300 / 111_195
    let match = try match(town, fixes)
    #expect(match.fixes[30].reason == .outlier || match.fixes[30].reason == .offRoad)
    #expect(match.parts.count == 1)
    #expect(abs(match.distance - 600) < 15)
  }

  @Test func breaksAfterAJumpToWhereNoWayLeads() throws {
    let map = TestMap(
      """
      a---b---c      d---e---f
      """
    ).way("abc").way("def")
    let match = try match(map, map.drive("abc") + map.drive("def", from: 60))
    #expect(match.parts.map(\.beginReason) == [.start, .unreachable])
  }

  @Test func breaksWhereTheClockJumps() throws {
    let match = try match(town, town.drive("ab") + town.drive("bc", from: 2000))
    #expect(match.parts.map(\.beginReason) == [.start, .gap])
  }

  @Test func leavesTheMapAndComesBack() throws {
    let map = TestMap(
      """
      a---b---c                         d---e---f
      """
    ).way("abc").way("cd", ["highway": "track", "access": "no"]).way("def").way("be").way("ad")
    let match = try match(map, map.drive("abcdef"))
    #expect(match.parts.count <= 2)
  }

  @Test func matchesFixesWithoutTimes() throws {
    let match = try match(town, town.drive("abfgh").map { Fix(coordinate: $0.coordinate) })
    #expect(match.status == .ok)
    #expect(match.parts.map(\.observedTime) == [nil])
    #expect(abs(match.distance - 800) < 15)
  }

  @Test func matchesFixesOfOneTime() throws {
    let fixes = town.drive("abfgh").map { $0.at(0) }
    #expect(try streets(town, fixes) == ["ab", "bf", "fg", "gh"])
  }

  @Test func saysWhatIsTooShort() throws {
    #expect(try match(town, []).status == .tooShort)
    #expect(try match(town, town.drive("ab").prefix(1)).status == .tooShort)
    let standing = (0..<100).map { town.drive("ab")[5].at(Double($0)) }
    let match = try match(town, standing)
    #expect(match.status == .tooShort)
    #expect(match.stops.map(\.duration) == [99])
  }

  @Test func findsNothingFarFromTheMap() throws {
    let far = town.drive("abcd").map { $0.moved(metres: 50_000) }
    let match = try match(town, far)
    #expect(match.status == .notMatched)
    #expect(match.fixes.allSatisfy { $0.reason == .offRoad || $0.reason == .distance })
  }

  @Test func doesNotMindDuplicatesNorShiftedClocks() throws {
    let drive = town.drive("abfgh")
    let doubled = drive.flatMap { [$0, $0] }
    let shifted = drive.map { $0.at($0.timestamp!.timeIntervalSince1970 + 86_400) }
    #expect(try streets(town, doubled) == streets(town, drive))
    #expect(try streets(town, shifted) == streets(town, drive))
  }

  @Test func leavesARoundaboutByTheExitTaken() throws {
    let map = TestMap(
      """
            n
            |
          a-b-c
          |   |
      w---d   e---o
          |   |
          f-g-h
            |
            s
      """
    ).way("cbadfghec", ["junction": "roundabout"]).way("nb").way("wd").way("oe").way("sg")
    #expect(try streets(map, map.drive("wdfgs")).last == "sg")
    #expect(try streets(map, map.drive("wdfgheo")).last == "oe")
  }

  @Test func staysOnTheMotorwayBesideAServiceRoad() throws {
    let map = TestMap(
      """
      a---------------b
      c---------------d
      """, spacing: 12
    ).way("ab", ["highway": "motorway"]).way("cd", ["highway": "service"]).way("ac").way("bd")
    let drive = map.drive("ab", speed: 25)
    #expect(try streets(map, drive) == ["ab"])
  }

  // MARK: Words

  private func match(_ map: TestMap, _ fixes: some Sequence<Fix>) throws -> Match {
    try Directions(network: map.network(profile: .stock(.automobile))).match(Array(fixes))
  }

  /// The names of the streets passed for more than a metre.
  private func streets(_ map: TestMap, _ fixes: some Sequence<Fix>) throws -> [String] {
    let network = try map.network(profile: .stock(.automobile))
    let match = try Directions(network: network).match(Array(fixes))
    let names = match.parts.flatMap(\.pieces).filter { $0.to - $0.from > 100 }.map {
      network.name(network.attributes(of: $0.street.street).name)
    }
    return names.enumerated().filter { $0 == 0 || names[$0 - 1] != $1 }.map(\.1)
  }
}

extension TestMap {
  /// A fix a second along the letters, at metres per second; exact, from a time on.
  fileprivate func drive(_ letters: String, speed: Double = 10, from start: Double = 0) -> [Fix] {
    let corners = letters.map { self[$0] }
    var (fixes, ahead) = ([Fix(coordinate: corners[0]).at(start)], speed)
    for (a, b) in zip(corners, corners.dropFirst()) {
      let length = a.distance(to: b)
      while ahead <= length {
        let part = ahead / length
        let point = Coordinate(
          latitude: a.latitude + part * (b.latitude - a.latitude),
          longitude: a.longitude + part * (b.longitude - a.longitude))
        fixes.append(Fix(coordinate: point).at(start + Double(fixes.count)))
        ahead += speed
      }
      ahead -= length
    }
    return fixes
  }
}

extension Fix {
  fileprivate func at(_ seconds: Double) -> Fix {
    var fix = self
    fix.timestamp = Date(timeIntervalSince1970: seconds)
    return fix
  }

  /// East along the equator.
  fileprivate func moved(metres: Double) -> Fix {
    var fix = self
    fix.coordinate.longitude += metres / 111_195
    return fix
  }
}
