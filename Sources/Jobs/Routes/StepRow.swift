import Geography
import Tables

/// A row of table `step_row`: a step of a route.
struct StepRow: Sendable, JournaledFields {
  var pair = Identifier.number(0)
  /// The number of the leg, as in `RouteRow`.
  var leg: Int?
  var alternative = 0
  /// The hour or percentile, as in `RouteRow`; nil without hours.
  var hour: Int?
  /// The number of the step, from 0.
  var step = 0
  /// The index of the phrase in the chunk; the writer resolves it to an id of table `phrase`.
  var phrase = 0
  var centimetres: Int64 = 0
  var milliseconds: Int64 = 0
  /// Centimetres of ascent and descent; nil without a DEM.
  var ascent: Int64?
  var descent: Int64?
  var start = FixedCoordinate(longitude: 0, latitude: 0)
  /// Whether the database also stores the start as a geometry.
  var hasGeometry = false

  static func table(_ axes: [RowAxis.Column], hasHeights: Bool) -> Table<StepRow> {
    let ids: [Column<StepRow>] = [.rowNumber("fid"), .id("pair_id", "pair's id") { $0.pair }]
    let hour: [Column<StepRow>] = axes.map { .optionalInteger($0.rawValue, "as in `route`") { $0.hour } }
    let climbs: [Column<StepRow>] = [
      .lineBreak,
      .optionalReal("ascent", "metres of ascent; this and the next only in jobs with `elevation`") {
        $0.ascent.map { Units.metres($0) }
      },
      .optionalReal("descent", "metres of descent") { $0.descent.map { Units.metres($0) } },
    ]
    return Table("step_row", "step, as integers", ids + hour + rest + (hasHeights ? climbs : []))
  }

  private static let rest: [Column<StepRow>] = [
    .integer("leg", "as in `route`") { $0.leg ?? 1 },
    .integer("alternative", "as in `route`") { $0.alternative },
    .integer("step", "number of the step, from 0") { $0.step },
    .lineBreak,
    .reference("phrase_id", "id in table `phrase`") { $0.phrase },
    .integer("centimetres", "") { Int($0.centimetres) },
    .integer("milliseconds", "") { Int($0.milliseconds) },
    .lineBreak,
    .integer("latitude_e7", "") { Int($0.start.latitude) },
    .integer("longitude_e7", "") { Int($0.start.longitude) },
    .point("geom") { $0.hasGeometry ? $0.start : nil },
    .lineBreak,
    .computed("distance", .real, "metres", "centimetres / 100.0"),
    .computed("expected_travel_time", .real, "seconds", "milliseconds / 1000.0"),
    .lineBreak,
    .computed("latitude", .real, "degrees; start of the step", "latitude_e7 / 1e7"),
    .computed("longitude", .real, "degrees", "longitude_e7 / 1e7"),
  ]

  /// Returns the view of steps with their phrases. The left join fixes the order of the tables, so that scans follow the
  /// order of the routes.
  static func view(_ axes: [RowAxis.Column], hasHeights: Bool) -> View {
    let table = table(axes, hasHeights: hasHeights)
    let hour = axes.flatMap { View.Column.of(table, $0.rawValue) }
    let columns =
      View.Column.of(table, "fid", "pair_id") + hour + View.Column.of(table, "leg", "alternative", "step")
      + View.Column.of(PhraseRow.table, "instructions", "notice")
      + View.Column.of(table, "distance", "expected_travel_time")
      + (hasHeights ? View.Column.of(table, "ascent", "descent") : []) + [.lineBreak]
      + View.Column.of(PhraseRow.table, "transport_type", "maneuver", "street")
      + View.Column.of(table, "latitude", "longitude", "geom")
    return View(
      "step", "step of a route; none in kind `etas`; also in kind `access` with `routes: true`", columns,
      from: "step_row LEFT JOIN phrase USING (phrase_id)")
  }

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&pair, &leg, &alternative, &hour, &step, &phrase)
    try journal(&centimetres, &milliseconds, &ascent, &descent, &start, &hasGeometry)
  }
}

/// A row of table `phrase`: the text of steps, stored once even if several steps share it.
struct PhraseRow: Sendable, Hashable, JournaledFields {
  var instructions = ""
  var notice: String?
  var transportType = ""
  var maneuver = ""
  var street = ""

  static let table = Table<(id: Int, phrase: PhraseRow)>(
    "phrase", "wording of steps",
    [
      .key("phrase_id", "") { $0.id },
      .text("instructions", "instruction in the job's language") { $0.phrase.instructions },
      .optionalText("notice", "notice about the step") { $0.phrase.notice },
      .text("transport_type", "`automobile`, `cycling`, `walking` (also pushing a bicycle or waiting) or `transit`") {
        $0.phrase.transportType
      },
      .lineBreak,
      .text("maneuver", "`depart`, `turn_left`, `exit_right`, …") { $0.phrase.maneuver },
      .text("street", "street's name or reference, else its type") { $0.phrase.street },
    ])

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&instructions, &notice, &transportType, &maneuver, &street)
  }
}

/// A phrase and its hash, which a worker computes so that the writing thread need not hash the strings.
final class HashedPhrase: Hashable, Sendable {
  let row: PhraseRow
  private let hash: Int

  init(_ row: PhraseRow) { (self.row, hash) = (row, row.hashValue) }

  static func == (one: HashedPhrase, other: HashedPhrase) -> Bool { one.hash == other.hash && one.row == other.row }
  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
