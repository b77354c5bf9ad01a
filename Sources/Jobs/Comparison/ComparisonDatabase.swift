import Geography
import Tables

/// A reader of a comparison's database.
package struct ComparisonDatabase {
  let database: SQLite
  package let facts: ComparisonFacts

  /// *Throws*: `ResultsError`.
  package init(path: String) throws {
    database = try SQLite(path: path, .reading)
    facts = try ComparisonFacts(database)
  }

  package func counts() throws -> [(change: Change, rows: Int, share: Double)] {
    try database.rows("SELECT change, rows, share FROM change_count ORDER BY rows DESC, change") {
      (try $0["change"], try $0["rows"], try $0["share"])
    }
  }

  package func quantiles() throws -> [ComparisonSummary.Quantile] {
    try database.rows("SELECT measure, ratio FROM change_quantile ORDER BY fid") {
      (try $0["measure"], try $0["ratio"])
    }
  }

  package func reasons() throws -> [(change: Change, reason: String, rows: Int)] {
    try database.rows(
      "SELECT change, reason, count(*) AS rows FROM change GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
    ) { (try $0["change"], try $0["reason"] ?? "", try $0["rows"]) }
  }

  /// Returns the basemap.
  package func backdrop() throws -> [BackdropRow] { try database.backdrop() }

  package func places() throws -> [ComparedPlace] {
    try database.rows("SELECT place_id, role, name, longitude, latitude, change FROM place ORDER BY fid") { row in
      ComparedPlace(
        id: try row["place_id"], role: try row["role"], name: try row["name"], point: try row.point(),
        change: try row["change"])
    }
  }

  /// Returns the origins in table `change`, with their changes.
  package func origins() throws -> [ChangedOrigin] {
    var origins: [ChangedOrigin] = []
    let rows = try database.prepare(
      """
      SELECT origin_id, change, count(*) AS count, total(difference) AS sum,
        total(iif(difference NOT NULL, old_value, NULL)) AS old, count(difference) AS both
      FROM change
      WHERE origin_id NOT NULL GROUP BY origin_id, change ORDER BY origin_id, change
      """)
    var (sum, old, both) = (0.0, 0.0, 0)
    while try rows.next() {
      let id: String = try rows["origin_id"]
      if origins.last?.id != id {
        origins.append(ChangedOrigin(id: id, counts: [:]))
        (sum, old, both) = (0, 0, 0)
      }
      origins[origins.count - 1].counts[try rows["change"]] = try rows["count"]
      sum += try rows["sum"]
      old += try rows["old"]
      both += try rows["both"] as Int
      guard both > 0 else { continue }
      let last = origins.count - 1
      (origins[last].difference, origins[last].old) = (sum / Double(both), old / Double(both))
    }
    return origins
  }

  package func shares() throws -> [ChangedShare] {
    try database.rows("SELECT * FROM change_of_share ORDER BY fid") { row in
      (
        try row["departure"], try row["percentile"], try row["threshold"], try row["measure"],
        (try row["old_value"], try row["old_share"]), (try row["new_value"], try row["new_share"])
      )
    }
  }

  /// A row of table `change`, with its `change_id`.
  package typealias Row = (
    id: Int, item: String, origin: String?, destination: String?, change: Change, old: Double?, new: Double?,
    ratio: Double?, reason: String?
  )

  /// Returns the largest changes: newly unreachable rows first, then by relative change.
  package func greatest(atMost limit: Int) throws -> [Row] {
    try database.rows(
      """
      SELECT change_id, item, origin_id, destination_id, change, old_value, new_value, ratio, reason FROM change
      \(ComparisonTables.greatestFirst) LIMIT ?
      """, limit
    ) { row in
      (
        try row["change_id"], try row["item"], try row["origin_id"], try row["destination_id"], try row["change"],
        try row["old_value"], try row["new_value"], try row["ratio"], try row["reason"]
      )
    }
  }

  /// Returns the zones with the most changes, as rows of table `change_by_zone`.
  package func zones<Row>(atMost limit: Int, _ decode: (SQLite.Statement) throws -> Row) throws -> [Row] {
    try database.rows(
      "SELECT * FROM change_by_zone ORDER BY newly_unreachable DESC, slower + faster DESC, zone LIMIT ?", limit,
      decode: decode)
  }
}

