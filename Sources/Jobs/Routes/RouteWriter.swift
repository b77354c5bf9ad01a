import Geography
import StreetNetwork
import Tables

/// A writer for the results of kinds `routes` and `etas`: rows and compressed GeoJSON, chunk by chunk in the order of
/// the input.
///
/// Belongs to one thread.
package final class RouteWriter: ChunkWriter {
  private let store: ResultsStore
  private let content: Content
  private let geoJSON: GzipFile?
  private let insertRoute: Insert<RouteRow>
  private let insertStep: Insert<StepRow>
  /// The insertion into table `ride`; nil if there are no rides.
  private let insertRide: Insert<RideRow>?
  private let insertPhrase: Insert<(id: Int, phrase: PhraseRow)>
  private var phrases = Interner<HashedPhrase>()
  /// The selection of routes that keep their lines; nil if all do, or none has a line.
  private var selection: DrawnSelection?
  private var lastRow: Int
  private var totals = RouteTotals()
  private let (routeTable, stepTable): (Table<RouteRow>, Table<StepRow>)
  private let rideTable: Table<RideRow>
  /// The network; nil if trips are not counted on its streets.
  private let network: StreetNetwork?
  private let workers: Int
  private let insertFlow: Insert<(chunk: Int, bytes: [UInt8])>?

  /// The output in addition to times and distances.
  struct Content: Sendable {
    /// Whether there are steps and GeoJSON.
    var hasSteps: Bool
    /// Whether the database has the geometries of all routes and steps, instead of only those that pages draw.
    var hasShapes: Bool
    /// The hours or percentiles of a pair's rows.
    var axis: RowAxis
    /// Whether trips have a departure or arrival, from the job or from their rows.
    var hasTimes: Bool
    /// Whether routes have ascents and descents.
    var hasHeights: Bool
    /// Whether trips are by public transport.
    var hasRides = false
    /// Whether trips are counted on each street.
    var hasFlows = false
    /// Pairs that pages always draw.
    var named: [Identifier] = []

    var hasRideRows: Bool { hasRides && hasSteps }

    var table: Table<RouteRow> {
      RouteRow.table(axis.columns, hasTimes: hasTimes, hasHeights: hasHeights, hasRides: hasRides)
    }
  }

  init(_ store: ResultsStore, _ content: Content, counting network: StreetNetwork? = nil, workers: Int = 1) throws {
    self.store = store
    self.content = content
    (self.network, self.workers) = (network, workers)
    insertFlow = content.hasFlows ? try Insert(into: FlowSums.table, of: store.database) : nil
    geoJSON = content.hasSteps ? try store.openGeoJSON(store.folder.routes) : nil
    routeTable = content.table
    stepTable = StepRow.table(content.axis.columns, hasHeights: content.hasHeights)
    insertRoute = try Insert(into: routeTable, of: store.database)
    rideTable = RideRow.table(content.axis.columns)
    insertStep = try Insert(into: stepTable, of: store.database)
    insertRide = try content.hasRideRows ? Insert(into: rideTable, of: store.database) : nil
    insertPhrase = try Insert(into: PhraseRow.table, of: store.database)
    for phrase in try RouteResults.phrases(store.database) { _ = phrases.index(of: HashedPhrase(phrase)) }
    if content.hasSteps && !content.hasShapes { selection = DrawnSelection(named: content.named) }
    try selection?.offerRows(of: store.database)
    lastRow = try store.database.value("SELECT coalesce(max(fid), 0) FROM route")
    if store.isResumed { try totals.addRows(of: store.database) }
  }

  /// Rows that were computed together, the phrases of their steps and, if any, their GeoJSON features, separated by
  /// commas and line ends.
  package struct Chunk: RowChunk, JournaledFields {
    /// The number of input rows; a row may have several hours, and alternates.
    var rows = 0
    var routes: [Answer] = []
    var phrases: [PhraseRow] = []
    var features: DeflatedBlock?
    /// The trips on each street, if they are counted.
    var flows: FlowSums?
    package init() {}

    package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&rows, &routes, &phrases, &features, &flows)
      try journal.check(routes.allSatisfy { $0.steps.allSatisfy { phrases.indices.contains($0.phrase) } })
    }
  }

  /// A row with its steps and rides.
  struct Answer: Sendable, JournaledFields {
    var row = RouteRow()
    var steps: [StepRow] = []
    var rides: [RideRow] = []

    mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
      try journal(&row, &steps, &rides)
    }
  }

  var encode: @Sendable (Chunk) -> AppendChunk<RouteWriter> {
    { [routeTable, stepTable, rideTable, selectsLines = selection != nil] chunk in
      let (routes, steps, rides) = (RowValues(of: routeTable), RowValues(of: stepTable), RowValues(of: rideTable))
      for answer in chunk.routes {
        routes.append(answer.row)
        for step in answer.steps { steps.append(step) }
        for ride in answer.rides { rides.append(ride) }
      }
      let (phrases, totals) = (chunk.phrases.map(HashedPhrase.init), RouteTotals(chunk.routes))
      let offered = selectsLines ? chunk.routes.map(\.row) : []
      return { [features = chunk.features, flows = chunk.flows?.bytes] writer in
        if let features { try writer.geoJSON?.append(features) }
        let keepsLine = writer.offer(offered)
        try writer.insertRoute(routes, keeps: { keepsLine.isEmpty || keepsLine[$0] })
        writer.lastRow += routes.count
        let ids = try phrases.map(writer.id)
        try writer.insertStep(steps, resolving: { ids[$0] })
        try writer.insertRide?(rides)
        if let flows { try writer.insertFlow?((writer.store.chunks, flows)) }
        writer.totals.add(totals)
      }
    }
  }

  /// Returns, for each route, whether it may be selected for pages; alternates follow the best route of their pair.
  private func offer(_ routes: [RouteRow]) -> [Bool] {
    var isCandidate = false
    return routes.enumerated().map { index, row in
      if row.alternative == 0 {
        isCandidate =
          row.found.map {
            selection?.offer(
              lastRow + index + 1, of: row.pair, milliseconds: $0.milliseconds, centimetres: $0.centimetres,
              straightCentimetres: row.straightLineCentimetres) ?? true
          } ?? false
      }
      return isCandidate
    }
  }

  /// Removes the lines of routes that are not in the final selection.
  private func removeLines() throws {
    guard let chosen = selection.map({ Set($0.rows) }) else { return }
    let lines: [(row: Int, isBest: Bool)] = try store.database.rows(
      "SELECT fid, alternative FROM route WHERE geom NOT NULL ORDER BY fid"
    ) { (try $0["fid"], try $0["alternative"] as Int == 0) }
    let remove = try store.database.prepare(
      "UPDATE route SET geom = NULL\(content.hasHeights ? ", heights = NULL" : "") WHERE fid = ?")
    var isKept = true
    for (row, isBest) in lines {
      if isBest { isKept = chosen.contains(row) }
      guard !isKept else { continue }
      try remove.execute(row)
    }
  }

  /// Returns the phrase's id in the database; phrases are numbered from 1 in order of appearance.
  private func id(of phrase: HashedPhrase) throws -> Int {
    let count = phrases.count
    let index = phrases.index(of: phrase)
    if index == count { try insertPhrase((index + 1, phrase.row)) }
    return index + 1
  }

  func seal(_ job: JobRecord, _: ServiceSums?) throws {
    var job = job
    // These spare the headline from counting the table's rows.
    for (status, count) in totals.counts { job.figures.set(.count(status, in: .routes), count) }
    if content.hasTimes { job.figures.set(.longWaits, try RouteResults.longWaits(store.database)) }
    try store.seal(indices: RouteResults.indices(content), layers: layers, job: job, measures)
  }

  var layers: [GeoPackage.Layer] {
    (content.hasSteps ? [RouteResults.routeLayer] : [])
      + (content.hasShapes ? [RouteResults.stepLayer(extent: totals.extent)] : [])
      + (content.hasRideRows ? [RideRow.layer] : [])
      + (content.hasFlows ? [FlowRow.layer] : [])
  }

  /// Removes the lines of routes that pages do not draw, writes table `flow` if requested, and returns the measures.
  func measures() throws -> [Measures] {
    try removeLines()
    if let network { try FlowSums.finish(in: store.database, network, workers: workers) }
    return totals.measures
  }
}

