import Input
import Transit

/// The vehicles that a side of a rule is about.
enum TransferVehicles: Hashable {
  case all
  case route(Int)
  case trip(Int)

  /// Trips count more than routes, and two routes less than a trip (GTFS Schedule Reference, transfers.txt).
  fileprivate var specificity: Int {
    switch self {
    case .all: 0
    case .route: 1
    case .trip: 3
    }
  }
}

/// A row of transfers.txt with `transfer_type` 0 to 3.
struct TransferRule {
  var from: [Int]
  var to: [Int]
  var arriving: TransferVehicles
  var departing: TransferVehicles
  /// How many of its two ends are stations.
  var stations: Int
  var type: UInt8
  var seconds: Int32

  /// A stop and vehicles there.
  struct Key: Hashable {
    var stop: Int
    var vehicles: TransferVehicles
  }

  var vehicles: [TransferVehicles] { [arriving, departing] }

  /// Of the rules for two vehicles, the one with the greatest specificity applies; of these, rules for stops take
  /// precedence over rules for stations.
  fileprivate func precedes(_ other: TransferRule) -> Bool {
    (arriving.specificity + departing.specificity, other.stations)
      > (other.arriving.specificity + other.departing.specificity, stations)
  }
}

extension FeedReader {
  /// The maximum number of pairs of stops in transfers.txt, where a station stands for all its stops: a hundred times a
  /// country's.
  private static let mostTransfers = 1 << 22

  /// Adds the transfers of all rules, one per pair of stops.
  ///
  /// Vehicles with rules of their own get a part of their stop for themselves, so that a rule for a trip or a route is
  /// one for two stops.
  func add(_ rules: [TransferRule]) throws {
    try check(rules.reduce(0) { $0 + $1.from.count * $1.to.count })
    let parts = partStops(rules)
    // Walks between the parts of a stop count, too.
    try check(parts.values.reduce(0) { $0 + $1.count * $1.count })
    var rulesOf: [StopPair: [Int]] = [:]
    for (index, rule) in rules.enumerated() {
      for from in rule.from {
        for to in rule.to { rulesOf[StopPair(from: from, to: to), default: []].append(index) }
      }
    }
    try check(rulesOf.keys.reduce(0) { $0 + (parts[$1.from]?.count ?? 1) * (parts[$1.to]?.count ?? 1) })
    for (pair, indices) in rulesOf {
      let own = indices.map { rules[$0] }
      for from in parts[pair.from] ?? [StopPart(stop: pair.from)] {
        for to in parts[pair.to] ?? [StopPart(stop: pair.to)] {
          let applying = own.filter {
            applies($0.arriving, to: from.arriving) && applies($0.departing, to: to.departing)
          }
          // The first of equal ones.
          guard let rule = applying.min(by: { $0.precedes($1) }) else { continue }
          transfers.append(
            Timetable.Transfer(
              from: UInt32(from.stop), to: UInt32(to.stop), seconds: rule.seconds, type: UInt32(rule.type)))
        }
      }
    }
    transfers.sort { ($0.from, $0.to) < ($1.from, $1.to) }
  }

  private func check(_ count: Int) throws {
    guard count > FeedReader.mostTransfers else { return }
    throw InputError(
      file: feed.path(of: "transfers.txt"),
      problem: "its rows are of \(count) pairs of stops, expected at most \(FeedReader.mostTransfers)")
  }

  /// Whether a side of a rule is about the vehicles of a part of a stop.
  private func applies(_ vehicles: TransferVehicles, to part: TransferVehicles) -> Bool {
    switch (vehicles, part) {
    case (.all, _): true
    case (.route(let route), .trip(let trip)): trips[trip].route == route
    default: vehicles == part
    }
  }

  /// Moves the calls of vehicles with rules of their own to parts of their stops. Returns all parts of these stops,
  /// including the stops themselves.
  private func partStops(_ rules: [TransferRule]) -> [Int: [StopPart]] {
    var (arriving, departing): (Set<TransferRule.Key>, Set<TransferRule.Key>) = ([], [])
    for rule in rules {
      if rule.arriving != .all { arriving.formUnion(rule.from.map { .init(stop: $0, vehicles: rule.arriving) }) }
      if rule.departing != .all { departing.formUnion(rule.to.map { .init(stop: $0, vehicles: rule.departing) }) }
    }
    let named = Set((arriving.union(departing)).map(\.stop))
    guard !named.isEmpty else { return [:] }
    var parts = Dictionary(uniqueKeysWithValues: named.map { ($0, [StopPart(stop: $0)]) })
    for (index, trip) in trips.enumerated() {
      for call in trip.calls where named.contains(Int(calls[call].stop)) {
        let stop = Int(calls[call].stop)
        func vehicles(_ keys: Set<TransferRule.Key>) -> TransferVehicles {
          let own = [.trip(index)] + (trip.route.map { [.route($0)] } ?? []) as [TransferVehicles]
          return own.first { keys.contains(.init(stop: stop, vehicles: $0)) } ?? .all
        }
        let (arrives, departs) = (vehicles(arriving), vehicles(departing))
        var part = parts[stop]!.first { $0.arriving == arrives && $0.departing == departs }
        if part == nil {
          part = StopPart(stop: stops.count, arriving: arrives, departing: departs)
          parts[stop]!.append(part!)
          var copy = stops[stop]
          (copy.type, copy.parent, copy.isPart) = (4, stop, true)
          stops.append(copy)
        }
        calls[call].stop = UInt32(part!.stop)
      }
    }
    return parts
  }
}

/// A stop, or a part of it for some vehicles: a copy that is a boarding area of it.
private struct StopPart {
  var stop: Int
  /// The vehicles that arrive here: those of a rule, or all others.
  var arriving = TransferVehicles.all
  var departing = TransferVehicles.all
}

private struct StopPair: Hashable {
  var from: Int
  var to: Int
}
