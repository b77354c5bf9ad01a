import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Random traces on random maps: the matcher's search equals the textbook algorithm, bit for bit.
struct RandomTraceTests {
  @Test(arguments: 1...120 as ClosedRange<UInt64>)
  func agreesWithTheTextbookAlgorithm(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (map, _) = RandomStateTests.map(&random)
    for type in [TransportType.automobile, .cycling, .walking] {
      let network = try map.network(profile: .stock(type.rawValue))
      let router = Router(network, Directions.Options())
      for _ in 0..<4 {
        var options = MatchOptions()
        options.accuracy = Bool.random(using: &random) ? nil : Double(Int.random(in: 2...25, using: &random))
        options.breadcrumb.unfilteredFirst = Int.random(in: 0...11, using: &random)
        let fixes = RandomTraceTests.trace(&random)
        let comment = Comment(rawValue: "seed \(seed), \(type)\n\(map.opl)")
        let found = TraceMatcher(router, options).match(fixes)
        let expected = TraceMatcher(router, options, isOracle: true).match(fixes)
        #expect(found.parts.map(\.score) == expected.parts.map(\.score), comment)
        #expect(found.fixes.map(\.reason) == expected.fixes.map(\.reason), comment)
        #expect(found.parts.map(\.firstFix) == expected.parts.map(\.firstFix), comment)
        for part in found.parts { #expect(complaint(about: part, found.stops, on: network) == nil, comment) }
      }
    }
  }

  /// Returns a trace that mostly continues straight, with U-turns, noise, jumps of one fix or of all following ones,
  /// and timestamps that do not advance, are missing, skip minutes, or are wrong.
  static func trace(_ random: inout SeededGenerator) -> [Fix] {
    var (latitude, longitude) = (
      Double.random(in: -0.0045...0.0005, using: &random), Double.random(in: -0.0005...0.0045, using: &random)
    )
    var heading = Double.random(in: 0..<360, using: &random)
    var clock: Double? = Int.random(in: 0..<8, using: &random) == 0 ? nil : 1_000_000
    let pace = [1.0, 1, 5, 15, 60][Int.random(in: 0..<5, using: &random)]
    let spread = Bool.random(using: &random) ? 8.0 : 0
    return (0..<Int.random(in: 1...30, using: &random)).map { _ in
      if Int.random(in: 0..<5, using: &random) == 0 { heading += Double.random(in: -180...180, using: &random) }
      if Int.random(in: 0..<12, using: &random) == 0 { heading += 180 }
      if Int.random(in: 0..<40, using: &random) == 0 { latitude += 0.002 }
      let step = Double.random(in: 0...6, using: &random) * min(10, pace) / 111_000
      latitude = min(0.001, max(-0.005, latitude + step * cos(heading * .pi / 180)))
      longitude = min(0.005, max(-0.001, longitude + step * sin(heading * .pi / 180)))
      clock = clock.map {
        $0 + (Int.random(in: 0..<10, using: &random) == 0 ? [0, 400, 20][Int.random(in: 0..<3, using: &random)] : pace)
      }
      func noise() -> Double { Double.random(in: -1...1, using: &random) * spread / 111_000 }
      let jump = Int.random(in: 0..<25, using: &random) == 0 ? 0.003 : 0
      let error =
        Int.random(in: 0..<40, using: &random) == 0
        ? [-86_400.0, -30, 86_400][Int.random(in: 0..<3, using: &random)] : 0
      let isMissing = Int.random(in: 0..<20, using: &random) == 0
      return Fix(
        coordinate: Coordinate(latitude: latitude + noise() + jump, longitude: longitude + noise()),
        timestamp: clock.flatMap { isMissing ? nil : Date(timeIntervalSince1970: $0 + error) })
    }
  }

  /// Returns the error in a part: a gap between its streets, a turn without an arc, dates that do not ascend, or sums
  /// that differ from the part's.
  private func complaint(about part: MatchedPart, _ stops: [TraceStop], on network: StreetNetwork) -> String? {
    for (before, next) in zip(part.pieces, part.pieces.dropFirst()) {
      let (a, b) = (network.street(before.street.street), network.street(next.street.street))
      if next.isUTurn {
        guard next.street == before.street.opposite, next.from == Int(a.centimetres) - before.to else {
          return "a U-turn jumps"
        }
        continue
      }
      guard before.to == Int(a.centimetres), next.from == 0 else { return "a street is left in its middle" }
      let junction = before.street.isReversed ? a.tail : a.head
      guard junction == (next.street.isReversed ? b.head : b.tail) else { return "streets do not meet" }
      let states = network.states.junctions[Int(junction)].first..<network.states.junctions[Int(junction) + 1].first
      let isTurn = states.contains { state in
        network.states.arcs.arcs(from: StateID(state)).contains { network.states.streets[$0] == next.street }
      }
      guard isTurn else { return "no arc is the turn" }
    }
    guard part.pieces.allSatisfy({ $0.from <= $0.to && $0.entered ?? 0 <= $0.left ?? .infinity }) else {
      return "backwards"
    }
    let entered = part.pieces.compactMap(\.entered)
    guard entered == entered.sorted() else { return "dates do not ascend" }
    guard abs(part.polyline.length - part.distance) < 2 + part.distance / 100 else {
      return "drawn \(part.polyline.length) m, measured \(part.distance) m"
    }
    if let start = part.startDate, let end = part.endDate {
      let moving = part.pieces.reduce(0) { $0 + ($1.observedTime ?? .nan) }
      let stopped = stops.reduce(0) {
        $0 + max(0, min($1.departureDate, end).timeIntervalSince(max($1.arrivalDate, start)))
      }
      guard abs(moving + stopped - end.timeIntervalSince(start)) < 0.001 else {
        return "moves for \(moving) s and stops for \(stopped) s"
      }
    }
    return nil
  }
}
