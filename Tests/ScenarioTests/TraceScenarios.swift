import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Hand-drawn traces, and the streets to which they must be matched.
struct TraceScenarios {
  private let town = TestMap(
    """
    a---b---c---d
        |   |
    e---f---g---h
    """
  ).way("ab").way("bc").way("cd").way("ef").way("fg").way("gh").way("bf").way("cg")

  @Test func recoversTheRouteOfACleanTrace() throws {
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

  @Test(arguments: TraceScenarios.modes, [5.0, 10, 15, 20])
  func uTurnsAreMatchedAtTheirPosition(mode: Mode, spacing: Double) throws {
    let match = try match(street, street.outAndBack(560, 100, every: spacing, mode.speed), by: mode.type)
    #expect(match.uTurnCount == 1 && match.parts.count == 1)
    #expect(abs(match.distance - 1020) < 0.02 * 1020, "\(match.distance)")
  }

  @Test func fixesAtAUTurnAreMatchedInPlace() throws {
    let match = try match(street, street.outAndBack(502.2, 4, every: 10, 10))
    #expect(match.uTurnCount == 1)
    #expect(match.fixes.allSatisfy { $0.place!.snapDistance < 1 })
    #expect(match.parts[0].maximumSpeed! < 12)
  }

  @Test func aFixNearerToTheOtherLegOfAHairpinStaysOnItsOwn() throws {
    let map = TestMap(
      """
      a---------------------------------------b
      d---------------------------------------c
      """, spacing: 12
    ).way("abcd")
    var fixes = map.drive("abcd").enumerated().filter { $0.offset.isMultiple(of: 4) }.map(\.element)
    fixes[4].coordinate.latitude -= 8 / 111_195
    let match = try match(map, fixes)
    #expect(match.uTurnCount == 0 && match.fixes.allSatisfy { $0.reason == nil })
    #expect(abs(match.distance - 480) < 5, "\(match.distance)")
  }

  @Test(arguments: TraceScenarios.modes, [5.0, 10, 15, 20])
  func uTurnsAreMatchedDespiteNoise(mode: Mode, spacing: Double) throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      let fixes = street.outAndBack(500, 100, every: spacing, mode.speed, noise: 5, seed: seed)
      let match = try match(street, fixes, by: mode.type)
      #expect(match.uTurnCount == 1 && match.parts.count == 1, "seed \(seed)")
      #expect(abs(match.distance - 900) < 0.05 * 900, "seed \(seed): \(match.distance)")
    }
  }

  @Test(arguments: TraceScenarios.modes, [390.0, 450])
  func uTurnsNearACrossingAreNotMatchedAtIt(mode: Mode, out: Double) throws {
    let map = TestMap(
      """
              c
              |
      a-------b-----------d
              |
              e
      """
    ).way("ab").way("bd").way("cb").way("be")
    let match = try match(map, map.outAndBack(out, 100, every: 10, mode.speed), by: mode.type)
    #expect(match.uTurnCount == 1)
    #expect(abs(match.distance - 2 * out + 100) < 0.02 * 800, "\(match.distance)")
  }

  @Test func noiseAtASignalIsNotAUTurn() throws {
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

  @Test func omitsAFixFarFromTheStreet() throws {
    var fixes = Array(town.drive("abcd"))
    fixes[30].coordinate.latitude += 300 / 111_195
    let match = try match(town, fixes)
    #expect(match.fixes[30].reason == .outlier || match.fixes[30].reason == .offRoad)
    #expect(match.parts.count == 1)
    #expect(abs(match.distance - 600) < 15)
  }

  @Test func breaksAfterAJumpToAnUnreachablePlace() throws {
    let map = TestMap(
      """
      a---b---c      d---e---f
      """
    ).way("abc").way("def")
    let match = try match(map, map.drive("abc") + map.drive("def", from: 60))
    #expect(match.parts.map(\.beginReason) == [.start, .unreachable])
  }

  @Test(arguments: TraceScenarios.modes)
  func anImpossibleJumpBreaksATrace(mode: Mode) throws {
    let step = mode.speed * 5
    let fixes = (0..<24).map { index -> Fix in
      let jump = index < 12 ? 0 : 560 - step
      return street.point(Double(index) * step + jump).at(Double(index) * 5)
    }
    let match = try match(street, fixes, by: mode.type)
    #expect(match.parts.map(\.beginReason) == [.start, .unreachable])
    #expect(match.parts.map(\.firstFix) == [0, 12])
    #expect(match.fixes.allSatisfy { $0.reason == nil || $0.reason == .distance })
  }

  @Test(arguments: TraceScenarios.modes, [1, 2, 3])
  func aFewMisplacedFixesAreOutliers(mode: Mode, count: Int) throws {
    var fixes = street.outAndBack(600, 600, every: mode.speed * 4, mode.speed)
    for index in 6..<6 + count { fixes[index].coordinate = street.point(900 + Double(index) * 30).coordinate }
    let match = try match(street, fixes, by: mode.type)
    #expect(match.parts.count == 1 && match.uTurnCount == 0)
    #expect(match.fixes.map(\.reason)[6..<6 + count].allSatisfy { $0 == .outlier })
    #expect(abs(match.distance - 600) < 45, "\(match.distance)")
  }

  @Test func anImpossibleStepAlongStreetsIsDoubtful() throws {
    let map = TestMap(
      """
      a-------b       c-------d
              |       |
              |       |
              e-------f
      """
    ).way("ab").way("be").way("ef").way("fc").way("cd")
    // 400 m in a straight line, 1000 m along streets, 6 s.
    let match = try match(map, (0..<12).map { map.point(Double($0) * 60 + ($0 < 6 ? 100 : 440)).at(Double($0) * 6) })
    #expect(match.status == .doubtful && match.parts.count == 1)
    #expect(match.statusReason?.hasPrefix("up to") == true, "\(match.statusReason ?? "")")
    #expect(match.parts[0].maximumSpeed! < 70)
  }

  @Test(arguments: [200.0, 350, 400, 560])
  func aFixAheadOfTheOthersIsNotAJump(metres: Double) throws {
    var fixes = (0..<24).map { street.point(Double($0) * 20).at(Double($0) * 2) }
    fixes[12].coordinate = street.point(240 + metres).coordinate
    let match = try match(street, fixes)
    #expect(match.parts.count == 1 && match.fixes[12].reason == .outlier)
    #expect(abs(match.distance - 460) < 10, "\(match.distance)")
  }

  @Test func breaksWhereTheClockJumps() throws {
    let match = try match(town, town.drive("ab") + town.drive("bc", from: 2000))
    #expect(match.parts.map(\.beginReason) == [.start, .gap])
  }

  @Test(arguments: [(true, 670.0, 1), (false, 670, 1), (false, 80, 2)])
  func aDriverBoardsAFerryIfThereIsTimeToCross(isRecorded: Bool, landing: Double, parts: Int) throws {
    let map = TestMap("a---b-------c---d").way("ab").way("cd")
      .way("bc", ["highway": "", "route": "ferry", "duration": "00:10"])
    let aboard = map.drive("bc", speed: 4).enumerated().map { $1.at(60 + 6 * Double($0)) }
    let match = try match(map, map.drive("ab") + (isRecorded ? aboard : []) + map.drive("cd", from: landing))
    #expect(match.parts.map(\.beginReason) == (parts == 1 ? [.start] : [.start, .unreachable]))
  }

  @Test func leavesTheMapAndComesBack() throws {
    let map = TestMap(
      """
      a---b---c                         d---e---f
      """
    ).way("abc").way("def")
    let match = try match(map, map.drive("abcdef"))
    #expect(match.parts.map(\.beginReason) == [.start, .offRoad])
    #expect(abs(match.distance - 800) < 15, "\(match.distance)")
  }

  @Test func matchesFixesWithoutTimes() throws {
    let match = try match(town, town.drive("abfgh").map { Fix(coordinate: $0.coordinate) })
    #expect(match.status == .ok)
    #expect(match.parts.map(\.observedTime) == [nil])
    #expect(abs(match.distance - 800) < 15)
  }

  @Test func matchesFixesWithEqualTimes() throws {
    let fixes = town.drive("abfgh").map { $0.at(0) }
    #expect(try streets(town, fixes) == ["ab", "bf", "fg", "gh"])
    let match = try match(town, fixes)
    #expect(match.status == .doubtful && match.statusReason == "all fixes have the same time")
    #expect(match.parts.map(\.observedTime) == [nil])
  }

  @Test func reportsTracesThatAreTooShort() throws {
    #expect(try match(town, []).status == .tooShort)
    #expect(try match(town, town.drive("ab").prefix(1)).status == .tooShort)
    let standing = (0..<100).map { town.drive("ab")[5].at(Double($0)) }
    let match = try match(town, standing)
    #expect(match.status == .tooShort)
    #expect(match.stops.map(\.duration) == [99])
  }

  @Test func reportsWhyATraceIsTooShort() throws {
    let backwards = town.drive("ab").reversed()
    #expect(
      try match(town, backwards).statusReason
        == "only one fix was kept; out of order: \(backwards.count - 1)")
    let inaccurate = town.drive("ab").prefix(10).map { fix in
      Fix(coordinate: fix.coordinate, timestamp: fix.timestamp, horizontalAccuracy: 50)
    }
    #expect(
      try match(town, inaccurate).statusReason
        == "all kept fixes are at one place, given their standard deviation of 50 m")
  }

  @Test func aZigzagAgainstAOneWayStreetIsDoubtful() throws {
    let map = TestMap(
      """
      a-b-c-d-e-f-g
      | | | | | | |
      h-i-j-k-l-m-n
      | | | | | | |
      o-p-q-r-s-t-u
      """, spacing: 50
    ).way("abcdefg").way("hijklmn", ["oneway": "yes"]).way("opqrstu")
      .way("aho").way("bip").way("cjq").way("dkr").way("els").way("fmt").way("gnu")
    func match(_ ends: String) throws -> Match {
      try self.match(map, map.drive(ends).enumerated().filter { $0.offset.isMultiple(of: 10) }.map(\.element))
    }
    #expect(try match("hn").status == .ok)
    let against = try match("nh")
    #expect(against.status == .doubtful)
    #expect(against.statusReason == "600 m along streets for 200 m between fixes")
  }

  @Test func fixesOnAFrontageRoadAreNotMatchedToTheFasterRoad() throws {
    let map = TestMap(
      """
      a-c--------------------------------------d-b
        e--------------------------------------f
      """, spacing: 15
    ).way("acdb", ["highway": "primary", "maxspeed": "50", "name": "Main"])
      .way("cefd", ["highway": "service", "maxspeed": "20", "name": "Frontage"])
    let fixes = map.drive("ef").enumerated().filter { $0.offset.isMultiple(of: 5) }.map(\.element)
    #expect(try streets(map, fixes) == ["Frontage"])
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func noiseAmongManyStreetsIsNotUnderestimated(seed: UInt64) throws {
    let map = TestMap(
      """
      h-i-j-k-l-m-n
      | | | | | | |
      a-b-c-d-e-f-g
      | | | | | | |
      o-p-q-r-s-t-u
      """, spacing: 15
    ).way("hijklmn").way("abcdefg").way("opqrstu")
      .way("hao").way("ibp").way("jcq").way("kdr").way("les").way("mft").way("ngu")
    let match = try match(map, map.outAndBack(180, 180, every: 2, 2, noise: 20, seed: seed))
    #expect(match.sigma > 14, "\(match.sigma)")
  }

  @Test func findsNothingFarFromTheMap() throws {
    let far = town.drive("abcd").map { $0.moved(metres: 50_000) }
    let match = try match(town, far)
    #expect(match.status == .notMatched)
    #expect(match.fixes.allSatisfy { $0.reason == .offRoad || $0.reason == .distance })
  }

  @Test func toleratesDuplicatesAndShiftedClocks() throws {
    let drive = town.drive("abfgh")
    let doubled = drive.flatMap { [$0, $0] }
    let shifted = drive.map { $0.at($0.timestamp!.timeIntervalSince1970 + 86_400) }
    #expect(try streets(town, doubled) == streets(town, drive))
    #expect(try streets(town, shifted) == streets(town, drive))
  }

  @Test(arguments: [-86_400.0, 86_400])
  func onlyTheFixWithAWrongDateIsOutOfOrder(shift: Double) throws {
    var fixes = Array(town.drive("abfgh"))
    fixes[30] = fixes[30].at(30 + shift)
    let match = try match(town, fixes)
    #expect(match.fixes.indices.filter { match.fixes[$0].reason == .order } == [30])
    #expect(match.status == .ok && abs(match.distance - 800) < 15, "\(match.distance)")
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

  @Test func staysOnTheMotorwayNextToAServiceRoad() throws {
    let map = TestMap(
      """
      a---------------b
      c---------------d
      """, spacing: 12
    ).way("ab", ["highway": "motorway"]).way("cd", ["highway": "service"]).way("ac").way("bd")
    let drive = map.drive("ab", speed: 25)
    #expect(try streets(map, drive) == ["ab"])
  }

  // MARK: Notation

  /// A transport type with a speed in metres per second.
  struct Mode: Sendable {
    let type: TransportType
    let speed: Double
  }

  private static let modes = [
    Mode(type: .walking, speed: 1.4), Mode(type: .walking, speed: 4), Mode(type: .cycling, speed: 5),
    Mode(type: .automobile, speed: 10),
  ]

  /// A street of two kilometres.
  private let street = TestMap("a---------------------------------------b").way("ab")

  private func match(
    _ map: TestMap, _ fixes: some Sequence<Fix>, by type: TransportType = .automobile
  ) throws -> Match {
    try Directions(network: map.network(profile: .stock(type))).matchAndWait(Array(fixes))
  }

  /// Returns the names of the streets that are travelled for more than a metre.
  private func streets(_ map: TestMap, _ fixes: some Sequence<Fix>) throws -> [String] {
    let network = try map.network(profile: .stock(.automobile))
    let match = try Directions(network: network).matchAndWait(Array(fixes))
    let names = match.parts.flatMap(\.pieces).filter { $0.to - $0.from > 100 }.map {
      network.name(network.attributes(of: $0.street.street).name)
    }
    return names.enumerated().filter { $0 == 0 || names[$0 - 1] != $1 }.map(\.1)
  }
}

extension TestMap {
  /// Returns a fix a number of metres east of a.
  fileprivate func point(_ metres: Double) -> Fix { Fix(coordinate: self["a"]).moved(metres: metres) }

  /// Returns equidistant fixes from a eastward and back, at a speed in metres per second.
  fileprivate func outAndBack(
    _ out: Double, _ end: Double, every spacing: Double, _ speed: Double, noise: Double = 0, seed: UInt64 = 1
  ) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    func normal() -> Double {
      (-2 * log(Double.random(in: 1e-9...1, using: &random))).squareRoot()
        * cos(Double.random(in: 0..<2 * .pi, using: &random))
    }
    let positions = Array(stride(from: 0, through: 2 * out - end, by: spacing))
    return positions.map { position in
      var fix = point(min(position, 2 * out - position) + noise * normal()).at(position / speed)
      fix.coordinate.latitude += noise * normal() / 111_195
      return fix
    }
  }

  /// Returns one exact fix per second along the letters, at a speed in metres per second, from a start time onward.
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

  /// Returns the fix moved east along the equator.
  fileprivate func moved(metres: Double) -> Fix {
    var fix = self
    fix.coordinate.longitude += metres / 111_195
    return fix
  }
}
