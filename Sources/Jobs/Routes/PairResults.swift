import Foundation
import Tables

/// The results of kinds whose rows are pairs.
protocol PairResults: KindResults {}

extension JobKind {
  /// Whether its rows are pairs.
  var hasPairs: Bool { results is any PairResults.Type }
}

extension PairResults {
  static var countedRows: String? { "route WHERE alternative = 0" }
  static func inputRows(_ results: ResultsDatabase) throws -> Int {
    try results.database.value("SELECT count(DISTINCT pair_id) FROM main.route")
  }
  static func typicalStatistics(_ results: ResultsDatabase) throws -> [Statistic] {
    let axis = try results.rowAxis()
    let middle = axis.count > 1 ? axis.middle : nil
    return try middle != nil || results.hasLegs ? results.wholePairs(axis, at: middle) : results.statistics()
  }
  static func sentence(_ headline: Headline) throws -> String { try headline.trips() }

  /// Returns the shares of pairs; a pair of several legs is ok if all of them are.
  static func shares(_ results: ResultsDatabase, _ axis: RowAxis, _ atHours: String) throws -> [String] {
    try results.database.rows(
      """
      SELECT count(*) AS count, coalesce(sum(ok), 0) AS ok, coalesce(sum(on_map), 0) AS on_map, total(weight) AS weight,
        total(CASE WHEN ok THEN weight END) AS ok_weight
      FROM (SELECT min(status = 'ok') AS ok, min(coalesce(reason, '') NOT LIKE '%off_map%') AS on_map, max(weight) AS weight
        FROM route WHERE alternative = 0 GROUP BY pair_id\(RowAxis.Column.list(axis.column)))
      """
    ) { row in
      let (count, ok, onMap): (Int, Int, Int) = (try row["count"], try row["ok"], try row["on_map"])
      let (weight, okWeight): (Double, Double) = (try row["weight"], try row["ok_weight"])
      guard onMap > 0 || count == 0 else { return "no row is on the map" }
      return "\(PlaceProblems.percent(Double(ok), of: Double(count))) of all rows\(atHours) are ok"
        + (weight > 0
          ? ", with \(PlaceProblems.percent(okWeight, of: weight)) of \(results.record.figures.text(.weight(of: .pair)) ?? "their weight")"
          : "")
        + (onMap < count ? "; \(PlaceProblems.percent(Double(ok), of: Double(onMap))) of the \(onMap) on the map" : "")
    }
  }
}

extension Headline {
  func trips() throws -> String {
    let travelling = try self.travelling + results.typicalWords
    let typical = try results.typicalStatistics().filter { $0.scope == "job" }
    guard let times = typical.first(where: { $0.measure == .expectedTravelTime }) else {
      return "No trip \(travelling) has a route."
    }
    // In etas by public transport, only trips entirely on foot have distances.
    let lengths = typical.first { $0.measure == .distance }
    let length = lengths.flatMap { $0.count == times.count ? " and \(Format.length($0.quantiles[3]))" : nil } ?? ""
    let (middle, longest) = (Format.duration(times.quantiles[3]), Format.duration(times.quantiles[6]))
    guard times.count > 1 else { return "1 trip \(travelling): \(middle)\(length)." }
    let end = middle == longest ? "" : "; the longest takes \(longest)"
    let isHourly = try results.rowAxis().column == .departure
    let count = try isHourly ? results.answeredPairs : times.count
    return
      "\(Format.count(count, "trip")) \(travelling), typically \(middle)\(length)\(end).\(try slowestHour(pairMeans))"
  }

  /// Returns the mean time at each hour, of the trips that have a route at all hours.
  private func pairMeans() throws -> [(hour: Int, seconds: Double)] {
    let counts = try results.statusCounts()
    guard counts.total <= Headline.maximumRows else { return [] }
    let source = try results.wholeTrips
    let always =
      counts.allSatisfy { $0.status == .ok }
      ? ""
      : "WHERE pair_id IN (SELECT pair_id FROM \(source) GROUP BY pair_id HAVING count(expected_travel_time) = count(*))"
    return try results.database.rows(
      """
      SELECT departure, avg(expected_travel_time) AS mean FROM \(source) \(always)
      GROUP BY departure HAVING mean NOT NULL ORDER BY departure
      """
    ) { (try $0["departure"], try $0["mean"]) }
  }
}

extension ResultsDatabase {
  /// The number of results with waits longer than `LongWait.seconds`, at the middle percentile if there are several.
  package var typicalLongWaits: Int {
    get throws {
      let axis = try rowAxis()
      let all = record.figures.integer(.longWaits) ?? 0
      guard all > 0, axis.count > 1, let middle = axis.middle else { return all }
      return try RouteResults.longWaits(database, where: axis.condition(middle, in: "route"))
    }
  }

  /// Whether any pair has waypoints.
  package var hasLegs: Bool {
    get throws {
      guard kind.hasPairs else { return false }
      if let known = cache.hasLegs { return known }
      let hasLegs = try database.value("SELECT EXISTS (SELECT 1 FROM route WHERE leg > 1)") == 1
      cache.hasLegs = hasLegs
      return hasLegs
    }
  }

  /// The SQL source of whole pairs. Without waypoints this is table `route`, since view `pair_total` would group all
  /// rows.
  var wholeTrips: String {
    get throws { try hasLegs ? "pair_total" : "(SELECT * FROM route WHERE alternative = 0)" }
  }

  /// The number of pairs with a route at any hour.
  var answeredPairs: Int {
    get throws {
      try database.value(
        "SELECT count(DISTINCT pair_id) FROM \(wholeTrips) AS pair WHERE expected_travel_time NOT NULL")
    }
  }

  fileprivate func wholePairs(_ axis: RowAxis, at middle: Int?) throws -> [Statistic] {
    var measures = Measures(scope: "job")
    let pairs = try database.prepare(
      """
      SELECT expected_travel_time, distance FROM \(try wholeTrips) AS pair
      WHERE expected_travel_time NOT NULL AND \(middle.map { axis.condition($0, in: "pair") } ?? "true")
      """)
    while try pairs.next() {
      measures.add(try pairs["expected_travel_time"], to: .expectedTravelTime)
      if let metres: Double = try pairs["distance"] { measures.add(metres, to: .distance) }
    }
    return measures.summarize().map(\.statistic)
  }
}
