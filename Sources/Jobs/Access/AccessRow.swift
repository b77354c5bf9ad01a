import Geography
import Tables

/// A row of table `access_row`: an origin and one of its nearest stations, or the reason why there is none.
struct AccessRow: Sendable, JournaledFields {
  /// The origin's index.
  var origin = 0
  /// The number of its hour or percentile; nil in a job without hours.
  var departure: Int?
  /// 1 for the nearest; 0 without a station.
  var rank = 0
  var status = RowStatus.ok
  var found: Found?

  struct Found: Sendable, JournaledFields {
    /// The indices of the station and, if separate, of the entrance.
    var station = 0
    var entrance: Int?
    var milliseconds: UInt32 = 0
    /// Nil for trips by transit, since rides have no length.
    var centimetres: UInt32?

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&station, &entrance, &milliseconds, &centimetres)
    }
  }

  static func table(_ axis: [RowAxis.Column]) -> Table<(row: AccessRow, places: AccessPlaces.Rows)> {
    typealias Columns = [Column<(row: AccessRow, places: AccessPlaces.Rows)>]
    let origin: Columns = [.integer("origin_fid", "") { $0.places.ofOrigin($0.row.origin) }]
    let rest: Columns = [
      .integer("rank", "1 for the nearest station; 0 without a station") { $0.row.rank },
      .optionalInteger("station_fid", "") { access in access.row.found.map { access.places.ofStation($0.station) } },
      .optionalInteger("entrance_fid", "") { access in
        access.row.found?.entrance.map { access.places.ofEntrance($0) }
      },
      .lineBreak,
      .optionalInteger("milliseconds", "") { $0.row.found.map { Int($0.milliseconds) } },
      .optionalInteger("centimetres", "") { $0.row.found?.centimetres.map { Int($0) } },
      .text("status", "`ok`, `directions_not_found`, `placemark_not_found`, `outside_coverage` or `beyond_limit`") {
        $0.row.status.rawValue
      },
      .lineBreak,
      .computed("expected_travel_time", .real, "seconds", "milliseconds / 1000.0"),
      .lineBreak,
      .computed("distance", .real, "metres", "centimetres / 100.0"),
    ]
    return Table(
      "access_row", "origin and nearby station", key: ["origin_fid"] + axis.map(\.rawValue) + ["rank"],
      origin + Column.axis(axis) { $0.row.departure } + rest)
  }

  /// - Parameter date: The column of the hours' dates; nil in a job without hours, and for percentiles.
  static func view(_ axis: [RowAxis.Column], date: DepartureRow.DateColumn?) -> View {
    let table = table(axis)
    let hour: [View.Column] =
      date.map { date in
        View.Column.of(table, "departure", qualifier: "access_row")
          + [.init(date.rawValue, .moment, DepartureRow.dateText)]
      } ?? []
    let percentile = axis.contains(.percentile) ? View.Column.of(table, "percentile", qualifier: "access_row") : []
    return View(
      "access",
      "origin and nearby station, and per departure or percentile if the job has several; `rank` is 0 without a station",
      View.Column.of(table, "fid", qualifier: "access_row")
        + [.init("origin_id", .id, "`place_id` of the origin", as: "origin.place_id")]
        + hour + percentile + View.Column.of(table, "rank")
        + [
          .init("station_id", .id, "`place_id` of the station", as: "station.place_id"),
          .lineBreak,
          .init(
            "entrance_id", .id,
            "`place_id` of the entrance used, or of the platform if the station has no entrances; NULL if it has neither",
            as: "entrance.place_id"),
        ] + View.Column.of(table, "expected_travel_time", "distance")
        + View.Column.of(table, "status", qualifier: "access_row")
        + View.Column.of(PlaceRow.table, "geom", qualifier: "origin"),
      from: """
        access_row \(date == nil ? "" : "LEFT JOIN departure USING (departure) ")LEFT JOIN place AS origin ON origin.fid = origin_fid
          LEFT JOIN place AS station ON station.fid = station_fid
          LEFT JOIN place AS entrance ON entrance.fid = entrance_fid
        """)
  }

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&origin, &departure, &rank, &status, &found)
  }
}

extension TextBuffer {
  /// Appends an origin with its weights and its nearest station, at an hour or percentile if the job has any, as a
  /// GeoJSON Feature on one line.
  ///
  /// - Parameter index: The row's index on the axis; nil for a single row.
  mutating func append(_ row: AccessRow, _ axis: RowAxis, at index: Int?, _ places: AccessPlaces) {
    let origin = places.origins[row.origin]
    append("{\"type\":\"Feature\",\"id\":")
    if let index { append(jsonString: "\(origin.id)/\(axis.numbers[index])") } else { append(origin.id) }
    append(",\"properties\":{")
    member("origin_id", origin.id)
    if let index { member(axis, at: index) }
    member("status", row.status.rawValue)
    if let found = row.found {
      let station = places.stations[found.station]
      member("station_id", station.id)
      member("station_name", orNull: station.name)
      if let entrance = found.entrance { member("entrance_id", places.entrances[entrance].id) }
      member("expected_travel_time", decimal: Int64(found.milliseconds), places: 3)
      member("distance", decimal: found.centimetres.map { Int64($0) }, places: 2)
    } else {
      member("station_id", orNull: nil)
    }
    for weight in places.weights where !weight.values[row.origin].isNaN {
      separate()
      append(jsonString: weight.name)
      append(":")
      append(number: weight.values[row.origin])
    }
    endFeature(at: origin.coordinate)
  }

  /// Appends the number of an hour or percentile, and an hour's date, as properties; nothing for a single row.
  mutating func member(_ axis: RowAxis, at index: Int) {
    guard let column = axis.column else { return }
    member(column.rawValue, axis.numbers[index])
    if let date = axis.dateColumn { member(date.rawValue, axis.labels[index]) }
  }

  /// Appends a JSON number; integers have no decimals.
  mutating func append(number: Double) {
    if number == number.rounded() && number.magnitude < 1e15 {
      append(decimal: Int64(number), places: 0)
    } else {
      append(text: "\(number)")
    }
  }
}
