import Tables

/// The tables of a comparison's database.
enum ComparisonTables {
  static let changes = Table<ChangedRow>(
    "change", "row that changed",
    [
      .rowNumber("change_id"),
      .text("item", "the row: a pair, a cell, an origin, an area") { $0.row.item },
      .optionalText("origin_id", "`place_id` of the origin") { $0.row.origin },
      .optionalText("destination_id", "`place_id` of the destination") { $0.row.destination },
      .optionalText("zone", "the pair's group, else the origin") { $0.row.zone ?? $0.row.origin },
      .lineBreak,
      .text("change", "`new`, `gone`, `faster`, `slower`, `smaller`, `larger`, `newly_unreachable`, `newly_reachable`")
      {
        $0.change.rawValue
      },
      .optionalReal("old_value", "seconds; of areas square metres") { $0.row.oldValue },
      .optionalReal("new_value", "likewise") { $0.row.newValue },
      .optionalReal("difference", "new − old") { $0.row.difference },
      .optionalReal("ratio", "difference / old") { $0.row.ratio.flatMap { $0.isFinite ? $0 : nil } },
      .optionalText("old_status", "as in the old results") { $0.row.oldStatus?.rawValue },
      .lineBreak,
      .optionalText("new_status", "as in the new results") { $0.row.newStatus?.rawValue },
      .optionalText("reason", "why, as far as that can be said") { _ in nil },
    ])

  static let counts = Table<(change: Change, rows: Int, all: Int)>(
    "change_count", "kind of change",
    [
      .textKey("change", "as in `change`, and `same`") { $0.change.rawValue },
      .integer("rows", "how many rows") { $0.rows },
      .optionalReal("share", "of all rows") { Double($0.rows) / Double(max(1, $0.all)) },
    ])

  static let quantiles = Table<ComparisonSummary.Quantile>(
    "change_quantile", "quantile of relative changes",
    [
      .textKey("measure", "`mean`, `p05`, `p25`, `median`, `p75`, `p95`, `p99`, `max`") { $0.measure },
      .real("ratio", "(new − old) / old, of rows that both have") { $0.ratio },
    ])

  static let zones = Table<ChangedZone>(
    "change_by_zone", "zone whose rows changed",
    [
      .textKey("zone", "its name") { $0.name },
      .integer("rows", "all rows of it") { $0.tally.rows },
      .integer("new", "only in the new results") { $0.tally.count(.new) },
      .integer("gone", "only in the old results") { $0.tally.count(.gone) },
      .lineBreak,
      .integer("faster", "or smaller") { $0.tally.count(.faster, .smaller) },
      .integer("slower", "or larger") { $0.tally.count(.slower, .larger) },
      .integer("newly_unreachable", "no longer reached") { $0.tally.count(.newlyUnreachable) },
      .lineBreak,
      .integer("newly_reachable", "reached now") { $0.tally.count(.newlyReachable) },
      .optionalReal("old_mean", "of rows that both have") { $0.tally.oldMean },
      .optionalReal("new_mean", "likewise") { $0.tally.newMean },
    ])

  static let places = Table<ComparedPlace>(
    "place", "place of a row that changed, or that is new, gone or has moved",
    [
      .text("place_id", "as in the results") { $0.id },
      .text("role", "`origin`, `destination` or `station`") { $0.role.rawValue },
      .optionalText("name", "its name, where the input has one") { $0.name },
      .real("longitude", "degrees; where it is now, or was") { Double($0.point.longitude) / 1e7 },
      .real("latitude", "degrees") { Double($0.point.latitude) / 1e7 },
      .optionalText("change", "`new`, `gone` or `moved`; NULL for one that is where it was") { $0.change },
    ])

  static let shares = Table<ChangedShare>(
    "change_of_share", "threshold and measure of two studies of access, by hour where they have hours",
    [
      .optionalInteger("departure", "the hour's number") { $0.departure },
      .integer("threshold", "seconds") { $0.threshold },
      .text("measure", "`origins`, or the name of a weight") { $0.measure },
      .real("old_value", "what is reached within the threshold") { $0.old.value },
      .real("new_value", "likewise") { $0.new.value },
      .optionalReal("old_share", "of all") { $0.old.share },
      .optionalReal("new_share", "likewise") { $0.new.share },
    ])

  static var creation: String {
    places.creation(.text) + shares.creation(.text) + BackdropRow.table.creation(.text)
      + JobRecord.table.creation(.text) + counts.creation(.text) + quantiles.creation(.text) + changes.creation(.text)
      + zones.creation(.text)
  }
}

extension TableDescription {
  /// What `odometer compare` writes.
  package static var comparison: [TableDescription] {
    [
      ComparisonTables.counts.description, ComparisonTables.quantiles.description,
      ComparisonTables.changes.description, ComparisonTables.zones.description,
      ComparisonTables.places.description, ComparisonTables.shares.description,
    ]
  }
}

/// A row of table `change`.
struct ChangedRow {
  var row: ComparedRow
  var change: Change
}

/// A row of table `change_by_zone`.
struct ChangedZone {
  var name: String
  var tally: ChangeTally
}
