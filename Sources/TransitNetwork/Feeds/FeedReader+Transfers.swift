import Input
import Transit

extension FeedReader {
  /// Reads frequencies.txt.
  func readFrequencies() throws {
    guard feed.has("frequencies.txt") else { return }
    var (headways, unknown) = (0, 0)
    try read("frequencies.txt", ["trip_id", "start_time", "end_time", "headway_secs"], ["exact_times"]) {
      row throws(RowProblem) in
      guard let trip = tripIDs.index(of: row[0]) else { throw RowProblem("trip_id is not in trips.txt") }
      unrepeatedTrips.insert(trip)
      let (start, end) = (try row[1].serviceTime(in: "start_time"), try row[2].serviceTime(in: "end_time"))
      guard start < end else { throw RowProblem("end_time is not after start_time") }
      guard let headway = row[3].wholeNumber, headway > 0 else {
        throw RowProblem("headway_secs is not a whole number of seconds over 0")
      }
      if !row[4].isEmpty, !row[4].isDigit("0"), !row[4].isDigit("1") { unknown += 1 }
      let isExact = row[4].isDigit("1")
      if !isExact { headways += 1 }
      frequencies.append(
        Timetable.Frequency(
          trip: UInt32(trip), start: start, end: end, headway: Int32(headway), isExact: isExact ? 1 : 0))
    }
    unrepeatedTrips.subtract(frequencies.map { Int($0.trip) })
    note(
      "frequencies.txt", unrepeatedTrips.count,
      "{trip is left out since all its|trips are left out since all their} rows are rejected")
    note("frequencies.txt", unknown, "{row has|rows have} an exact_times that is neither 0 nor 1, which is taken as 0")
    note(
      "frequencies.txt", headways,
      "{headway|headways} without exact_times {is|are} treated as exact, unless headways is averageWait")
  }

  /// Reads transfers.txt: rules for pairs of stops, and rules for staying seated between trips.
  func readTransfers() throws {
    guard feed.has("transfers.txt") else { return }
    var platforms: [Int: [Int]] = [:]
    for (index, stop) in self.stops.enumerated() where stop.type == 0 {
      if let parent = stop.parent { platforms[parent, default: []].append(index) }
    }
    /// The stop with an ID, or the stops of the station with it.
    func ends(_ id: RowField, _ column: String) throws(RowProblem) -> [Int] {
      let index = try stop(id, in: column)
      switch self.stops[index].type {
      case 0: return [index]
      case 1: return platforms[index] ?? []
      default: throw RowProblem("\(column) is neither a stop nor a station")
      }
    }
    func seconds(_ field: RowField) throws(RowProblem) -> Int32 {
      guard field.isEmpty || field.wholeNumber != nil else {
        throw RowProblem("min_transfer_time is not a whole number of seconds")
      }
      return Int32(field.wholeNumber ?? 0)
    }
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
          throw RowProblem("from_trip_id or to_trip_id is not in trips.txt, which transfer_type 4 and 5 need")
        }
        continuations.append(Timetable.Continuation(from: UInt32(from), to: UInt32(to), staysSeated: type == 4 ? 1 : 0))
        return
      }
      let stops = (from: try ends(row[0], "from_stop_id"), to: try ends(row[1], "to_stop_id"))
      let rule = TransferRule(
        from: stops.from, to: stops.to, arriving: try vehicles(trip: row[4], route: row[6], at: stops.from, "from"),
        departing: try vehicles(trip: row[5], route: row[7], at: stops.to, "to"),
        stations: [0, 1].count { self.stops[stopIDs.index(of: row[$0]) ?? 0].type == 1 }, type: UInt8(type),
        seconds: try seconds(row[3]))
      let ids = [0, 1].map { TransferRule.Key(stop: stopIDs.index(of: row[$0]) ?? 0, vehicles: rule.vehicles[$0]) }
      guard known.insert(ids).inserted else { throw RowProblem("an earlier row has the same stops, trips and routes") }
      rules.append(rule)
    }
    try add(rules)
  }

  /// The vehicles of a side of a rule: "from" for arrivals, "to" for departures.
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
