import Foundation
import Geography
import Routing
import Tables

/// What the fixes of a match add up to.
struct TraceFacts {
  /// Those kept that are points on the earth.
  private(set) var kept: [FixedCoordinate] = []
  private(set) var keptCount = 0
  private(set) var matchedCount = 0
  /// How many fixes were not matched, by reason.
  private(set) var reasonCounts: [String: Int] = [:]
  /// Metres.
  private(set) var ownLength = 0.0
  private(set) var departure: Date?
  private(set) var arrival: Date?
  private var squares = 0.0

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
      squares += place.snapDistance * place.snapDistance
    }
    // One time for all says as little as none.
    if departure == arrival, keptCount > 1 { (departure, arrival) = (nil, nil) }
    reasonCounts = Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, $0.value) })
  }

  /// Metres from fixes to streets.
  var rmsDistance: Double? { matchedCount > 0 ? (squares / Double(matchedCount)).squareRoot() : nil }
}
