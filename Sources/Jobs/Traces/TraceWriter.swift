import Geography
import StreetNetwork
import Tables

/// Writes the results of kind `traces`, chunk by chunk in input order. At the end, writes the streets that traces used,
/// and their speeds.
///
/// Belongs to one thread.
package final class TraceWriter: ChunkWriter {
  private let store: ResultsStore
  private let network: StreetNetwork
  private let geoJSON: GzipFile
  private let fixes: GzipFile?
  private let speeds: GzipFile
  private let insertTrace: Insert<TraceRow>
  private let insertFix: Insert<FixRow>
  private let insertPart: Insert<TracePartRow>
  private let insertStreet: Insert<TraceStreetRow>
  private let insertStop: Insert<StopRow>
  private let setDistribution: Insert<(name: String, histogram: LogHistogram)>
  private var snapDistances: LogHistogram
  private var traceCount: Int

  /// Where fixes are written.
  package enum Fixes: String, Sendable, CaseIterable { case table, csv, none }

  init(_ store: ResultsStore, fixes: Fixes, _ network: StreetNetwork) throws {
    (self.store, self.network) = (store, network)
    let folder = store.folder
    geoJSON = try store.openGeoJSON(folder.traces)
    self.fixes = fixes == .csv ? try store.openCSV(folder.fixes, columns: FixRow.csvColumns) : nil
    speeds = try store.openCSV(folder.observedSpeeds, columns: ObservedSpeedWriter.columns)
    insertTrace = try Insert(into: TraceRow.table, of: store.database)
    insertFix = try Insert(into: FixRow.table, of: store.database)
    insertPart = try Insert(into: TracePartRow.table, of: store.database)
    insertStreet = try Insert(into: TraceStreetRow.table, of: store.database)
    insertStop = try Insert(into: StopRow.table, of: store.database)
    setDistribution = try Insert(into: Distributions.table, of: store.database, isReplacing: true)
    snapDistances =
      try Distributions.read(from: store.database)[Statistic.Measure.snapDistance.rawValue] ?? LogHistogram()
    traceCount = try store.database.value("SELECT coalesce(max(fid), 0) FROM trace")
  }

  /// Traces that were matched together. Fixes and streets refer to their trace by its index in `traces`.
  package struct Chunk: RowChunk, JournaledFields {
    /// The number of fixes.
    var rows = 0
    var traces: [TraceRow] = []
    var parts: [TracePartRow] = []
    var stops: [StopRow] = []
    var streets: [TraceStreetRow] = []
    /// The fixes as table rows; with CSV output, `fixText` has them as lines instead.
    var fixes: [FixRow] = []
    var fixText: DeflatedBlock?
    var features = DeflatedBlock()
    /// The snap distances of matched fixes of `ok` traces, in centimetres.
    var snapDistances = LogHistogram()
    package init() {}

    package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&rows, &traces, &parts, &stops, &streets, &fixes)
      try journal(&fixText, &features, &snapDistances)
    }
  }

  var encode: @Sendable (Chunk) -> AppendChunk<TraceWriter> {
    { chunk in
      let traces = RowValues(of: TraceRow.table, chunk.traces)
      let parts = RowValues(of: TracePartRow.table, chunk.parts)
      let stops = RowValues(of: StopRow.table, chunk.stops)
      let streets = RowValues(of: TraceStreetRow.table, chunk.streets)
      let fixes = RowValues(of: FixRow.table, chunk.fixes)
      return { [features = chunk.features, fixText = chunk.fixText, distances = chunk.snapDistances] writer in
        try writer.geoJSON.append(features)
        if let fixText { try writer.fixes?.append(fixText) }
        try writer.insertTrace(traces)
        try writer.insertPart(parts)
        try writer.insertStop(stops)
        let first = writer.traceCount + 1
        try writer.insertStreet(streets, resolving: { first + $0 })
        try writer.insertFix(fixes, resolving: { first + $0 })
        writer.snapDistances.add(distances)
        writer.traceCount += traces.count
      }
    }
  }

  func writeState() throws { try setDistribution((Statistic.Measure.snapDistance.rawValue, snapDistances)) }

  func seal(_ job: JobRecord, _: ServiceSums?) throws {
    let database = store.database
    try store.seal(indices: TraceResults.indices, layers: TraceResults.layers, job: job) {
      try ObservedSpeedWriter(database, network, speeds).write()
      try database.execute(TraceResults.traceIndex)
      try TraceStatistics.write(to: database)
      try Distributions.drop(from: database)
      return [snapDistances.measures(.snapDistance, scale: 100)].compactMap(\.self)
    }
  }
}