/// The selection of the routes that pages draw, from rows offered in the order of table `route`: all if there are at
/// most `maximumCount`, else the slowest routes, the routes with the largest detours, a random sample, and the routes
/// named by the job. Deterministic for equal rows.
struct DrawnSelection {
  private static let (maximumCount, maximumWorst) = (300, 100)
  /// The minimum straight line that detours are relative to, in centimetres.
  private static let minimumStraightLine: Int64 = 5000

  private let named: Set<Identifier>
  private var namedRows: [Int] = []
  private var longest = SmallestRows<Int64>(DrawnSelection.maximumWorst / 2)
  private var greatestDetours = SmallestRows<Double>(DrawnSelection.maximumWorst / 2)
  private var randomSample = SmallestRows<UInt64>(DrawnSelection.maximumCount)
  private var count = 0

  /// - Parameter named: The pairs of key `reportRoutes`.
  init(named: [Identifier]) { self.named = Set(named.map(\.asText)) }

  /// Offers a best route, with times in milliseconds and lengths in centimetres. *Returns* whether it may be in the
  /// final selection.
  mutating func offer(
    _ row: Int, of pair: Identifier, milliseconds: Int64, centimetres: Int64, straightCentimetres: Int64
  ) -> Bool {
    count += 1
    let isNamed = !named.isEmpty && named.contains(pair.asText)
    if isNamed { namedRows.append(row) }
    let detour = Double(centimetres) / Double(max(straightCentimetres, DrawnSelection.minimumStraightLine))
    var random = SeededGenerator(seed: UInt64(row))
    // No short-circuiting: each selection must see every row.
    let isChosen = [
      longest.offer(-milliseconds, row), greatestDetours.offer(-detour, row),
      randomSample.offer(random.next(), row), isNamed,
    ]
    return isChosen.contains(true)
  }

