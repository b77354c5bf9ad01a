import Tables

/// A row of table `matrix_row`: an origin's cells as JSON arrays, whose bytes must stay valid until the row is written.
struct MatrixRow {
  var origin: Identifier
  /// The number of its hour, or its percentile; nil in a job without either.
  var departure: Int?
  var travelTimes: UnsafeBufferPointer<UInt8>
  var distances: UnsafeBufferPointer<UInt8>?

  /// - Parameter axis: The columns that distinguish the rows of an origin.
  static func table(_ axis: [RowAxis.Column]) -> Table<MatrixRow> {
    let columns: [Column<MatrixRow>] = [
      .borrowedText(
        "travel_times",
        "seconds: a JSON array in the order of the destinations; `null` without a route (or if it takes over 596 hours)"
      ) { $0.travelTimes },
      .borrowedText("distances", "metres: a JSON array in the order of the destinations") { $0.distances },
    ]
    return Table(
      "matrix_row", "origin of a matrix, and per departure or percentile if the job has several",
      [.optionalID("origin_id", "`place_id` of the origin") { $0.origin }]
        + Column.axis(axis) { $0.departure } + columns)
  }

  /// Returns the source of views with one row per cell: the destination at index `key` is the place `key` rows after
  /// the first one. Times and distances are two arrays, which are first joined into objects with named values. This
  /// takes ten times as long, but does not depend on the order in which a database aggregates rows: DuckDB, which also
  /// evaluates these views, may differ from SQLite.
  private static func source(hasDistances: Bool, date: DepartureRow.DateColumn?) -> String {
    let cells =
      hasDistances
      ? """
      json_each((
        SELECT json_group_object(key, json(cell)) FROM (
          SELECT key, json_group_object(name, value) AS cell FROM (
            SELECT key, 'time' AS name, value FROM json_each(matrix_row.travel_times)
            UNION ALL SELECT key, 'distance' AS name, value FROM json_each(matrix_row.distances)) AS measured
          GROUP BY key) AS named)) AS cell
      """ : "json_each(matrix_row.travel_times) AS cell"
    return """
      matrix_row \(date == nil ? "" : "LEFT JOIN departure USING (departure) ")CROSS JOIN \(cells)
        LEFT JOIN place ON place.fid = CAST(cell.key AS INTEGER) +
          (SELECT min(fid) FROM place WHERE role = 'destination')
      """
  }

  /// Returns the view of times only, with the column names of other tools.
  static func od(_ axis: RowAxis, date: DepartureRow.DateColumn?) -> View {
    if case .percentiles(let percentiles) = axis { return od(percentiles) }
    return View.od(
      to: "place.place_id", time: "CAST(cell.value AS DOUBLE)", like: "place.latitude",
      of: source(hasDistances: false, date: date), departure: "departure.departure", date: date)
  }

  /// Returns the view with one row per pair and a column per percentile.
  private static func od(_ percentiles: [Int]) -> View {
    let times = percentiles.map { percentile in
      "max(CASE matrix_row.percentile WHEN \(percentile) THEN CAST(cell.value AS DOUBLE) END) AS p\(percentile)"
    }
    let pairs = """
      (SELECT matrix_row.origin_id AS origin_id, place.place_id AS place_id, \(times.joined(separator: ", "))
        FROM \(source(hasDistances: false, date: nil)) GROUP BY matrix_row.origin_id, place.fid)
      """
    return View.od(
      percentiles, to: "place_id", of: pairs, like: "place.latitude", in: source(hasDistances: false, date: nil))
  }

  /// Returns the view with one row per cell.
  ///
  /// - Parameters:
  ///   - axis: The columns that distinguish the rows of an origin.
  ///   - date: The column of the hours' dates; nil in a job without hours.
  static func view(hasDistances: Bool, _ axis: [RowAxis.Column], date: DepartureRow.DateColumn?) -> View {
    let (time, distance) =
      hasDistances
      ? ("CAST(json_extract(cell.value, '$.time') AS DOUBLE)", "CAST(json_extract(cell.value, '$.distance') AS DOUBLE)")
      : ("CAST(cell.value AS DOUBLE)", "CAST(NULL AS DOUBLE)")
    let percentile: [View.Column] =
      axis.contains(.percentile)
      ? [
        .init(
          "percentile", .integer, "percentile, 0 to 100; replaces `departure` in jobs with percentiles",
          as: "matrix_row.percentile")
      ] : []
    return View(
      "matrix", "cell of a matrix",
      [
        .init("origin_id", .id, "`place_id` of the origin"),
        .init("destination_id", .id, "`place_id` of the destination", as: "place.place_id"),
      ] + View.Column.hour(date, as: "departure.departure") + percentile + [
        .init("expected_travel_time", .real, "seconds; NULL without a route", as: time),
        .init("distance", .real, "metres", as: distance),
      ], from: source(hasDistances: hasDistances, date: date), models: ["real": "place.latitude"])
  }
}

