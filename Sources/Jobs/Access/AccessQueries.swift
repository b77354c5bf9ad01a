import Geography
import Tables

/// The amount of a measure within a threshold in seconds, and its share of the total. `departure` is the position of the
/// hour or percentile, from 1; nil in a job without hours.
package typealias ReportedShare = (
  departure: Int?, threshold: Int, measure: String, value: Double, total: Double, share: Double?
)

/// An origin of an access study, for maps. `row` and `nearest.station` are rows of table `place`, and `reason` is the
/// problem with the place. The seconds and the station are nil if no station was found.
package typealias AccessOrigin = (
  row: Int, place: NamedPlace, point: FixedCoordinate, weight: Double?, status: RowStatus, reason: PlaceReason?,
  nearest: (seconds: Double?, station: Int?)
)

/// The catchment of a station or a line: in a job with hours, the mean over the hours, or the value at the middle
/// percentile.
package struct ReportedService: Sendable {
  package var name: String
  /// The station; nil for a line.
  package var place: NamedPlace?
  /// The number of a line's stations.
  package var stations = 1
  package var lines: [String] = []
  /// The amounts by measure, then by threshold in seconds.
  package var values: [String: [Int: Double]] = [:]
  /// The part of `values` for which the station is the nearest; empty for a line.
  package var nearest: [String: [Int: Double]] = [:]
}

extension ResultsDatabase {
  /// Returns the seconds to each origin's nearest station and the station's row in table `place`, in the order of
  /// `accessOrigins`; nil without a station.
  ///
  /// - Parameter departure: The position of an hour or percentile, from 1; nil in a job without hours.
  package func nearestTimes(at departure: Int? = nil) throws -> [(seconds: Double?, station: Int?)] {
    try database.rows(
      "SELECT expected_travel_time, station_fid FROM access_row WHERE rank <= 1\(try condition(departure)) "
        + "ORDER BY origin_fid"
    ) { (try $0["expected_travel_time"], try $0["station_fid"]) }
  }

  /// Returns the second and third nearest stations of origins. Both are given by their rows in table `place`.
  package func nextStations(
    of origins: [Int], at departure: Int? = nil
  ) throws -> [Int: [(seconds: Double, row: Int)]] {
    let rows: [(origin: Int, seconds: Double, row: Int)] = try database.rows(
      """
      SELECT origin_fid, expected_travel_time, station_fid FROM access_row
      WHERE origin_fid IN (SELECT value FROM json_each('\(origins)')) AND rank IN (2, 3)\(try condition(departure))
      ORDER BY origin_fid, rank
      """
    ) { (try $0["origin_fid"], try $0["expected_travel_time"], try $0["station_fid"]) }
    return Dictionary(grouping: rows, by: \.origin).mapValues { $0.map { ($0.seconds, $0.row) } }
  }

