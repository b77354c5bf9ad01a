import Geography
import Tables

/// A share of a measure within a threshold, with the position of its hour or percentile, from 1; nil in a job without
/// hours.
package typealias ReportedShare = (
  departure: Int?, threshold: Int, measure: String, value: Double, total: Double, share: Double?
)

/// An origin of an access study, for maps: its row in table `place`, the problem with its place, the seconds to its
/// nearest station, and that station's row in table `place`; nil if there is none.
package typealias AccessOrigin = (
  row: Int, place: NamedPlace, point: FixedCoordinate, weight: Double?, status: RowStatus, reason: PlaceReason?,
  nearest: (seconds: Double?, station: Int?)
)

/// The catchment of a station or a line, by measure and threshold: the mean over the hours in a job with hours.
package struct ReportedService: Sendable {
  package var name: String
  /// The station; nil for a line.
  package var place: NamedPlace?
  /// The number of a line's stations.
  package var stations = 1
  package var lines: [String] = []
  package var values: [String: [Int: Double]] = [:]
  /// The part of `values` for which it is the nearest station.
  package var nearest: [String: [Int: Double]] = [:]
}

extension ResultsDatabase {
  /// Returns the nearest station of each origin at an hour or percentile, given by its position from 1, in the order of
  /// `accessOrigins`: the seconds to it, and its row in table `place`; nil if there is none.
  package func nearestTimes(at departure: Int? = nil) throws -> [(seconds: Double?, station: Int?)] {
    try database.rows(
      "SELECT expected_travel_time, station_fid FROM access_row WHERE rank <= 1\(try condition(departure)) "
        + "ORDER BY origin_fid"
    ) { (try $0["expected_travel_time"], try $0["station_fid"]) }
  }

  /// Returns the two stations after the nearest of each of these origins; all are given by their rows.
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

  /// Returns every origin with its nearest station at an hour or percentile, given by its position from 1, or the
  /// reason if it has none.
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

  /// Returns the longest trips from an origin to its nearest station: for each origin, the longest over all hours or
  /// percentiles; ties go to the first. Column `hour` is the position of the hour or percentile, from 1.
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

  /// Returns the origins without a station at some hour, by descending weight, one per origin and status, and their
  /// total number. Column `hours` is the number of hours with that status.
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

  /// Returns the SQL condition of the rows of a table that services sum up, and the number by which sums are divided:
  /// the rows of the middle percentile, or the mean of all hours.
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