  /// The selected rows, ascending.
  var rows: [Int] {
    var chosen: Set<Int> = count > DrawnSelection.maximumCount ? Set(longest.rows + greatestDetours.rows) : []
    for row in randomSample.rows where chosen.count < DrawnSelection.maximumCount { chosen.insert(row) }
    return chosen.union(namedRows).sorted()
  }
}

extension DrawnSelection {
  /// Offers the best routes of table `route`.
  mutating func offerRows(of database: SQLite) throws {
    let rows = try database.prepare(
      """
      SELECT fid, pair_id, CAST(round(expected_travel_time * 1000) AS INTEGER) AS milliseconds,
        CAST(round(distance * 100) AS INTEGER) AS centimetres, CAST(round(crow_fly_distance * 100) AS INTEGER) AS straight
      FROM route WHERE alternative = 0 AND status = 'ok' ORDER BY fid
      """)
    while try rows.next() {
      _ = offer(
        try rows["fid"], of: try rows["pair_id"], milliseconds: Int64(try rows["milliseconds"] as Int),
        centimetres: Int64(try rows["centimetres"] as Int), straightCentimetres: Int64(try rows["straight"] as Int))
    }
  }
}

extension ResultsDatabase {
  /// Returns the rows of the best routes drawn on pages with their lines and steps.
  package func drawnRows() throws -> [Int] {
    var selection = DrawnSelection(named: record.identity.list(.reportRoutes).map(Identifier.init))
    try selection.offerRows(of: database)
    return selection.rows
  }
}

/// Totals over all routes and their steps. Workers compute them per chunk: a second pass over the rows, which only resumed
/// runs make, costs more than everything else at the end of a job.
struct RouteTotals: Sendable {
  /// The bounding box of the starts of steps that have a geometry.
  private(set) var extent = BoundingBox.empty
  /// The measures of the best routes, by scope; alternates would count a pair several times.
  private var scopes = ["job": Measures(scope: "job")]
  /// The number of rows by status, excluding alternates.
  private(set) var counts: [RowStatus: Int] = [:]

  init() {}

  init(_ answers: [RouteWriter.Answer]) {
    for answer in answers {
      for step in answer.steps where step.hasGeometry { extent.extend(to: step.start) }
      guard answer.row.alternative == 0 else { continue }
      counts[answer.row.status, default: 0] += 1
      guard let found = answer.row.found else { continue }
      add(
        metres: found.hasLength ? Units.metres(found.centimetres) : nil, seconds: Units.seconds(found.milliseconds),
        straight: Units.metres(answer.row.straightLineCentimetres), steps: found.route?.stepCount,
        lengths: answer.steps.map { Units.metres($0.centimetres) }, of: answer.row.group)
    }
    for scope in scopes.keys { scopes[scope]?.condense() }
  }

  private mutating func add(
    metres: Double?, seconds: Double, straight: Double, steps: Int?, lengths: [Double], of group: String?
  ) {
    func add(to measures: inout Measures) {
      measures.add(seconds, to: .expectedTravelTime)
      if let metres {
        measures.add(metres, to: .distance)
        if seconds > 0 { measures.add(metres / seconds, to: .speed) }
        if straight > 0 { measures.add(metres / straight, to: .detour) }
      }
      if let steps { measures.add(Double(steps), to: .stepCount) }
      for length in lengths { measures.add(length, to: .stepLength) }
    }
    for scope in Measures.scopes(of: group) { add(to: &scopes[scope, default: Measures(scope: scope)]) }
  }

  mutating func add(_ other: RouteTotals) {
    extent.formUnion(other.extent)
    counts.merge(other.counts, uniquingKeysWith: +)
    for (scope, measures) in other.scopes { scopes[scope, default: Measures(scope: scope)].add(measures) }
  }

  /// Adds the totals of an earlier run.
  mutating func addRows(of database: SQLite) throws {
    let routes = try database.prepare(
      """
      SELECT pair_group, distance, expected_travel_time, crow_fly_distance, step_count FROM route
      WHERE alternative = 0 AND status = 'ok' ORDER BY fid
      """)
    let steps = try database.prepare("SELECT centimetres FROM step_row WHERE alternative = 0 ORDER BY fid")
    while try routes.next() {
      let count: Int? = try routes["step_count"]
      var lengths: [Double] = []
      while lengths.count < count ?? 0, try steps.next() { lengths.append(Units.metres(try steps.value(at: 0) as Int)) }
      add(
        metres: try routes["distance"] as Double?, seconds: try routes["expected_travel_time"],
        straight: try routes["crow_fly_distance"], steps: count, lengths: lengths, of: try routes["pair_group"])
    }
    for count in try ResultsDatabase(of: database).statusCounts() { counts[count.status] = count.count }
    extent.formUnion(try GeoPackage.extent(of: "step_row", in: database))
  }

  var measures: [Measures] { scopes.values.sorted { $0.scope < $1.scope } }
}