  /// Returns every origin with its nearest station.
  ///
  /// - Parameter departure: The position of an hour or percentile, from 1; nil in a job without hours.
  package func accessOrigins(at departure: Int? = nil) throws -> [AccessOrigin] {
    let condition = try condition(departure)
    return try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("origin")), origin.weight, origin.reason,
        access_row.status AS row_status, origin_fid, expected_travel_time, station_fid
      FROM access_row JOIN place AS origin ON origin.fid = origin_fid WHERE rank <= 1\(condition) ORDER BY origin_fid
      """
    ) { row in
      guard let place = try row.namedPlace("origin"), let point = place.point else { return nil as AccessOrigin? }
      return (
        try row["origin_fid"], place, point, try row["weight"], try row["row_status"], try row["reason"],
        (try row["expected_travel_time"], try row["station_fid"])
      )
    }.compactMap(\.self)
  }

  /// Returns an SQL condition for the rows of table `access_row` at the position of an hour or percentile; for all rows
  /// if nil.
  private func condition(_ position: Int?) throws -> String {
    try position.map { " AND \(try rowAxis().condition($0, in: "access_row"))" } ?? ""
  }

  /// Returns the longest trips between origins and their nearest stations, one per origin: the longest over all hours or
  /// percentiles, the first one on ties. Column `hour` is the position of the hour or percentile, from 1.
  package func longestTrips<Row>(atMost limit: Int, _ decode: (SQLite.Statement) throws -> Row) throws -> [Row] {
    let hour = try rowAxis().position(in: "access_row")
    return try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("origin")), \(SQLite.Statement.namedPlaceColumns("station")),
        expected_travel_time, distance, origin.weight, \(hour) AS hour
      FROM access_row JOIN place AS origin ON origin.fid = origin_fid
      JOIN place AS station ON station.fid = station_fid
      WHERE access_row.fid IN (SELECT fid FROM (
        SELECT fid, max(milliseconds * 100000 - coalesce(\(hour), 0)) AS longest FROM access_row WHERE rank = 1
        GROUP BY origin_fid ORDER BY longest DESC, fid LIMIT ?))
      ORDER BY milliseconds DESC, access_row.fid
      """, limit, decode: decode)
  }

  /// Returns the origins without a station at some hour, in descending order of weight, one row per origin and status,
  /// and the total number of such rows. Column `hours` is the number of hours with that status.
  package func unservedOrigins<Row>(
    atMost limit: Int, _ decode: (SQLite.Statement) throws -> Row
  ) throws -> (origins: [Row], count: Int) {
    let origins = try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("origin")), access_row.status, count(*) AS hours, origin.weight, origin.reason
      FROM access_row JOIN place AS origin ON origin.fid = origin_fid WHERE rank = 0
      GROUP BY origin_fid, access_row.status
      ORDER BY coalesce(origin.weight, 0) DESC, min(access_row.fid) LIMIT ?
      """, limit, decode: decode)
    return (
      origins,
      try database.value("SELECT count(*) FROM (SELECT DISTINCT origin_fid, status FROM access_row WHERE rank = 0)")
    )
  }

  package func shares() throws -> [ReportedShare] {
    try database.rows(
      """
      SELECT \(try rowAxis().position(in: "access_share")) AS hour, threshold, measure, value, total, share FROM access_share
      ORDER BY threshold, measure, hour
      """
    ) {
      (try $0["hour"], try $0["threshold"], try $0["measure"], try $0["value"], try $0["total"], try $0["share"])
    }
  }

  /// Returns the catchments of stations, in the order of the input.
  package func stationServices() throws -> [ReportedService] {
    let lines = try database.rows("SELECT station_id, line FROM station_line ORDER BY rowid") {
      (station: try $0["station_id"] as Identifier, line: try $0["line"] as String)
    }
    let linesOfStations = Dictionary(grouping: lines, by: \.station)
    let (condition, hours) = try typicalServices(in: "station_service")
    var services: [ReportedService] = []
    _ = try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("station")), threshold, measure, value, nearest_value
      FROM station_service JOIN place AS station
        ON station.place_id = station_service.station_id AND station.role = 'station'
      WHERE \(condition) ORDER BY station_service.rowid
      """
    ) { row in
      guard let place = try row.namedPlace("station") else { return }
      if services.last?.place?.id != place.id {
        services.append(
          ReportedService(name: place.label, place: place, lines: linesOfStations[place.id]?.map(\.line) ?? []))
      }
      let (threshold, measure): (Int, String) = (try row["threshold"], try row["measure"])
      let last = services.count - 1
      services[last].values[measure, default: [:]][threshold, default: 0] += try row["value"] / hours
      services[last].nearest[measure, default: [:]][threshold, default: 0] += try row["nearest_value"] / hours
    }
    return services
  }

  package func lineServices() throws -> [ReportedService] {
    let (condition, hours) = try typicalServices(in: "line_service")
    var services: [ReportedService] = []
    _ = try database.rows(
      "SELECT line, stations, threshold, measure, value FROM line_service WHERE \(condition) ORDER BY rowid"
    ) { row in
      let line: String = try row["line"]
      if services.last?.name != line { services.append(ReportedService(name: line, stations: try row["stations"])) }
      let (threshold, measure): (Int, String) = (try row["threshold"], try row["measure"])
      let last = services.count - 1
      services[last].values[measure, default: [:]][threshold, default: 0] += try row["value"] / hours
    }
    return services
  }

  /// Returns an SQL condition for the rows of a table to sum, and the divisor of the sums: the middle percentile alone,
  /// or the mean over all hours.
  private func typicalServices(in table: String) throws -> (condition: String, hours: Double) {
    let axis = try rowAxis()
    return axis.middle.map { (axis.condition($0, in: table), 1) } ?? ("1", Double(max(1, axis.count)))
  }

  /// Returns, for each measure, the share that reaches a station within each time of the curve.
  ///
  /// - Parameter position: The position of an hour or percentile, from 1; nil in a job without hours.
  package func curves(at position: Int? = nil) throws -> [String: [(seconds: Int, share: Double)]] {
    let condition = try position.map { " AND \(try rowAxis().condition($0, in: "access_curve"))" } ?? ""
    let points = try database.rows(
      "SELECT measure, within, share FROM access_curve WHERE share NOT NULL\(condition) ORDER BY measure, within"
    ) { (measure: try $0["measure"] as String, seconds: try $0["within"] as Int, share: try $0["share"] as Double) }
    return Dictionary(grouping: points, by: \.measure).mapValues { $0.map { ($0.seconds, $0.share) } }
  }

  /// A station found for an origin, for verification: its rows in table `place`, and the result.
  typealias NearestToVerify = (station: Int?, entrance: Int?, found: VerifiedWeight?)

  /// Returns the results of the origin in row `row` of table `place`, nearest station first.
  ///
  /// - Parameter departure: The position of an hour or percentile, from 1; nil in a job without hours.
  func nearest(_ row: Int, at departure: Int? = nil) throws -> [NearestToVerify] {
    let condition = try condition(departure)
    return try database.rows(
      """
      SELECT station_fid, entrance_fid, milliseconds, centimetres FROM access_row WHERE origin_fid = ?\(condition)
      ORDER BY rank
      """, row
    ) { row in
      let found = try (row["milliseconds"] as Int?).map {
        VerifiedWeight(milliseconds: $0, centimetres: try row["centimetres"])
      }
      return (try row["station_fid"], try row["entrance_fid"], found)
    }
  }
}
