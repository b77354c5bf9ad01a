import Foundation
import Geography
import Routing
import TestMaps
import Testing

/// The limits in the rules of `BreadcrumbPath`.
struct BreadcrumbPathTests {
  /// Returns a fix a number of metres north of the equator, at a time in seconds.
  private func fix(_ metres: Double, at time: Double? = nil, received: Double? = nil, speed: Double? = nil) -> Fix {
    var fix = Fix(
      coordinate: Coordinate(latitude: metres / Coordinate.metresPerDegree, longitude: 0),
      timestamp: time.map { Date(timeIntervalSince1970: $0) })
    fix.received = received.map { Date(timeIntervalSince1970: $0) }
    fix.speed = speed
    return fix
  }

  private func reasons(_ fixes: [Fix], _ change: (inout BreadcrumbRules) -> Void = { _ in }) -> [FixReason?] {
    var rules = BreadcrumbRules()
    change(&rules)
    var path = BreadcrumbPath(rules: rules)
    return fixes.map { path.add($0, received: nil).reason }
  }

  @Test func keepsElevenFixesRegardlessOfDistance() {
    #expect(reasons((0..<12).map { _ in fix(0) }) == [FixReason?](repeating: nil, count: 11) + [.distance])
  }

  @Test func countsOnlyKeptFixesAmongTheFirst() {
    let old = fix(0, at: 0, received: 60)
    #expect(reasons([old, old] + (0..<12).map { _ in fix(0) }).suffix(2) == [nil, .distance])
  }

  @Test func dropsAFixAtExactlyTheMinimumDistance() {
    let (from, to, farther) = (fix(0), fix(10), fix(10.001))
    let exactly = to.coordinate.distance(to: from.coordinate)
    #expect(
      reasons([from, to, farther]) { ($0.unfilteredFirst, $0.minimumDistance) = (1, exactly) } == [nil, .distance, nil])
    #expect(BreadcrumbRules().minimumDistance == 10)
  }

  @Test func comparesWithTheLastKeptFix() {
    #expect(
      reasons([0, 6, 12, 18, 23].map { fix($0) }) { $0.unfilteredFirst = 1 } == [nil, .distance, nil, .distance, nil])
  }

  @Test func dropsFixesReceivedAMinuteLate() {
    let fixes = [fix(0, at: 0, received: 59.999), fix(0, at: 1, received: 61), fix(0, at: 2), fix(0, received: 90)]
    #expect(reasons(fixes) == [nil, .age, nil, nil])
  }

  @Test func checksAgeBeforeDistance() {
    #expect(reasons([fix(0), fix(0, at: 0, received: 60)]) { $0.unfilteredFirst = 1 } == [nil, .age])
  }

  @Test func dropsFixesEarlierThanTheLatest() {
    #expect(reasons([10, 5, 7, 10, 11].map { fix(0, at: $0) }) == [nil, .order, .order, nil, nil])
  }

  @Test func aCompleteTraceLosesTheFewestFixesToDisorder() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<300 {
      let times = (0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 0...6, using: &random) }
      let fixes = times.map { fix(0, at: Double($0)) }
      let kept = zip(times, BreadcrumbPath.reasons(of: fixes, BreadcrumbRules())).filter { $0.1 != .order }.map(\.0)
      let most = (0..<1 << times.count).filter { set in
        let chosen = times.indices.filter { set >> $0 & 1 == 1 }.map { times[$0] }
        return chosen == chosen.sorted()
      }.map(\.nonzeroBitCount).max()!
      #expect(kept == kept.sorted() && kept.count == most, "\(times)")
    }
  }

  @Test func dropsInvalidPositionsWithTheirTimes() {
    let (nowhere, beyond) = (fix(.nan, at: 100), Fix(coordinate: Coordinate(latitude: 0, longitude: 180.1)))
    #expect(reasons([nowhere, beyond, fix(0, at: 1)]) == [.invalid, .invalid, nil])
  }

  @Test func neverDropsFixesForTheirAccuracy() {
    var fix = fix(0)
    fix.horizontalAccuracy = 5000
    #expect(reasons([fix]) == [nil])
  }

  @Test func limitsTheMeanSpeedOfFiveUpdates() {
    // After 10 m/s, a jump of 260 m: the mean is (4 x 10 + 260) / 5 = 60 m/s.
    let fixes = [0, 10, 20, 30, 40, 300].enumerated().map { fix($1, at: Double($0)) }
    func last(_ limit: Double?) -> FixReason? {
      reasons(fixes) { ($0.unfilteredFirst, $0.minimumDistance, $0.maximumSpeed) = (1, 5, limit) }.last!
    }
    #expect(last(59) == .speed && last(61) == nil && last(nil) == nil)
  }

  @Test func usesTheSpeedMeasuredByTheDevice() {
    let fixes = [fix(0, at: 0, speed: 3), fix(20, at: 1, speed: 3), fix(40, at: 2, speed: -1)]
    // The last fix has no speed: 20 m in a second. (3 + 3 + 20) / 3 = 8.7.
    #expect(reasons(fixes) { ($0.unfilteredFirst, $0.maximumSpeed) = (1, 8) } == [nil, nil, .speed])
    #expect(reasons(fixes) { ($0.unfilteredFirst, $0.maximumSpeed) = (1, 9) } == [nil, nil, nil])
  }

  @Test func growsItsBoundsOnlyForAFixOutside() {
    var path = BreadcrumbPath()
    #expect(path.pathBounds == nil)
    #expect([0, 100, 50, 100, 101].map { path.add(fix($0)).boundsChanged } == [true, true, false, false, true])
    #expect(path.pathBounds?.southWest.latitude == 0 && path.locations.count == 5)
    #expect(abs(path.pathBounds!.northEast.latitude * Coordinate.metresPerDegree - 101) < 0.02)
  }

  @Test func droppedFixesDoNotChangeBounds() {
    var path = BreadcrumbPath()
    path.add(fix(0, at: 10), received: nil)
    let update = path.add(fix(500, at: 5), received: nil)
    #expect(update.reason == .order && !update.fixAdded && !update.boundsChanged)
    #expect(path.pathBounds?.northEast.latitude == 0)
  }

  @Test func dropsOldFixesUnlessArchived() {
    let old = fix(0, at: Date.now.timeIntervalSince1970 - 61)
    var path = BreadcrumbPath()
    #expect(path.add(old).reason == .age)
    #expect(path.add(fix(0, at: Date.now.timeIntervalSince1970)).reason == nil)
    var archive = BreadcrumbPath()
    #expect(archive.add(old, received: nil).reason == nil)
  }

  @Test func returnsTheBoxToRedraw() {
    var path = BreadcrumbPath()
    #expect(path.pathBounds(padding: 10) == nil)
    path.add(fix(0))
    path.add(fix(500))
    let update = path.add(fix(400))
    #expect(!update.boundsChanged)
    #expect(update.changedBounds == BoundingBox(around: [fix(400).coordinate, fix(500).coordinate]))
    let padded = path.pathBounds(padding: 100)
    #expect(padded?.contains(fix(-99).coordinate) == true && padded?.contains(fix(-101).coordinate) == false)
  }
}
