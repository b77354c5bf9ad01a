import Geography
import Tables

/// A writer for the results of kind `isochrones`, chunk by chunk in the order of the places. Belongs to one thread.
package final class IsochroneWriter: ChunkWriter {
  private let store: ResultsStore
  private let geoJSON: GzipFile
  private let streets: GzipFile?
  private let table: Table<IsochroneRow>
  private let insert: Insert<IsochroneRow>
  private let insertGrid: Insert<TravelTimeGridRow>

  /// - Parameters:
  ///   - hasStreets: Whether reached streets are also written.
  ///   - axis: The hours or percentiles of each place and threshold.
  package init(_ store: ResultsStore, hasStreets: Bool, _ axis: RowAxis) throws {
    self.store = store
    geoJSON = try store.openGeoJSON(store.folder.isochrones)
    streets = hasStreets ? try store.openGeoJSON(store.folder.reachedStreets) : nil
    table = IsochroneRow.table(axis.columns)
    insert = try Insert(into: table, of: store.database)
    insertGrid = try Insert(into: TravelTimeGridRow.table(axis.columns), of: store.database)
  }

  /// Places that were computed together.
  package struct Chunk: RowChunk, JournaledFields {
    /// The number of places.
    var rows = 0
    var areas: [IsochroneRow] = []
    var features = DeflatedBlock()
    /// The reached streets, if requested.
    var streets: DeflatedBlock?
    var grids: [TravelTimeGridRow] = []
    package init() {}

    package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&rows, &areas, &features, &streets, &grids)
    }
  }

  var encode: @Sendable (Chunk) -> AppendChunk<IsochroneWriter> {
    { [table] chunk in
      let areas = RowValues(of: table, chunk.areas)
      return { [features = chunk.features, streets = chunk.streets, grids = chunk.grids] writer in
        try writer.geoJSON.append(features)
        if let streets { try writer.streets?.append(streets) }
        try writer.insert(areas)
        for grid in grids { try writer.insertGrid(grid) }
      }
    }
  }

  func seal(_ job: JobRecord, _: ServiceSums?) throws {
    try store.seal(indices: IsochroneResults.indices, layers: [IsochroneResults.layer], job: job) {
      try IsochroneResults.measures(store.database)
    }
  }
}

extension ResultsFolder {
  package var isochrones: String { file("isochrones.geojson.gz") }
  var reachedStreets: String { file("reached-streets.geojson.gz") }
}

/// The results of kind `isochrones`.
enum IsochroneResults: KindResults {
  static let tables =
    [
      IsochroneRow.table([.departure, .percentile]).description,
      TravelTimeGridRow.table([.departure, .percentile]).description,
    ] + TransitTask.tables
  static func files(in folder: ResultsFolder) -> [String] { [folder.isochrones, folder.reachedStreets] }
  static let layer = GeoPackage.Layer(
    table: "isochrone", geometry: .multiPolygon, description: "Areas reached within each time")
  static let indices = "CREATE INDEX isochrone_by_place ON isochrone (place_id, threshold);"

  /// Returns the statistics of the areas of each threshold.
  static func measures(_ database: SQLite, where condition: String = "true") throws -> [Measures] {
    var measures: [Int: Measures] = [:]
    for (threshold, area) in try database.rows(
      "SELECT threshold, area FROM isochrone WHERE area NOT NULL AND \(condition) ORDER BY fid",
      decode: { (try $0["threshold"] as Int, try $0["area"] as Double) })
    {
      measures[threshold, default: Measures(scope: "threshold:\(threshold)")].add(area, to: .area)
    }
    return measures.sorted { $0.key < $1.key }.map(\.value)
  }

  static let noun = "area"
  static let namedPlaces = (role: PlaceRole.origin, noun: "places")
  static let countedRows: String? = "isochrone WHERE true"
  static func sentence(_ headline: Headline) throws -> String { try headline.isochrones() }
  static func typicalStatistics(_ results: ResultsDatabase) throws -> [Statistic] {
    let axis = try results.rowAxis()
    guard axis.count > 1, let middle = axis.middle else { return try results.statistics() }
    return try measures(results.database, where: axis.condition(middle, in: "isochrone"))
      .flatMap { $0.summarize() }.map(\.statistic)
  }
  /// Returns the typical area within the middle threshold, as in the headline.
  static func figure(_ results: ResultsDatabase) throws -> RunHistory.Figure {
    let threshold = results.record.middleThreshold
    let area = try results.typical(.area, scope: threshold.map { "threshold:\($0)" } ?? "job")?.quantiles
    let reach = threshold.map { " " + results.record.reach($0) } ?? ""
    return (area?[3], area?[5], "typical area\(reach)", .squareMetres, "\(threshold ?? 0)")
  }
  static func shares(_ results: ResultsDatabase, _ axis: RowAxis, _ atHours: String) throws -> [String] {
    try PlaceProblems.rowShares(
      "areas\(atHours)", results,
      onMap: results.database.value(
        "SELECT count(*) FROM isochrone WHERE place_id NOT IN (SELECT place_id FROM place WHERE reason = 'off_map')"))
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    [
      .chunks,
      SumCheck(
        "areas of all places",
        """
        SELECT 'areas' AS item, (SELECT count(*) FROM isochrone) AS found, (SELECT count(*) FROM place WHERE role = 'origin')
          * (SELECT count(DISTINCT threshold) FROM isochrone) * \(max(1, try database.rowAxis().count)) AS expected
          WHERE found <> expected
        """),
    ]
  }

  static let comparison = RowComparison(family: .isochrones, comparesAreas: true) { run, number in
    """
    SELECT CAST(place_id AS TEXT) AS id, threshold || '.' || row_number() OVER (
      PARTITION BY place_id, threshold ORDER BY \(number), fid) AS occurrence, place_id || ', ' || threshold || ' s' AS item,
      CAST(place_id AS TEXT) AS origin, NULL AS destination, NULL AS zone, status, area AS value, fid AS position,
      \(number) AS number FROM \(run).isochrone
    """
  }
}
