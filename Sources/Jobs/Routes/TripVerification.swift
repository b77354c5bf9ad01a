import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables

extension TripTask {
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let tripRows = try results.database.tripRows()
    let trips = try results.indices(of: tripRows.count).compactMap { try results.database.trip(tripRows.row($0)) }
    var rows = Verification.Rows(count: 0, differences: [])
    // Trips with the same avoidances share a network.
    for avoids in Set(trips.map(\.avoids)).sorted(by: { ($0 ?? "") < ($1 ?? "") }) {
      rows += try verify(
        trips.filter { $0.avoids == avoids }, results.avoiding(avoids.map { Profile.Avoidance(text: $0) } ?? []))
    }
    return rows
  }

  private func verify(_ trips: [TripToVerify], _ results: ResultsToVerify) throws -> Verification.Rows {
    guard let dates = try TransitDates(results.context) else { return try results.differences(of: trips) }
    return try verify(trips, results, by: dates)
  }

  /// Verifies trips by public transport at the job's departures; rows with their own times are verified hour by hour.
  private func verify(
    _ trips: [TripToVerify], _ results: ResultsToVerify, by dates: TransitDates
  ) throws -> Verification.Rows {
    var check = try TransitCheck(results.context)
    var rows = Verification.Rows(count: 0, differences: [])
    if let check { rows += try results.differences(of: trips.filter { $0.hour != nil }, by: check) }
    let timed = trips.filter { $0.hour == nil }.compactMap { trip in
      PairTable.RowTime(arrival: trip.arrival, departure: trip.departure).map { (trip, dates.hour(of: $0)) }
    }
    for (hour, timed) in Dictionary(grouping: timed, by: { $0.1.hour }).sorted(by: { $0.key < $1.key }) {
      let schedule = try dates.schedule(in: hour)
      let hourCheck = try check?.with(schedule) ?? TransitCheck(schedule, in: results.context)
      check = hourCheck
      let moments = Dictionary(timed.map { ($0.0.item, $0.1.milliseconds) }) { first, _ in first }
      rows += try results.differences(of: timed.map(\.0)) {
        let search = TransitCheck.Search(hourCheck)
        return { trip, from, to in
          moments[trip.item].flatMap { search.time(from: from, to: to, at: $0) }.map(trip.weight)
        }
      }
    }
    rows.differences += try results.rideDifferences()
    return rows
  }
}

extension ResultsToVerify {
  /// Returns a difference for each sampled ride whose stops do not match its trip in the timetable.
  fileprivate func rideDifferences() throws -> [Difference] {
    let database = database.database
    guard try database.hasTable("ride"), let timetable = context.feeds?.timetable else { return [] }
    var trips: [[String]: Int] = [:]
    for (index, trip) in timetable.trips.enumerated() {
      let line = timetable.lines[Int(trip.line)]
      trips[["\(line.feed + 1)", timetable.text(trip.id), timetable.text(line.name)]] = index
    }
    let count: Int = try database.value("SELECT coalesce(max(fid), 0) FROM ride")
    return try indices(of: count).flatMap { index in
      try database.rows("SELECT * FROM ride WHERE fid = ?", index + 1) { row -> Difference? in
        let (trip, line): (String, String) = (try row["trip_id"], try row["line"])
        let (from, to): (String, String) = (try row["from_stop_id"], try row["to_stop_id"])
        let (stops, feed): (Int, Int) = (try row["stops"], try row["feed"])
        let calls = trips[["\(feed)", trip, line]].map { Array(timetable.calls(of: $0)) } ?? []
        let ids = calls.map { timetable.text(timetable.stops[Int(timetable.callStops[$0])].id) }
        let counts = ids.indices.filter { ids[$0] == from }.flatMap { start in
          ids.indices.filter { $0 > start && ids[$0] == to }.map { $0 - start }
        }
        guard !counts.contains(stops) else { return nil }
        return Difference(
          item: "pair \(try row["pair_id"] as Identifier), ride \(try row["ride"] as Int)",
          measure: "stops of trip \(trip) of line \(line) from \(from) to \(to)", found: Double(stops),
          expected: counts.first.map { Double($0) })
      }.compactMap(\.self)
    }
  }
}

