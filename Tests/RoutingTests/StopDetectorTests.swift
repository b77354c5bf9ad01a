import Foundation
import Geography
import Routing
import TestMaps
import Testing

/// Stops, given as positions in metres along a street, with one fix per second.
struct StopDetectorTests {
  private func fix(_ east: Double, _ north: Double = 0, at time: Int) -> Fix {
    let latitude = 41 + north / Coordinate.metresPerDegree
    let longitude = east / Coordinate.metresPerDegree / cos(41 * Double.pi / 180)
    return Fix(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      timestamp: Date(timeIntervalSince1970: Double(time)))
  }

  /// Returns the first and last fixes of the stops.
  private func stops(
    _ fixes: [Fix], sigma: Double = 5, reasons: [FixReason?]? = nil, by type: TransportType = .automobile
  ) -> [ClosedRange<Int>] {
    StopDetector(MatchOptions(), sigma: sigma, by: type).stops(of: fixes, reasons: reasons ?? fixes.map { _ in nil })
      .map { $0.firstFix...$0.lastFix }
  }

  private func stops(_ metres: [Double], sigma: Double = 5) -> [ClosedRange<Int>] {
    stops(metres.enumerated().map { fix($1, at: $0) }, sigma: sigma)
  }

  private func standing(_ seconds: Int, at metres: Double) -> [Double] { [Double](repeating: metres, count: seconds) }
  private func moving(_ seconds: Int, from metres: Double, by speed: Double = 10) -> [Double] {
    (1...seconds).map { metres + speed * Double($0) }
  }

  @Test func stopsLastAtLeastAMinute() {
    #expect(stops(standing(61, at: 0)) == [0...60])
    #expect(stops(standing(60, at: 0)) == [])
  }

  @Test func findsTheFixesOfAStopBetweenDrives() {
    // The stop has the fixes within 25 m of 300 m.
    let track = moving(30, from: 0) + standing(90, at: 300) + moving(30, from: 300)
    #expect(stops(track) == [27...121])
  }

  @Test func separatesTwoConsecutiveStops() {
    let track = standing(100, at: 0) + standing(100, at: 40) + standing(100, at: 90)
    #expect(stops(track) == [0...99, 100...199, 200...299])
  }

  @Test func ignoresASingleJump() {
    var track = standing(100, at: 0)
    track[50] = 300
    #expect(stops(track) == [0...99])
    track[51] = 300
    #expect(stops(track) == [])
  }

  @Test func slowWalkingIsNotAStop() {
    #expect(stops(moving(600, from: 0, by: 1)) == [])
  }

  @Test func noisyStandingIsAStop() {
    var random = SeededGenerator(seed: 7)
    let track = (0..<3600).map { second in
      fix(.random(in: -40...40, using: &random), .random(in: -40...40, using: &random), at: second)
    }
    #expect(stops(track, sigma: 20) == [0...3599] && stops(track, sigma: 5) == [])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func noiseDoesNotSplitAStop(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let track = (0..<900).map { second in
      let length = 8 * (-2 * log(Double.random(in: 1e-9...1, using: &random))).squareRoot()
      let angle = Double.random(in: 0..<2 * .pi, using: &random)
      return fix(length * cos(angle), length * sin(angle), at: second)
    }
    #expect(stops(track).count == 1)
    let trip = (900..<930).map { fix(60, at: $0) }
    #expect(stops(track + trip + (930..<1200).map { fix(0, at: $0) }).count == 2)
  }

  @Test func ignoresOldUnorderedAndUntimedFixes() {
    var track = (0..<100).map { fix($0 == 30 ? 900 : 0, at: $0) }
    track[40].timestamp = nil
    var reasons = [FixReason?](repeating: .distance, count: 100)
    reasons[30] = .order
    reasons[99] = .age
    #expect(stops(track, reasons: reasons) == [0...98])
    #expect(stops([Fix](repeating: fix(0, at: 0), count: 1000)) == [], "fixes at a single time are not a stop")
  }

  @Test func stopsHavePlacesAndDurations() throws {
    let fixes = (0..<121).map { fix(Double($0 % 3), at: 1000 + $0) }
    let stop = try #require(
      StopDetector(MatchOptions(), sigma: 5, by: .automobile).stops(of: fixes, reasons: fixes.map { _ in nil }).first)
    #expect(stop.duration == 120 && stop.arrivalDate.timeIntervalSince1970 == 1000)
    #expect(stop.coordinate.distance(to: fix(1, at: 0).coordinate) < 0.01)
  }

  /// Walkers need more than a minute to cross the circle of a stop if positions are that inaccurate.
  @Test(arguments: [1.1, 1.4]) func aWalkWithNoisyFixesIsNotAStop(speed: Double) {
    var random = SeededGenerator(seed: 7)
    func noisy(_ metres: [Double]) -> [Fix] {
      metres.enumerated().map {
        fix($1 + .random(in: -26...26, using: &random), .random(in: -26...26, using: &random), at: $0)
      }
    }
    let walk = moving(400, from: 0, by: speed)
    #expect(stops(noisy(walk), sigma: 15, by: .walking) == [])
    let arrival = noisy(walk + standing(150, at: walk.last!))
    #expect(stops(arrival, sigma: 15, by: .walking).count == 1)
    let everyTenth = stride(from: 0, to: arrival.count, by: 10).map { arrival[$0] }
    #expect(stops(everyTenth, sigma: 15, by: .walking).count == 1)
  }

  @Test func findsStopsOnTheAntimeridian() {
    let fixes = (0..<70).map { second in
      Fix(
        coordinate: Coordinate(latitude: 0, longitude: second % 2 == 0 ? 179.99999 : -179.99999),
        timestamp: Date(timeIntervalSince1970: Double(second)))
    }
    #expect(stops(fixes) == [0...69])
  }

  /// Compares with all possible runs: each stop is one of them, and no minute of standing is outside all stops.
  @Test func agreesWithAnExhaustiveSearch() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      var (place, track): (Double, [Double]) = (0, [])
      for _ in 0..<6 {
        track += standing(.random(in: 10...120, using: &random), at: place)
        place += .random(in: 30...200, using: &random)
      }
      let found = stops(track)
      func isStop(_ range: ClosedRange<Int>) -> Bool {
        let median = track[range].sorted()
        let middle = (median[(median.count - 1) / 2] + median[median.count / 2]) / 2
        return range.count > 60 && track[range].allSatisfy { abs($0 - middle) <= 25.001 }
      }
      #expect(found.allSatisfy(isStop))
      let free = track.indices.filter { index in !found.contains { $0.contains(index) } }
      for start in free where free.contains(start + 60) && (start...start + 60).allSatisfy(free.contains) {
        #expect(!isStop(start...start + 60))
      }
    }
  }

  /// Takes a tenth of a second; comparing every pair of fixes would take minutes.
  @Test(.timeLimit(.minutes(1))) func processesADayQuickly() {
    var random = SeededGenerator(seed: 5)
    var place = (0.0, 0.0)
    // The position drifts slowly: neither a stop nor a departure.
    let day = (0..<86_400).map { second in
      place.0 += .random(in: -1.2...1.2, using: &random)
      place.1 += .random(in: -1.2...1.2, using: &random)
      return fix(place.0, place.1, at: second)
    }
    #expect(!stops(day).isEmpty)
  }
}
