import Geography
import Tables

/// A row of table `isochrone`: the area within a threshold of a place.
struct IsochroneRow: Sendable, JournaledFields {
  var place = Identifier.number(0)
  /// The number of the departure, or the percentile; nil in a job without departures.
  var departure: Int?
  /// The inner threshold in seconds; if it is not 0, the area within it is excluded.
  var fromThreshold = 0
  /// In seconds.
  var threshold = 0
  var status = RowStatus.ok
  var found: Found?

  struct Found: Sendable, JournaledFields {
    var squareMetres = 0.0
    /// The length of streets within the threshold.
    var streetMetres = 0.0
    var shape = GeometryBlob(bytes: [])
    init() {}
    init(_ area: ReachedArea, streetMetres: Double) {
      squareMetres = area.squareMetres.rounded()
      self.streetMetres = streetMetres.rounded()
      shape = GeometryBlob(polygons: area.polygons)
    }

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&squareMetres, &streetMetres, &shape)
    }
  }

  /// - Parameter columns: The columns that distinguish rows of the same place and threshold.
  static func table(_ columns: [RowAxis.Column]) -> Table<IsochroneRow> {
    let ids: [Column<IsochroneRow>] = [.rowNumber("fid"), .id("place_id", "`place_id` of the origin") { $0.place }]
    return Table(
      "isochrone", "place and threshold, and per departure or percentile if the job has several",
      ids + Column.axis(columns) { $0.departure } + rest)
  }

  private static let rest: [Column<IsochroneRow>] = [
    .integer("from_threshold", "seconds; inner threshold of a ring, 0 for a full area") { $0.fromThreshold },
    .lineBreak,
    .integer("threshold", "seconds") { $0.threshold },
    .text("status", "`ok`, `placemark_not_found`, `outside_coverage`, `beyond_limit` or `directions_not_found`") {
      $0.status.rawValue
    },
    .optionalText("reason", "`closed` if the place's street or square is closed at that time") {
      $0.status == .directionsNotFound ? "closed" : nil
    },
    .optionalReal("area", "square metres") { $0.found?.squareMetres },
    .optionalReal("street_length", "metres of streets within the threshold, without ferries and trains") {
      $0.found?.streetMetres
    },
    .geometry("geom", .multiPolygon) { $0.found?.shape },
  ]

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&place, &departure, &fromThreshold, &threshold, &status, &found)
  }
}

extension TextBuffer {
  /// Appends an isochrone as a GeoJSON Feature on one line.
  ///
  /// - Parameter index: The row's index on the axis; 0 for a single row.
  mutating func append(_ row: IsochroneRow, _ axis: RowAxis, at index: Int, _ area: ReachedArea) {
    begin(row, axis, at: index)
    append("},\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":")
    list(area.polygons) { $0.append(lines: $1) }
    append("}}")
  }

  /// Appends the streets within a threshold as a GeoJSON Feature on one line.
  mutating func append(_ row: IsochroneRow, _ axis: RowAxis, at index: Int, streets: [[FixedCoordinate]]) {
    begin(row, axis, at: index)
    append("},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":")
    append(lines: streets)
    append("}}")
  }

  private mutating func begin(_ row: IsochroneRow, _ axis: RowAxis, at index: Int) {
    append("{\"type\":\"Feature\",\"properties\":{")
    member("place_id", row.place)
    member(axis, at: index)
    member("from_threshold", row.fromThreshold)
    member("threshold", row.threshold)
    member("area", decimal: Int64(row.found?.squareMetres ?? 0), places: 0)
    member("street_length", decimal: Int64(row.found?.streetMetres ?? 0), places: 0)
  }

  private mutating func append(lines: [[FixedCoordinate]]) {
    list(lines) { text, line in
      text.append("[")
      text.append(positions: line[...])
      text.append("]")
    }
  }
}