/// The tables of a comparison's database.
enum ComparisonTables {
  static let changes = Table<(row: ComparedRow, change: Change)>(
    "change", "row that changed",
    [
      .rowNumber("change_id"),
      .text("item", "pair, cell, origin or area of the row") { $0.row.item },
      .optionalText("origin_id", "`place_id` of the origin") { $0.row.origin },
      .optionalText("destination_id", "`place_id` of the destination") { $0.row.destination },
      .optionalText("zone", "group of the pair, else the origin") { $0.row.zone ?? $0.row.origin },
      .lineBreak,
      .text("change", "`new`, `gone`, `faster`, `slower`, `smaller`, `larger`, `newly_unreachable`, `newly_reachable`")
      {
        $0.change.rawValue
      },
      .optionalReal("old_value", "value in the old results: seconds, or square metres of areas") { $0.row.oldValue },
      .optionalReal("new_value", "value in the new results") { $0.row.newValue },
      .optionalReal("difference", "new − old") { $0.row.difference },
      .optionalReal("ratio", "difference / old") { $0.row.ratio.flatMap { $0.isFinite ? $0 : nil } },
      .optionalText("old_status", "status in the old results") { $0.row.oldStatus?.rawValue },
      .lineBreak,
      .optionalText("new_status", "status in the new results") { $0.row.newStatus?.rawValue },
      .optional("reason", .text, "reason, if known"),
    ])

  static let counts = Table<(change: Change, rows: Int, all: Int)>(
    "change_count", "kind of change",
    [
      .textKey("change", "as in `change`, and `same`") { $0.change.rawValue },
      .integer("rows", "number of rows") { $0.rows },
      .optionalReal("share", "share of all rows") { Double($0.rows) / Double(max(1, $0.all)) },
    ])

  static let quantiles = Table<ComparisonSummary.Quantile>(
    "change_quantile", "quantile of relative changes",
    [
      .textKey("measure", "`mean`, `p05`, `p25`, `median`, `p75`, `p95`, `p99`, `max`") { $0.measure },
      .real("ratio", "(new − old) / old of rows in both results, at most 19; `p05` to `p99` rounded to 0.01 %") {
        $0.ratio
      },
    ])

  static let zones = Table<(name: String, tally: ChangeTally)>(
    "change_by_zone", "zone whose rows changed",
    [
      .textKey("zone", "name of the zone") { $0.name },
      .integer("rows", "number of rows") { $0.tally.rows },
      .integer("new", "rows only in the new results") { $0.tally.count(.new) },
      .integer("gone", "rows only in the old results") { $0.tally.count(.gone) },
      .lineBreak,
      .integer("faster", "faster or smaller rows") { $0.tally.count(.faster, .smaller) },
      .integer("slower", "slower or larger rows") { $0.tally.count(.slower, .larger) },
      .integer("newly_unreachable", "rows reachable only in the old results") { $0.tally.count(.newlyUnreachable) },
      .lineBreak,
      .integer("newly_reachable", "rows reachable only in the new results") { $0.tally.count(.newlyReachable) },
      .optionalReal("old_mean", "mean old value of rows in both results") { $0.tally.oldMean },
      .optionalReal("new_mean", "mean new value of the same rows") { $0.tally.newMean },
    ])

  static let places = Table<Void>(
    "place", "place of a changed row, or new, gone or moved place",
    [
      .required("place_id", .text, "as in the results"),
      .required("role", .text, "`origin`, `destination` or `station`"),
      .optional("name", .text, "name, if the input has one"),
      .required("longitude", .real, "degrees; new position, or the old one if it is gone"),
      .required("latitude", .real, "degrees"),
      .optional("change", .text, "`new`, `gone` or `moved`; NULL if unchanged"),
    ])

