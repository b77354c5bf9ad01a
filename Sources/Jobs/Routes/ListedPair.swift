import Geography
import Hierarchy
import Tables

/// A leg of a pair in a page's list, at an hour in a job with hours.
package struct ListedPair: Sendable {
  /// Its row in table `route`.
  package var row: Int
  package var id: Identifier
  package var leg: Int
  /// Its departure or arrival in a job with hours, or "percentile 50"; nil in other jobs.
  package var departure: String?
  /// The position of its hour or percentile on the job's axis, from 1; nil without one, and for a pair with its own
  /// time.
  package var hour: Int?
  package var origin: NamedPlace
  package var destination: NamedPlace
  package var status: RowStatus
  package var reason: String?
  /// In seconds.
  package var time: Double?
  /// In metres.
  package var distance: Double?
  /// The ratio of the distance to the straight line.
  package var detour: Double?
  package var steps: Int?
}

extension ResultsDatabase {
  /// Returns the pairs listed by a survey, in order, and the given rows. If there are too many pairs, the worst make up
  /// half of the list, and an even sample of the others makes up the rest. Each thread reads a part of the list.
  package func listedPairs(of survey: RouteSurvey, with rows: [Int] = [], workers: Int = 1) throws -> [ListedPair] {
    let parts = survey.listedRows(with: rows, in: workers)
    guard parts.count > 1 else { return try parts.flatMap { try listedPairs(where: "route.fid IN (\($0))") } }
    return try inParallel(parts, workers: workers) { [path, ends = try endColumns()] rows in
      Result { try ResultsDatabase(path: path).listedPairs(where: "route.fid IN (\(rows))", ends: ends) }
    }.flatMap { try $0.get() }
  }

  /// Returns the rows of one pair: its legs, at each hour. Empty if there is no such pair.
  package func listedPairs(of id: Identifier) throws -> [ListedPair] {
    try listedPairs(where: "CAST(route.pair_id AS TEXT) = ? AND alternative = 0", "\(id)")
  }

  /// Returns the first pairs in an order. Their `departure` is never an arrival, even in jobs with arrivals.
  package func trips(_ order: RouteSurvey.Order, of survey: RouteSurvey) throws -> [ListedPair] {
    let sorting =
      switch order {
      case .longest: "route.expected_travel_time DESC, "
      case .greatestDetour: "route.distance / crow_fly_distance DESC, "
      case .missing: ""
      }
    return try listedPairs(
      where: "route.fid IN (SELECT value FROM json_each('\(survey.rows(order))'))", order: sorting,
      hour: "departure_date")
  }

  /// Returns the text for a row's hour on pages, in SQL: a date, or "percentile 50"; NULL in a job without hours.
  func hourText(_ date: String) throws -> String {
    switch try rowAxis() {
    case .single: "NULL"
    case .departures: date
    case .percentiles: "'percentile ' || route.percentile"
    }
  }

  /// Returns the columns of both ends for `namedPlace`. If the input has no ids of ends, so that all ids are row
  /// numbers, an end without a name gets its street's name.
  private func endColumns() throws -> String {
    let hasIDs = try database.value("SELECT EXISTS (SELECT 1 FROM place WHERE place_id IS NOT fid)") == 1
    return ["origin", "destination"].map { end in
      let columns = SQLite.Statement.namedPlaceColumns(end)
      return hasIDs
        ? columns : columns.replacing("\(end).name AS", with: "coalesce(nullif(\(end).name, ''), \(end).street) AS")
    }.joined(separator: ", ")
  }

  /// - Parameter ends: The columns of both ends, if they are known.
  private func listedPairs(
    where condition: String, _ id: String? = nil, order: String = "",
    hour: String = "coalesce(departure_date, expected_arrival_date)", ends: String? = nil
  ) throws -> [ListedPair] {
    let (date, axis) = (try hourText(hour), try rowAxis())
    let rows = try database.prepare(
      """
      SELECT route.fid AS fid, pair_id, leg, \(date) AS date, \(axis.position(in: "route")) AS hour, route.status,
        route.reason, expected_travel_time, distance, distance / nullif(crow_fly_distance, 0) AS detour, step_count,
        \(try ends ?? endColumns())
      FROM route JOIN place AS origin ON origin.place_id = origin_id
      JOIN place AS destination ON destination.place_id = destination_id
      WHERE origin.role = 'origin' AND destination.role <> 'origin' AND \(condition)
      GROUP BY route.fid ORDER BY \(order)route.fid
      """)
    if let id { rows.bind(id) }
    var pairs: [ListedPair] = []
    while try rows.next() {
      guard let origin = try rows.namedPlace("origin"), let destination = try rows.namedPlace("destination") else {
        continue
      }
      pairs.append(
        ListedPair(
          row: try rows["fid"], id: try rows["pair_id"], leg: try rows["leg"], departure: try rows["date"],
          hour: try rows["hour"], origin: origin, destination: destination, status: try rows["status"],
          reason: try rows["reason"], time: try rows["expected_travel_time"], distance: try rows["distance"],
          detour: try rows["detour"], steps: try rows["step_count"]))
    }
    return pairs
  }
}
