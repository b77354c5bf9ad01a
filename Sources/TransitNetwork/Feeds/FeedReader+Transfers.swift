import Geography
import Input
import Transit

extension FeedReader {
  func readFrequencies() throws {
    guard feed.has("frequencies.txt") else { return }
    var (headways, unknown) = (0, 0)
    try read("frequencies.txt", ["trip_id", "start_time", "end_time", "headway_secs"], ["exact_times"]) {
      row throws(RowProblem) in
      guard let trip = tripIDs.index(of: row[0]) else { throw RowProblem("trip_id is not in trips.txt") }
      tripsWithRejectedFrequencies.insert(trip)
      let (start, end) = (try row[1].serviceTime(in: "start_time"), try row[2].serviceTime(in: "end_time"))
      guard start < end else { throw RowProblem("end_time is not after start_time") }
      guard let headway = row[3].wholeNumber, headway > 0 else {
        throw RowProblem("headway_secs is not a whole number of seconds above 0")
      }
      if !row[4].isEmpty, !row[4].isDigit("0"), !row[4].isDigit("1") { unknown += 1 }
      let isExact = row[4].isDigit("1")
      if !isExact { headways += 1 }
      frequencies.append(
        Timetable.Frequency(
          trip: UInt32(trip), start: start, end: end, headway: Int32(headway), isExact: isExact ? 1 : 0))
    }
    tripsWithRejectedFrequencies.subtract(frequencies.map { Int($0.trip) })
    note(
      "frequencies.txt", tripsWithRejectedFrequencies.count,
      "{trip is left out since all its|trips are left out since all their} rows are rejected")
    note("frequencies.txt", unknown, "{row has|rows have} an exact_times that is neither 0 nor 1, which is taken as 0")
    note(
      "frequencies.txt", headways,
      "{headway|headways} without exact_times {is|are} treated as exact, unless the key headways is averageWait")
  }

  /// Reads transfers.txt: rules for pairs of stops, and rules for staying seated between trips.
  func readTransfers() throws {
    guard feed.has("transfers.txt") else { return }
    var platforms: [Int: [Int]] = [:]
    for (index, stop) in self.stops.enumerated() where stop.type == 0 {
      if let parent = stop.parent { platforms[parent, default: []].append(index) }
    }
    /// Returns the stop with an id, or the stops of the station with that id.
    func ends(_ id: RowField, _ column: String) throws(RowProblem) -> [Int] {
      let index = try stop(id, in: column)
      switch self.stops[index].type {
      case 0: return [index]
      case 1: return platforms[index] ?? []
      default: throw RowProblem("\(column) is neither a stop nor a station")
      }
    }
    func seconds(_ field: RowField, type: Int) throws(RowProblem) -> Int32 {
      guard type != 2 || !field.isEmpty else { throw RowProblem("transfer_type 2 needs a min_transfer_time") }
      guard field.isEmpty || field.wholeNumber != nil else {
        throw RowProblem("min_transfer_time is not a whole number of seconds")
      }
      return Int32(field.wholeNumber ?? 0)
    }
    /// Checks that a rule's stop, if it names one, is where riders stay seated: the last stop of one trip, or the first
    /// of the other.
    func check(_ id: RowField, _ side: String, is words: String, at call: Int?) throws(RowProblem) {
      guard !id.isEmpty, let call else { return }
      guard try ends(id, "\(side)_stop_id").contains(Int(calls[call].stop)) else {
        throw RowProblem("\(side)_stop_id is not the \(words) stop of \(side)_trip_id")
      }
    }
    let repeated = Set(frequencies.map { Int($0.trip) })
    var earlier = 0
    var known = Set<[TransferRule.Key]>()
    var rules: [TransferRule] = []
    try read(
      "transfers.txt", [],
      [
        "from_stop_id", "to_stop_id", "transfer_type", "min_transfer_time", "from_trip_id", "to_trip_id",
        "from_route_id", "to_route_id",
      ]
    ) { row throws(RowProblem) in
      guard let type = row[2].isEmpty ? 0 : row[2].wholeNumber, type <= 5 else {
        throw RowProblem("transfer_type is not from 0 to 5")
      }
      guard type < 4 else {
        guard let from = tripIDs.index(of: row[4]), let to = tripIDs.index(of: row[5]) else {
          throw RowProblem("from_trip_id or to_trip_id is not in trips.txt; transfer_type 4 and 5 need both")
        }
        let last = trips[from].calls.last
        let first = trips[to].calls.first
        try check(row[0], "from", is: "last", at: last)
        try check(row[1], "to", is: "first", at: first)
        if type == 4, let last, let first, calls[first].departure < calls[last].arrival,
          repeated.isDisjoint(with: [from, to])
        {
          earlier += 1
        }
        continuations.append(Timetable.Continuation(from: UInt32(from), to: UInt32(to), staysSeated: type == 4 ? 1 : 0))
        return
      }
      let stops = (from: try ends(row[0], "from_stop_id"), to: try ends(row[1], "to_stop_id"))
      let rule = TransferRule(
        from: stops.from, to: stops.to, arriving: try vehicles(trip: row[4], route: row[6], at: stops.from, "from"),
        departing: try vehicles(trip: row[5], route: row[7], at: stops.to, "to"),
        stations: [0, 1].count { self.stops[stopIDs.index(of: row[$0]) ?? 0].type == 1 }, type: UInt8(type),
        seconds: try seconds(row[3], type: type))
      let ids = [0, 1].map { TransferRule.Key(stop: stopIDs.index(of: row[$0]) ?? 0, vehicles: rule.vehicles[$0]) }
      guard known.insert(ids).inserted else { throw RowProblem("an earlier row has the same stops, trips and routes") }
      rules.append(rule)
    }
    note(
      "transfers.txt", earlier,
      "{row has|rows have} a to_trip_id that leaves before from_trip_id ends; riders stay seated on it on the following "
        + "service day")
    try add(rules)
  }