  static let shares = Table<Void>(
    "change_of_share",
    "threshold and measure of two access studies, or of two matrices with sums of weights (means over origins)",
    [
      .optional("departure", .integer, "number of the departure or arrival time, from 1"),
      .optional("percentile", .integer, "0 to 100, in studies with percentiles"),
      .required("threshold", .integer, "seconds"),
      .required("measure", .text, "`origins`, or the name of a weight"),
      .required("old_value", .real, "amount within the threshold in the old results"),
      .required("new_value", .real, "amount within the threshold in the new results"),
      .optional("old_share", .real, "`old_value` / total"),
      .optional("new_share", .real, "`new_value` / total"),
    ])

  /// The order of the largest changes: newly unreachable rows first, then by relative change.
  static let greatestFirst = "ORDER BY change <> 'newly_unreachable', ratio IS NULL, abs(ratio) DESC, change_id"

  static var creation: String {
    places.creation(.text) + shares.creation(.text) + BackdropRow.table.creation(.text)
      + JobRecord.table.creation(.text) + counts.creation(.text) + quantiles.creation(.text) + changes.creation(.text)
      + zones.creation(.text) + streets.creation(.text) + routes.creation(.text)
  }
}

extension TableDescription {
  /// The output of `odometer compare`.
  package static var comparison: [TableDescription] {
    [
      ComparisonTables.counts.description, ComparisonTables.quantiles.description,
      ComparisonTables.changes.description, ComparisonTables.zones.description,
      ComparisonTables.places.description, ComparisonTables.shares.description,
      ComparisonTables.streets.description, ComparisonTables.routes.description,
    ]
  }
}

/// The summary of a comparison.
package struct ComparisonSummary: Sendable {
  package var rows: Int
  package var counts: [Change: Int]
  /// Whether both runs have the same rows with identical values.
  package var areEqual: Bool
  /// The mean and quantiles of relative changes.
  package var quantiles: [Quantile]

  /// A measure, such as "mean" or "p95", and its relative change.
  package typealias Quantile = (measure: String, ratio: Double)
}

extension ComparisonSummary: CustomStringConvertible {
  /// For example "480 rows: 470 same, 10 slower" or "480 rows: all equal".
  package var description: String {
    guard !areEqual else { return "\(rows.counted("row")): all equal" }
    let parts = Change.allCases.compactMap { change in counts[change].map { "\($0) \(change.rawValue)" } }
    return "\(rows.counted("row")): \(parts.joined(separator: ", "))"
  }
}

/// A place with changed rows, or a new, gone or moved place: a row of a comparison's table `place`.
package struct ComparedPlace: Sendable {
  package var id: String
  package var role: PlaceRole
  package var name: String?
  package var point: FixedCoordinate
  /// `new`, `gone` or `moved`; nil for an unchanged place.
  package var change: String?

  package var label: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? id }
}

/// The change of an origin, from its changed rows.
package struct ChangedOrigin: Sendable {
  package var id: String
  /// The number of rows per change.
  package var counts: [Change: Int]
  /// The mean difference of rows in both runs, in seconds or square metres; nil if there are none.
  package var difference: Double?
  /// The mean of the same rows in the old run.
  package var old: Double?
}

/// A row of table `change_of_share`: the amount and share of a measure within a threshold in seconds, in both runs.
/// `departure` is the number of the departure or arrival time, from 1; nil unless the jobs have several.
package typealias ChangedShare = (
  departure: Int?, percentile: Int?, threshold: Int, measure: String, old: (value: Double, share: Double?),
  new: (value: Double, share: Double?)
)