extension PairTable.RowTime {
  /// Creates the time of a row of table `route`; nil if it has none.
  init?(arrival: String?, departure: String?) {
    guard let moment = (arrival ?? departure).flatMap({ Timestamp($0) }) else { return nil }
    self.init(moment: moment, isArrival: arrival != nil)
  }
}

extension ResultsToVerify {
  /// Returns the differences between trips and a plain Dijkstra search, which is time-dependent for trips with a time.
  func differences(of trips: [TripToVerify]) throws -> Verification.Rows {
    let (job, axis, days) = (job, job.rowAxis, context.timedNetworks)
    return try differences(of: trips) {
      let oracles = DayOracles(days)
      return { trip, from, to in
        let weights = trip.times(in: job).map { oracles.weight(from: from, to: to, at: $0, after: trip.elapsed) }
        guard let row = trip.hour, axis.column == .percentile else { return weights[0] }
        return axis.time(row, of: weights.map { $0?.milliseconds }).flatMap {
          trip.found.weight(Int($0), among: weights)
        }
      }
    }
  }

  /// Returns the differences for trips by public transport.
  func differences(of trips: [TripToVerify], by check: TransitCheck) throws -> Verification.Rows {
    let axis = job.rowAxis
    return try differences(of: trips) {
      let search = TransitCheck.Search(check)
      return { trip, from, to in
        trip.hour.flatMap { axis.time($0, of: search.times(from: from, to: to)) }.map(trip.weight)
      }
    }
  }

  /// Returns the differences between trips and an oracle's weights; one oracle per thread.
  func differences(
    of trips: [TripToVerify], _ makeOracle: @escaping @Sendable () -> (TripToVerify, TripEnd, TripEnd) -> Weight?
  ) throws -> Verification.Rows {
    let (network, options) = (network, job.options)
    return try differences(of: trips) {
      let router = Router(network, options)
      let oracle = makeOracle()
      return { trip in
        guard trip.status != .outsideCoverage else { return [] }
        let answers = trip.ends.map { ends -> Weight? in
          guard let from = router.end(at: ends.from.coordinate), let to = router.end(at: ends.to.coordinate) else {
            return nil
          }
          return oracle(trip, from, to)
        }
        let differences = answers.map { ResultsToVerify.differences(trip.item, trip.found, $0) }
        return differences.contains([]) ? [] : differences.first ?? []
      }
    }
  }
}

extension VerifiedWeight? {
  /// Returns a weight with a given time, preferably one with the length found: any weight with this time is correct.
  func weight(_ milliseconds: Int?, among weights: [Weight?]) -> Weight? {
    let equal = weights.compactMap(\.self).filter { Int($0.milliseconds) == milliseconds }
    return equal.first { self?.centimetres == Int($0.centimetres) } ?? equal.first
  }
}

/// A trip of the results to recompute.
package struct TripToVerify: Sendable {
  package var item: String
  /// The possible points of the trip's ends: several places may have the same id.
  package var ends: [(from: FixedCoordinate, to: FixedCoordinate)]
  /// The departure of its pair's first leg; nil if the row has none.
  package var departure: String?
  /// The latest arrival, in a job without hours; nil if there is none.
  package var arrival: String?
  /// The index of the hour or percentile among those of the job; nil without hours.
  package var hour: Int?
  /// Milliseconds of the pair's earlier legs, or of the later ones with an arrival.
  var elapsed: UInt32 = 0
  /// The pair's avoidances in addition to the job's, such as "tolls".
  package var avoids: String?
  package var status: RowStatus
  package var found: VerifiedWeight?

  /// Returns the departure or arrival of the pair: at the trip's hour, from its row, or else the job's; nil if there is
  /// none. For a percentile, returns the times of all hours, since the trip may start at any of them.
  func times(in job: Job) -> [TripTime?] {
    guard hour == nil || job.hours.percentiles == nil else { return job.tripTimes }
    let own = hour == nil ? PairTable.RowTime(arrival: arrival, departure: departure) : nil
    return [job.tripTime(of: own, atHour: hour)]
  }

  /// Returns a weight with the length found, since lengths of walks are not recomputed.
  fileprivate func weight(_ milliseconds: UInt32) -> Weight {
    Weight(milliseconds: milliseconds, centimetres: UInt32(found?.centimetres ?? 0))
  }
}