extension FixRow {
  /// The columns of `fixes.csv.gz`: view `fix` as text.
  static let csvColumns =
    "trace_id,n,date,latitude,longitude,accuracy,kept,reason,part,street_fid,is_reversed,offset,snap_distance,"
    + "matched_latitude,matched_longitude,along"
}

extension TextBuffer {
  /// Appends a fix as a line of `fixes.csv.gz`. `trace` is the id of the trace as a CSV field.
  mutating func append(_ row: FixRow, trace: String, secondsFromGMT: Int) {
    append(text: trace)
    append(",")
    append(integer: row.n)
    append(",")
    if let milliseconds = row.milliseconds {
      append(Moment(milliseconds: milliseconds, secondsFromGMT: secondsFromGMT))
    }
    append(field: row.point?.latitude, places: 7)
    append(field: row.point?.longitude, places: 7)
    append(field: row.accuracyCentimetres, places: 2)
    append(text: row.isKept ? ",1," : ",0,")
    if let reason = row.reason { append(text: reason) }
    let place = row.place
    append(field: place?.part, places: 0)
    append(field: place?.street.fid, places: 0)
    append(field: place.map { $0.street.isReversed ? 1 : 0 }, places: 0)
    append(field: place?.offset, places: 2)
    append(field: place?.snapDistance, places: 2)
    append(field: place?.point.latitude, places: 7)
    append(field: place?.point.longitude, places: 7)
    append(field: place?.along, places: 2)
    append("\n")
  }

  /// Appends a comma, and a number if there is one.
  private mutating func append(field number: (some BinaryInteger)?, places: Int) {
    append(",")
    if let number { append(decimal: Int64(number), places: places) }
  }
}

/// Statistics of traces for the job, each group, and each hour in which traces or stops begin. The database sorts the
/// values, so that only those of one scope are in memory.
enum TraceStatistics {
  /// The measures, with the SQL of their values and rows.
  private static let sources: [(measure: Statistic.Measure, value: String, rows: String)] = [
    (.distance, "distance", okTraces), (.expectedTravelTime, "expected_travel_time", okTraces),
    (.speed, "distance / nullif(moving_time, 0)", okTraces), (.detour, "detour", okTraces),
    (.timeRatio, "time_ratio", okTraces), (.sigma, "CASE WHEN part_count > 0 THEN sigma END", okTraces),
    (.dwellTime, "seconds", stops),
  ]

  /// Doubtful traces are excluded, since their times are wrong.
  private static let okTraces = "(SELECT * FROM trace WHERE status = 'ok')"

  /// Stops with the groups of their traces and their own hours, from a time such as "2013-07-01T08:00:58+01:00".
  private static let stops = """
    (SELECT seconds, trace_group, CAST(substr(stop.arrival_date, 12, 2) AS INTEGER) AS hour
      FROM stop JOIN trace USING (trace_id) WHERE trace.status = 'ok')
    """

  static func write(to database: SQLite) throws {
    let insertStatistic = try Insert(into: Statistic.table, of: database)
    let insertBin = try Insert(into: HistogramRow.table, of: database)
    func write(_ measures: Measures) throws {
      for (statistic, histogram) in measures.summarize() {
        try insertStatistic(statistic)
        for row in histogram?.rows ?? [] { try insertBin(row) }
      }
    }
    for (measure, value, rows) in sources {
      let values = try database.prepare(
        """
        SELECT scope, value FROM (
          SELECT 'job' AS scope, \(value) AS value FROM \(rows)
          UNION ALL SELECT 'group:' || trace_group, \(value) FROM \(rows)
          UNION ALL SELECT printf('hour:%02d', hour), \(value) FROM \(rows) WHERE hour NOT NULL)
        WHERE scope NOT NULL AND value NOT NULL ORDER BY scope, value
        """)
      var measures: Measures?
      while try values.next() {
        let scope: String = try values["scope"]
        if let completed = measures, completed.scope != scope {
          try write(completed)
          measures = nil
        }
        measures = measures ?? Measures(scope: scope)
        measures?.add(try values["value"], to: measure)
      }
      if let measures { try write(measures) }
    }
  }
}