  /// Returns the vehicles on one side of a rule: "from" for arriving vehicles, "to" for departing ones.
  private func vehicles(
    trip: RowField, route: RowField, at stops: [Int], _ side: String
  ) throws(RowProblem) -> TransferVehicles {
    let named = route.isEmpty ? nil : routeIDs.index(of: route)
    guard route.isEmpty || named != nil else { throw RowProblem("\(side)_route_id is not in routes.txt") }
    guard !trip.isEmpty else { return named.map { .route($0) } ?? .all }
    guard let index = tripIDs.index(of: trip) else { throw RowProblem("\(side)_trip_id is not in trips.txt") }
    guard named == nil || trips[index].route == named else {
      throw RowProblem("\(side)_trip_id is not a trip of \(side)_route_id")
    }
    guard trips[index].calls.contains(where: { stops.contains(Int(calls[$0].stop)) }) else {
      throw RowProblem("\(side)_trip_id does not call at \(side)_stop_id")
    }
    return .trip(index)
  }
}

/// The vehicles to which one side of a rule applies.
enum TransferVehicles: Hashable {
  case all
  case route(Int)
  case trip(Int)

  /// A trip is more specific than a route, and even than two routes (GTFS Schedule Reference, transfers.txt).
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
  /// The number of ends that are stations.
  var stations: Int
  var type: UInt8
  var seconds: Int32

  /// A stop, and vehicles that call there.
  struct Key: Hashable {
    var stop: Int
    var vehicles: TransferVehicles
  }

  var vehicles: [TransferVehicles] { [arriving, departing] }

  /// Returns whether the rule takes precedence over another for the same vehicles: the more specific rule applies; of
  /// equally specific rules, those for stops take precedence over those for stations.
  fileprivate func precedes(_ other: TransferRule) -> Bool {
    (arriving.specificity + departing.specificity, other.stations)
      > (other.arriving.specificity + other.departing.specificity, stations)
  }
}

extension FeedReader {
  /// The maximum number of pairs of stops in transfers.txt, where a station counts as all its stops: a hundred times as
  /// many as in a country's feed.
  private static let maximumTransfers = 1 << 22

  /// Adds the transfers of all rules, one per pair of stops.
  ///
  /// Vehicles with their own rules get a separate part of their stop, so that a rule for a trip or a route becomes a
  /// rule for two stops.
  func add(_ rules: [TransferRule]) throws {
    try check(rules.reduce(0) { $0 + $1.from.count * $1.to.count })
    let parts = partStops(rules)
    // Walks between the parts of one stop also count.
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
          // Of equally specific rules, the first applies.
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
    guard count > FeedReader.maximumTransfers else { return }
    throw .input(
      feed.path(of: "transfers.txt"),
      "the rows cover \(count) pairs of stops, expected at most \(FeedReader.maximumTransfers)")
  }

  /// Returns whether one side of a rule applies to the vehicles of a part of a stop.
  private func applies(_ vehicles: TransferVehicles, to part: TransferVehicles) -> Bool {
    switch (vehicles, part) {
    case (.all, _): true
    case (.route(let route), .trip(let trip)): trips[trip].route == route
    default: vehicles == part
    }
  }

  /// Moves the calls of vehicles with their own rules to parts of their stops. Returns all parts of these stops,
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
          let own = [.trip(index), .route(trip.route)] as [TransferVehicles]
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

/// A stop, or a part of it for certain vehicles: a copy of the stop as one of its boarding areas.
private struct StopPart {
  var stop: Int
  /// The vehicles that arrive here: the vehicles of a rule, or all others.
  var arriving = TransferVehicles.all
  var departing = TransferVehicles.all
}

private struct StopPair: Hashable {
  var from: Int
  var to: Int
}
