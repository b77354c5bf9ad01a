// Converts matches to rows of their tables.

import Foundation
import Geography
import Hierarchy
import Input
import Routing
import Tables

extension TraceRow {
  init(_ trace: RecordedTrace, _ match: Match, _ facts: TraceFacts, departure: Moment?, arrival: Moment?) {
    let stops = match.stops.reduce(0) { $0 + $1.duration }
    self.init(
      id: trace.id, group: trace.group, status: RowStatus(match.status), statusReason: match.statusReason,
      fixCount: trace.fixes.count, keptCount: facts.keptCount, matchedCount: facts.matchedCount,
      reasonCounts: facts.reasonCounts,
      partCount: match.parts.count, sigma: TraceRow.rounded(match.sigma, 100), departure: departure, arrival: arrival,
      stopCount: match.stops.count, dwellMilliseconds: departure == nil ? nil : Int((stops * 1000).rounded()),
      ownCentimetres: Int((facts.ownLength * 100).rounded()),
      offRoadCentimetres: Int((match.offRoadLength * 100).rounded()), box: match.pathBounds,
      matched: match.parts.isEmpty ? nil : Matched(match, facts),
      shape: facts.kept.count > 1 ? GeometryBlob(line: facts.kept[...]) : nil)
  }

  /// Rounds a value to the decimals of the scale.
  fileprivate static func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
}

extension TraceRow.Matched {
  fileprivate init(_ match: Match, _ facts: TraceFacts) {
    let pieces = match.parts.lazy.flatMap(\.pieces)
    let weight = pieces.reduce(into: (centimetres: 0, milliseconds: 0)) {
      $0.centimetres += Int($1.weight.centimetres)
      $0.milliseconds += Int($1.weight.milliseconds)
    }
    let observed = pieces.compactMap { piece in
      Moment.milliseconds(piece.observedTime).map { (moving: $0, expected: Int(piece.weight.milliseconds)) }
    }
    let fastest = match.parts.compactMap(\.fastest)
    self.init(
      centimetres: weight.centimetres, milliseconds: weight.milliseconds,
      movingMilliseconds: observed.isEmpty ? nil : observed.reduce(0) { $0 + $1.moving },
      movingExpectedMilliseconds: observed.reduce(0) { $0 + $1.expected },
      fastest: fastest.count < match.parts.count
        ? nil
        : fastest.reduce(into: TraceRow.Fastest()) {
          $0.centimetres += Int($1.centimetres)
          $0.milliseconds += Int($1.milliseconds)
        }, uTurnCount: match.uTurnCount, rmsDistance: facts.rmsDistance.map { TraceRow.rounded($0, 100) },
      maxSpeed: match.parts.compactMap(\.maximumSpeed).max().map { TraceRow.rounded($0, 100) })
  }
}

extension RowStatus {
  init(_ status: Match.Status) {
    self =
      switch status {
      case .ok: .ok
      case .doubtful: .doubtful
      case .notMatched: .notMatched
      case .tooShort: .tooShort
      }
  }
}

extension TracePartRow {
  init(
    _ trace: Identifier, _ number: Int, _ part: MatchedPart, departure: Moment?, arrival: Moment?
  ) {
    let points = part.polyline.points
    self.init(
      trace: trace, part: number, beginReason: part.beginReason.rawValue, firstFix: part.firstFix,
      lastFix: part.lastFix, departure: departure, arrival: arrival,
      centimetres: part.pieces.reduce(0) { $0 + Int($1.weight.centimetres) },
      milliseconds: part.pieces.reduce(0) { $0 + Int($1.weight.milliseconds) },
      name: part.name.isEmpty ? nil : part.name, shape: GeometryBlob(line: points))
  }
}

extension TraceStreetRow {
  init(_ trace: Int, _ part: Int, _ n: Int, _ piece: MatchedPiece, entered: Int?, _ period: SpeedPeriod?) {
    self.init(
      trace: trace, part: part, n: n, street: StreetDirection(piece.street), from: piece.from, to: piece.to,
      isUTurn: piece.isUTurn, entered: entered, left: Moment.milliseconds(piece.left),
      observedMilliseconds: Moment.milliseconds(piece.observedTime),
      expectedMilliseconds: Int(piece.weight.milliseconds), period: period)
  }
}

extension StopRow {
  init(_ trace: Identifier, _ n: Int, _ stop: TraceStop, arrival: Moment, departure: Moment) {
    self.init(
      trace: trace, n: n, arrival: arrival, departure: departure, point: FixedCoordinate(stop.coordinate),
      street: stop.place.map { StreetDirection($0.street) }, offset: stop.place.map { Int(($0.offset * 100).rounded()) }
    )
  }
}

extension FixRow {
  init(_ trace: Int, _ n: Int, _ fix: Fix, _ matched: MatchedFix) {
    self.init(
      trace: trace, n: n, milliseconds: Moment.milliseconds(fix.timestamp),
      point: fix.coordinate.isValid ? FixedCoordinate(fix.coordinate) : nil,
      accuracyCentimetres: fix.horizontalAccuracy.flatMap { Int(exactly: ($0 * 100).rounded()) },
      isKept: matched.isKept, reason: matched.reason?.rawValue, place: matched.place.map { Place($0) })
  }
}

extension FixRow.Place {
  fileprivate init(_ place: MatchedPlace) {
    func centimetres(_ metres: Double) -> Int { Int((metres * 100).rounded()) }
    self.init(
      part: place.part, street: StreetDirection(place.street), offset: centimetres(place.offset),
      snapDistance: centimetres(place.snapDistance), along: centimetres(place.along),
      point: FixedCoordinate(place.coordinate))
  }
}

/// The sums over the fixes of a match.
struct TraceFacts {
  /// Kept fixes with valid coordinates.
  private(set) var kept: [FixedCoordinate] = []
  private(set) var keptCount = 0
  private(set) var matchedCount = 0
  /// The numbers of unmatched fixes by reason.
  private(set) var reasonCounts: [String: Int] = [:]
  /// Metres.
  private(set) var ownLength = 0.0
  private(set) var departure: Date?
  private(set) var arrival: Date?
  private var squareSum = 0.0

  init(_ fixes: [Fix], _ match: Match) {
    var reasons: [FixReason: Int] = [:]
    for (fix, matched) in zip(fixes, match.fixes) {
      if let reason = matched.reason { reasons[reason, default: 0] += 1 }
      guard matched.isKept else { continue }
      keptCount += 1
      if fix.coordinate.isValid {
        let point = FixedCoordinate(fix.coordinate)
        if let last = kept.last { ownLength += last.distance(to: point) }
        kept.append(point)
      }
      if let time = fix.timestamp {
        departure = departure ?? time
        arrival = time
      }
      guard matched.reason == nil, let place = matched.place else { continue }
      matchedCount += 1
      squareSum += place.snapDistance * place.snapDistance
    }
    // Equal times carry no information.
    if departure == arrival, keptCount > 1 { (departure, arrival) = (nil, nil) }
    reasonCounts = Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, $0.value) })
  }

  /// The root mean square of the distances from fixes to streets, in metres.
  var rmsDistance: Double? { matchedCount > 0 ? (squareSum / Double(matchedCount)).squareRoot() : nil }
}