/// Additional data for a comparison's page, so that the page needs only the comparison's database.
extension Comparison {
  /// Writes the places of changed rows, the shares of two access studies or matrices, and the basemap of the new run.
  func writeMap(to database: SQLite) throws {
    try database.execute(
      """
      CREATE TEMP TABLE named AS SELECT origin_id AS id FROM change UNION SELECT destination_id FROM change;
      CREATE INDEX temp.named_by_id ON named (id);
      """)
    try database.execute(hasOld ? Comparison.placesOfBoth : Comparison.placesOfNew)
    if try hasTable("backdrop", in: "new", database) {
      try database.execute("INSERT INTO backdrop SELECT * FROM new.backdrop")
    }
    if try hasOld && hasTable("access_share", in: "new", database) { try writeShares(to: database) }
    if try hasOld && hasTable("within", in: "old", database) && hasTable("within", in: "new", database) {
      try writeReachedShares(to: database)
    }
  }

  private static let placesOfNew = """
    INSERT INTO place (place_id, role, name, longitude, latitude)
      SELECT CAST(place_id AS TEXT), role, min(name), longitude, latitude FROM new.place
      WHERE CAST(place_id AS TEXT) IN (SELECT id FROM temp.named) AND longitude NOT NULL
      GROUP BY role, place_id ORDER BY min(fid)
    """

  /// Requires table `temp.was`.
  private static let placesOfBoth = """
    CREATE TEMP TABLE became AS SELECT CAST(place_id AS TEXT) AS id, role, min(name) AS name, longitude, latitude
      FROM new.place GROUP BY role, place_id ORDER BY min(fid);
    CREATE INDEX temp.became_by_id ON became (id, role);
    INSERT INTO place (place_id, role, name, longitude, latitude, change)
      SELECT id, role, name, longitude, latitude, change FROM (
        SELECT became.*, CASE WHEN was.id IS NULL THEN 'new'
          WHEN abs(became.latitude - was.latitude) > 1e-7 OR abs(became.longitude - was.longitude) > 1e-7 THEN 'moved'
          END AS change
        FROM temp.became LEFT JOIN temp.was USING (id, role))
      WHERE longitude NOT NULL AND (change NOT NULL OR id IN (SELECT id FROM temp.named));
    INSERT INTO place (place_id, role, name, longitude, latitude, change)
      SELECT was.id, was.role, was.name, was.longitude, was.latitude, 'gone'
      FROM temp.was LEFT JOIN temp.became USING (id, role) WHERE became.id IS NULL AND was.longitude NOT NULL;
    """

  /// Writes the shares of both studies, by hour or percentile if they have any.
  private func writeShares(to database: SQLite) throws {
    let column = axis.column?.rawValue
    try database.execute(
      """
      INSERT INTO change_of_share (\(column ?? "departure"), threshold, measure, old_value, new_value, old_share, new_share)
        SELECT \(column.map { "new.\($0)" } ?? "NULL"), new.threshold, new.measure, old.value, new.value, old.share, new.share
        FROM new.access_share AS new JOIN old.access_share AS old
          ON old.threshold = new.threshold AND old.measure = new.measure\(column.map { " AND old.\($0) = new.\($0)" } ?? "")
        ORDER BY new.fid
      """)
  }

  /// Writes the mean reach of origins, for two matrices with sums of weights within the same times.
  private func writeReachedShares(to database: SQLite) throws {
    let column = axis.column?.rawValue
    try database.execute(
      """
      INSERT INTO change_of_share (\(column ?? "departure"), threshold, measure, old_value, new_value, old_share, new_share)
        SELECT \(column.map { "new.\($0)" } ?? "NULL"), new.threshold, measure, avg(old.weight), avg(new.weight),
          avg(old.weight) / total, avg(new.weight) / total
        FROM new.within AS new JOIN old.within AS old
          ON old.origin_id = new.origin_id AND CAST(old.origin_id AS TEXT) = CAST(new.origin_id AS TEXT)
          AND old.threshold = new.threshold\(column.map { " AND old.\($0) = new.\($0)" } ?? "")
        JOIN (SELECT value AS measure FROM new.job WHERE key = 'destination_weight')
        JOIN (SELECT nullif(total(weight), 0) AS total FROM new.place
          WHERE role = 'destination' AND status <> 'outside_coverage')
        WHERE new.weight NOT NULL AND old.weight NOT NULL AND new.origin_id NOT IN
          (SELECT place_id FROM new.place WHERE role = 'origin' AND status = 'outside_coverage')
        GROUP BY 1, new.threshold ORDER BY min(new.fid)
      """)
  }

