import Geography

/// A share of what is counted, within a threshold.
package struct ReportedShare: Sendable {
  package var threshold: Int
  package var measure: String
  package var value: Double
  package var total: Double
  package var share: Double?
}

/// An origin and its nearest station, as reports show it.
package struct ReportedWalk: Sendable {
  package var origin: NamedPlace
  package var station: NamedPlace?
  package var status: RowStatus
  /// Seconds and metres.
  package var time: Double?
  package var distance: Double?
  package var weight: Double?
}

/// What a station, or a line, serves: by measure and threshold.
package struct ReportedService: Sendable {
  package var name: String
  /// Of a station.
  package var place: NamedPlace?
  /// How many stations a line has.
  package var stations = 1
  package var lines: [String] = []
  package var values: [String: [Int: Double]] = [:]
  /// Of those for which it is the nearest.
  package var nearest: [String: [Int: Double]] = [:]
}

extension ResultsDatabase {
  /// Every origin, and the seconds to its nearest station; nil where it has none.
  package func nearestTimes() throws -> [(point: FixedCoordinate, seconds: Double?)] {
    try database.rows(
      """
      SELECT latitude, longitude, expected_travel_time FROM access_row JOIN place ON place.fid = origin_fid
      WHERE rank <= 1 ORDER BY origin_fid
      """
    ) { (try $0.point(), try $0["expected_travel_time"]) }
  }

  /// The longest walks to a nearest station; or origins without a station, the largest weight first.
  package func walks(missing: Bool, atMost limit: Int) throws -> [ReportedWalk] {
    let condition =
      missing
      ? "rank = 0 ORDER BY coalesce(origin.weight, 0) DESC, origin_fid LIMIT ?"
      : """
      (origin_fid, rank) IN
        (SELECT origin_fid, rank FROM access_row WHERE rank = 1 ORDER BY milliseconds DESC, origin_fid LIMIT ?)
      ORDER BY milliseconds DESC, origin_fid
      """
    return try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("origin")), \(SQLite.Statement.namedPlaceColumns("station")),
        access_row.status, expected_travel_time, distance, origin.weight
      FROM access_row JOIN place AS origin ON origin.fid = origin_fid
      LEFT JOIN place AS station ON station.fid = station_fid WHERE \(condition)
      """, limit
    ) { row in
      try row.namedPlace("origin").map { origin in
        ReportedWalk(
          origin: origin, station: try row.namedPlace("station"), status: try row["status"],
          time: try row["expected_travel_time"], distance: try row["distance"], weight: try row["weight"])
      }
    }.compactMap(\.self)
  }

  package func shares() throws -> [ReportedShare] {
    try database.rows("SELECT threshold, measure, value, total, share FROM access_share ORDER BY threshold, measure") {
      ReportedShare(
        threshold: try $0["threshold"], measure: try $0["measure"], value: try $0["value"], total: try $0["total"],
        share: try $0["share"])
    }
  }

  /// What each station serves, in the order of the input.
  package func stationServices() throws -> [ReportedService] {
    let lines = try database.rows("SELECT station_id, line FROM station_line ORDER BY rowid") {
      (station: try $0["station_id"] as Identifier, line: try $0["line"] as String)
    }
    let linesOfStations = Dictionary(grouping: lines, by: \.station)
    var services: [ReportedService] = []
    _ = try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("station")), threshold, measure, value, nearest_value
      FROM station_service JOIN place AS station
        ON station.place_id = station_service.station_id AND station.role = 'station'
      ORDER BY station_service.rowid
      """
    ) { row in
      guard let place = try row.namedPlace("station") else { return }
      if services.last?.place?.id != place.id {
        services.append(
          ReportedService(
            name: place.label, place: place, lines: linesOfStations[place.id]?.map(\.line) ?? []))
      }
      let (threshold, measure): (Int, String) = (try row["threshold"], try row["measure"])
      services[services.count - 1].values[measure, default: [:]][threshold] = try row["value"]
      services[services.count - 1].nearest[measure, default: [:]][threshold] = try row["nearest_value"]
    }
    return services
  }

  package func lineServices() throws -> [ReportedService] {
    var services: [ReportedService] = []
    _ = try database.rows("SELECT line, stations, threshold, measure, value FROM line_service ORDER BY rowid") { row in
      let line: String = try row["line"]
      if services.last?.name != line { services.append(ReportedService(name: line, stations: try row["stations"])) }
      services[services.count - 1].values[try row["measure"], default: [:]][try row["threshold"]] = try row["value"]
    }
    return services
  }

  /// The share of each measure that has a station within each of some times.
  package func curves() throws -> [String: [(seconds: Int, share: Double)]] {
    let points = try database.rows(
      "SELECT measure, within, share FROM access_curve WHERE share NOT NULL ORDER BY measure, within"
    ) { (measure: try $0["measure"] as String, seconds: try $0["within"] as Int, share: try $0["share"] as Double) }
    return Dictionary(grouping: points, by: \.measure).mapValues { $0.map { ($0.seconds, $0.share) } }
  }

  /// A station of an origin, to be verified: rows of table `place`, and what was found.
  package struct NearestToVerify: Sendable {
    package var station: Int?
    package var entrance: Int?
    package var found: VerifiedWeight?
  }

  /// What the results have of the origin in row `row` of table `place`, the nearest station first.
  package func nearest(_ row: Int) throws -> [NearestToVerify] {
    try database.rows(
      """
      SELECT station_fid, entrance_fid, milliseconds, centimetres FROM access_row WHERE origin_fid = ? ORDER BY rank
      """, row
    ) { row in
      NearestToVerify(
        station: try row["station_fid"], entrance: try row["entrance_fid"],
        found: try (row["milliseconds"] as Int?).map {
          VerifiedWeight(milliseconds: $0, centimetres: try row["centimetres"])
        })
    }
  }
}