extension ResultsDatabase {
  /// Returns the number of trips, excluding alternates, and a function for the row of each.
  func tripRows() throws -> (count: Int, row: (Int) -> Int) {
    guard record.identity.flag(.alternateRoutes) == true else {
      return (try database.value("SELECT coalesce(max(fid), 0) FROM route"), { $0 + 1 })
    }
    let rows: [Int] = try database.rows("SELECT fid FROM route WHERE alternative = 0 ORDER BY fid") { try $0["fid"] }
    return (rows.count, { rows[$0] })
  }

  /// Returns the trip in row `row`; nil for alternates, and for legs without a time because another leg has no route.
  package func trip(_ row: Int) throws -> TripToVerify? {
    let axis = try rowAxis()
    let hour = axis.position(in: "route")
    let isArrival = record.identity.text(.arrivals) != nil
    let sameTrip =
      "other.pair_id = route.pair_id AND other.alternative = 0"
      + (axis.column.map { " AND other.\($0.rawValue) IS route.\($0.rawValue)" } ?? "")
    let candidates = try database.rows(
      """
      SELECT pair_id, origin.latitude, origin.longitude, destination.latitude AS end_latitude,
        destination.longitude AS end_longitude, departure_date, route.status, expected_travel_time, distance,
        \(hour) AS hour, leg, avoids, arrival_time,
        (SELECT coalesce(sum(round(expected_travel_time * 1000)), 0) FROM route AS other
          WHERE \(sameTrip)
            AND CASE WHEN \(isArrival) OR route.arrival_time NOT NULL THEN other.leg > route.leg
              ELSE other.leg < route.leg END) AS elapsed,
        (SELECT departure_date FROM route AS other WHERE \(sameTrip) AND other.leg = 1) AS first_departure_date
      FROM route JOIN place AS origin ON origin.place_id = origin_id AND origin.role = 'origin'
      JOIN place AS destination ON destination.place_id = destination_id AND destination.role = 'destination'
      WHERE route.fid = ? AND alternative = 0 AND route.reason IS NOT 'no_time'
      """, row
    ) { row -> TripToVerify? in
      let (from, to) = (try row.point(), try row.point("end_latitude", "end_longitude"))
      let hour: Int? = try row["hour"]
      let leg: Int = try row["leg"]
      var trip = TripToVerify(
        item:
          "pair \(try row["pair_id"] as Identifier)\(leg > 1 ? ", leg \(leg)" : "")\(hour.map { ", \(axis.column?.rawValue ?? "") \(axis.numbers[$0 - 1])" } ?? "")",
        ends: [(from, to)], departure: try row["first_departure_date"], status: try row["status"],
        found: VerifiedWeight(seconds: try row["expected_travel_time"], metres: try row["distance"]))
      trip.hour = hour.map { $0 - 1 }
      trip.elapsed = UInt32(clamping: Int(try row["elapsed"] as Double))
      trip.avoids = try row["avoids"]
      trip.arrival = try row["arrival_time"]
      return trip
    }.compactMap(\.self)
    guard var trip = candidates.first else { return nil }
    trip.ends = candidates.flatMap(\.ends)
    return trip
  }
}