  private func hasTable(_ name: String, in run: String, _ database: SQLite) throws -> Bool {
    try database.value("SELECT count(*) FROM \(run).sqlite_master WHERE name = ?", name) > 0
  }
}

extension ComparisonDatabase {
  /// The changes in one sentence: "Within 10 min: 37 % of people instead of 53 % (−16 points)."
  package var headline: String {
    get throws {
      let counts = try counts()
      let changed = counts.filter { $0.change != .same }
      let rows = counts.reduce(0) { $0 + $1.rows }
      guard !changed.isEmpty else {
        return facts.reasons == ComparisonFacts.otherProgram
          ? "Nothing differs from \(facts.reasons)."
          : "Nothing changed\(facts.difference.map { ", though \($0)" } ?? "")."
      }
      if let share = try changeOfShare { return share }
      let kinds = changed.prefix(3).map { "\(Format.count($0.rows)) \($0.change.rawValue.replacing("_", with: " "))" }
      let number = changed.reduce(0) { $0 + $1.rows }
      let rest = changed.count > 3 ? " and others" : ""
      return "\(Format.count(number)) of \(Format.count(rows, facts.kind.noun)) changed: "
        + "\(kinds.joined(separator: ", "))\(rest)\(try typicalDifference(of: number))."
    }
  }

  /// Returns ", typically by 2 min", the median change; empty if table `change` lacks changed rows, or has no values.
  private func typicalDifference(of changed: Int) throws -> String {
    guard try database.value("SELECT count(*) FROM change") == changed else { return "" }
    // The mean of the middle two, as in the statistics of a run.
    let median: Double? = try database.value(
      """
      WITH sizes AS (SELECT abs(difference) AS size FROM change WHERE difference NOT NULL),
        total AS (SELECT count(*) AS rows FROM sizes)
      SELECT avg(size) FROM (SELECT size FROM sizes ORDER BY size
        LIMIT (SELECT 2 - rows % 2 FROM total) OFFSET (SELECT max(0, rows - 1) / 2 FROM total))
      """)
    let text = facts.comparesAreas ? Format.area : Format.duration
    return median.map { "\(changed == 1 ? "," : ", typically") by \(text($0))" } ?? ""
  }

  /// The change of the first weight's share at the middle threshold, and at the middle percentile; nil without shares.
  private var changeOfShare: String? {
    get throws {
      let shares = try shares().filter { $0.old.share != nil && $0.new.share != nil }
      let thresholds = Set(shares.map(\.threshold)).sorted()
      let middle = RowAxis.middle(of: Array(Set(shares.compactMap(\.percentile))))
      guard !thresholds.isEmpty, case let threshold = thresholds[thresholds.count / 2],
        case let candidates = shares.filter({ $0.threshold == threshold && $0.percentile == middle }),
        let share = candidates.first(where: { $0.measure != AccessPlaces.originsMeasure }) ?? candidates.first,
        let old = share.old.share, let new = share.new.share
      else { return nil }
      let points = Format.decimal((new - old) * 100, 1)
      let isSame = points == "0.0"
      let before = Format.percent(old) == Format.percent(new) ? "" : " instead of \(Format.percent(old))"
      let change = isSame ? ", as before" : "\(before) (\(new > old ? "+" : "")\(points) points)"
      let percentile = share.percentile.map { $0 == 50 ? ", at the median" : ", at percentile \($0)" }
      let row = share.departure.map { ", at departure \($0)" } ?? percentile ?? ""
      return
        "Within \(Format.minutes(Double(threshold))) min\(row): \(Format.percent(new)) of \(facts.unit(of: share.measure))\(change)."
    }
  }
}