/// The summaries of an origin's row: a row of table `origin_summary`, and its rows of `within`.
package struct OriginSummary: Sendable, JournaledFields {
  var origin = Identifier.number(0)
  /// The number of its hour, or its percentile; nil in a job without either.
  var departure: Int?
  /// The number of destinations with a route, including the origin itself.
  var reachable = 0
  var nearest: Nearest?
  /// Mean seconds over the reachable destinations other than the origin itself.
  var meanTravelTime: Double?
  /// Mean metres over the same destinations.
  var meanDistance: Double?
  /// The waits of the origin's trips; nil if not requested.
  var waiting: Waiting?
  var within: [Within] = []

  struct Nearest: Sendable, JournaledFields {
    var destination = Identifier.number(0)
    var milliseconds: UInt32 = 0
    var centimetres: UInt32?

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&destination, &milliseconds, &centimetres)
    }
  }

  /// The waits of an origin's trips.
  struct Waiting: Sendable, JournaledFields {
    /// The number of destinations with waits longer than `LongWait.seconds`.
    var destinations = 0
    /// Mean seconds over the reachable destinations other than the origin itself; nil if there are none.
    var mean: Double?

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&destinations, &mean)
    }
  }

  /// Destinations within a time.
  struct Within: Sendable, JournaledFields {
    /// In seconds.
    var threshold = 0
    var destinations = 0
    /// The sum of their weights; nil without weights.
    var weight: Double?

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&threshold, &destinations, &weight)
    }
  }

  package init() {}

  static func table(_ axis: [RowAxis.Column]) -> Table<OriginSummary> {
    let columns: [Column<OriginSummary>] = [
      .integer("reachable", "destinations with a route, including the origin itself in a square matrix") {
        $0.reachable
      },
      .optionalID(
        "nearest_id", "`place_id` of the nearest destination by time; never the origin itself (same id and coordinate)"
      ) { $0.nearest?.destination },
      .optionalReal("nearest_travel_time", "seconds to the nearest destination") {
        $0.nearest.map { Units.seconds($0.milliseconds) }
      },
      .optionalReal("nearest_distance", "metres to the nearest destination") {
        $0.nearest?.centimetres.map { Units.metres($0) }
      },
      .lineBreak,
      .optionalReal("mean_travel_time", "seconds; mean over the reachable destinations other than the origin itself") {
        $0.meanTravelTime
      },
      .optionalReal("mean_distance", "metres; mean over the same destinations") { $0.meanDistance },
      .lineBreak,
      .optionalInteger(
        "waiting",
        "number of destinations with over \(LongWait.seconds / 60) minutes of waiting; only with `waiting` in `summary`"
      ) { $0.waiting?.destinations },
      .optionalReal(
        "mean_waiting_time",
        "mean seconds of waiting over the reachable destinations other than the origin itself; "
          + "only with `waiting` in `summary`"
      ) { $0.waiting?.mean },
    ]
    return Table(
      "origin_summary", "origin, and per departure or percentile if the job has several; in jobs with a summary",
      [.optionalID("origin_id", "`place_id` of the origin") { $0.origin }]
        + Column.axis(axis) { $0.departure } + columns)
  }

  static func withinTable(_ axis: [RowAxis.Column]) -> Table<(row: OriginSummary, within: Within)> {
    let columns: [Column<(row: OriginSummary, within: Within)>] = [
      .integer("threshold", "seconds") { $0.within.threshold },
      .integer(
        "destinations", "number of destinations within the threshold, including the origin itself in a square matrix"
      ) { $0.within.destinations },
      .optionalReal("weight", "sum of the destinations' weights") { $0.within.weight },
    ]
    return Table(
      "within", "origin and threshold of a summary",
      [.optionalID("origin_id", "`place_id` of the origin") { $0.row.origin }]
        + Column.axis(axis) { $0.row.departure } + columns)
  }

  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&origin, &departure, &reachable, &nearest, &meanTravelTime, &meanDistance)
    try journal(&waiting, &within)
  }
}
