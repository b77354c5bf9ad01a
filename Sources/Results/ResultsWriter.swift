import Foundation
import Geography

/// Writes a job's results: rows and compressed GeoJSON, chunk after chunk in the order of the input.
///
///     let writer = try ResultsWriter(folder, hasRoutes: true, job: facts)
///     try writer.write(places)
///     try writer.write(chunk)                            // as often as there are chunks
///     try writer.finish(job: facts)
///
/// One transaction a chunk: its rows, and in `chunk` the end of the GeoJSON behind it. Belongs to one thread.
package final class ResultsWriter {
  private let folder: ResultsFolder
  private let database: SQLite
  private var geoJSON: GzipMember?
  private var inserts: Inserts?
  private var hasFeatures = false
  private var phraseNumbers: [PhraseRow: Int] = [:]
  private var chunkCount = 0
  private var rowCount = 0

  /// Results in `folder`, begun anew. `hasRoutes` if there will be steps and GeoJSON.
  package init(_ folder: ResultsFolder, hasRoutes: Bool, job: [(String, String)]) throws {
    self.folder = folder
    try folder.create()
    let path = ResultsFolder.unfinished(folder.database)
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    database = try SQLite(path: path, creating: true)
    // A crash of the program loses nothing; one of the machine may cost the unfinished file, which is begun again.
    try database.run("PRAGMA page_size = 16384; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF;")
    try database.run("PRAGMA cache_size = -16384; PRAGMA locking_mode = EXCLUSIVE; \(Schema.tables)")
    inserts = try Inserts(database)
    if hasRoutes {
      geoJSON = try GzipMember(path: ResultsFolder.unfinished(folder.routes))
      try geoJSON!.append(stored: "{\"type\":\"FeatureCollection\",\"features\":[\n")
    }
    try transaction { try setJob(job) }
  }

  /// What is run for every row.
  private struct Inserts {
    let route: SQLite.Statement
    let step: SQLite.Statement
    let phrase: SQLite.Statement
    let chunk: SQLite.Statement

    init(_ database: SQLite) throws {
      route = try database.prepare(Schema.insertRoute)
      step = try database.prepare(Schema.insertStep)
      phrase = try database.prepare(Schema.insertPhrase)
      chunk = try database.prepare(Schema.insertChunk)
    }
  }

  package func write(_ places: [PlaceRow]) throws {
    try transaction {
      let insert = try database.prepare(Schema.insertPlace)
      for place in places {
        insert.bind(place.id)
        insert.bind(place.role)
        insert.bind(place.name)
        insert.bind(degrees(place.coordinate.latitude))
        insert.bind(degrees(place.coordinate.longitude))
        insert.bind(place.snapped.map { degrees($0.latitude) })
        insert.bind(place.snapped.map { degrees($0.longitude) })
        insert.bind(place.snapDistance)
        insert.bind(place.street)
        insert.bind(place.status.rawValue)
        insert.bind(place.weight)
        try insert.run()
      }
    }
  }

  package func write(_ rejected: [RejectedRow]) throws {
    try transaction {
      let insert = try database.prepare(Schema.insertRejected)
      for row in rejected {
        insert.bind(row.file)
        insert.bind(row.line)
        insert.bind(row.text)
        insert.bind(row.reason)
        try insert.run()
      }
    }
  }

  /// Rows that were computed together, the phrases of their steps, and their GeoJSON features, if any, with a comma and
  /// a line's end between them.
  package struct Chunk: Sendable {
    /// How many rows of the input these are; a row may have alternates.
    package var rows: Int
    package var routes: [(row: RouteRow, steps: [StepRow])]
    package var phrases: [PhraseRow]
    package var features: DeflatedBlock?
    package init(
      rows: Int, routes: [(row: RouteRow, steps: [StepRow])], phrases: [PhraseRow], features: DeflatedBlock?
    ) {
      self.rows = rows
      self.routes = routes
      self.phrases = phrases
      self.features = features
    }
  }

  package func write(_ chunk: Chunk) throws {
    guard let inserts else { preconditionFailure("the results are finished") }
    if let features = chunk.features, features.length > 0 {
      if hasFeatures { try geoJSON!.append(stored: ",\n") }
      try geoJSON!.append(features)
      hasFeatures = true
    }
    try transaction {
      let phrases = try chunk.phrases.map { try number(of: $0, inserts) }
      for (row, steps) in chunk.routes { try write(row, steps, phrases, inserts) }
      inserts.chunk.bind(chunkCount)
      inserts.chunk.bind(rowCount)
      inserts.chunk.bind(chunk.rows)
      inserts.chunk.bind(geoJSON.map { Double($0.end) })
      inserts.chunk.bind(geoJSON.map { Double($0.length) })
      inserts.chunk.bind(geoJSON.map { Double($0.crc32) })
      try inserts.chunk.run()
    }
    chunkCount += 1
    rowCount += chunk.rows
  }

  /// The phrase's number in the database; phrases are numbered in the order in which they are first met.
  private func number(of phrase: PhraseRow, _ inserts: Inserts) throws -> Int {
    if let known = phraseNumbers[phrase] { return known }
    let number = phraseNumbers.count + 1
    phraseNumbers[phrase] = number
    inserts.phrase.bind(number)
    inserts.phrase.bind(phrase.instructions)
    inserts.phrase.bind(phrase.notice)
    inserts.phrase.bind(phrase.transportType)
    inserts.phrase.bind(phrase.maneuver)
    inserts.phrase.bind(phrase.street)
    try inserts.phrase.run()
    return number
  }

  private func write(_ row: RouteRow, _ steps: [StepRow], _ phrases: [Int], _ inserts: Inserts) throws {
    let (insertRoute, insertStep) = (inserts.route, inserts.step)
    insertRoute.bind(row.pair)
    insertRoute.bind(row.alternative)
    insertRoute.bind(row.origin)
    insertRoute.bind(row.destination)
    insertRoute.bind(row.status.rawValue)
    insertRoute.bind(row.found.map { metres($0.centimetres) })
    insertRoute.bind(row.found.map { seconds($0.milliseconds) })
    insertRoute.bind(row.transportType)
    let details = row.found?.route
    insertRoute.bind(details?.name)
    insertRoute.bind(details.map { Double($0.stepCount) })
    insertRoute.bind(metres(row.crowFlyCentimetres))
    insertRoute.bind(details.map { $0.hasTolls ? 1.0 : 0 })
    insertRoute.bind(details.map { $0.hasHighways ? 1.0 : 0 })
    insertRoute.bind(details.flatMap { $0.advisoryNotices.isEmpty ? nil : $0.advisoryNotices.joined(separator: " ") })
    insertRoute.bind(row.departure)
    insertRoute.bind(row.arrival)
    insertRoute.bind(row.group)
    insertRoute.bind(row.link)
    try insertRoute.run()
    for (number, step) in steps.enumerated() {
      insertStep.bind(row.pair)
      insertStep.bind(row.alternative)
      insertStep.bind(number)
      insertStep.bind(phrases[step.phrase])
      insertStep.bind(step.centimetres)
      insertStep.bind(step.milliseconds)
      insertStep.bind(Int(step.start.latitude))
      insertStep.bind(Int(step.start.longitude))
      try insertStep.run()
    }
  }

  /// Adds statistics and indices and gives the files their names.
  package func finish(job: [(String, String)]) throws {
    try transaction {
      try writeStatistics()
      try database.run(Schema.indices)
      try setJob(job)
    }
    try geoJSON?.append(stored: "\n]}\n")
    try geoJSON?.finish()
    inserts = nil
    try database.run("PRAGMA journal_mode = DELETE;")
    try database.close()
    if geoJSON != nil { try ResultsFolder.finish(folder.routes) }
    try ResultsFolder.finish(folder.database)
  }

  /// Notes facts in table `job` when the run stops before its end.
  package func interrupt(job: [(String, String)]) throws {
    try transaction { try setJob(job) }
  }

  private func setJob(_ facts: [(String, String)]) throws {
    let set = try database.prepare(Schema.setJob)
    for (key, value) in facts {
      set.bind(key)
      set.bind(Identifier(value))
      try set.run()
    }
  }

  private func writeStatistics() throws {
    let insert = try database.prepare(Schema.insertStatistic)
    for statistic in try statistics() {
      insert.bind(statistic.scope)
      insert.bind(statistic.measure.rawValue)
      insert.bind(statistic.count)
      for quantile in statistic.quantiles[..<4] { insert.bind(quantile) }
      insert.bind(statistic.mean)
      for quantile in statistic.quantiles[4...] { insert.bind(quantile) }
      try insert.run()
    }
  }

  /// From the tables themselves: steps follow one another in the order of their routes.
  private func statistics() throws -> [Statistic] {
    var values: [String: [Statistic.Measure: [Double]]] = ["job": [:]]
    let routes = try database.prepare(Schema.routeValues)
    let steps = try database.prepare(Schema.stepDistances)
    while try routes.next() {
      guard routes.text(5) == RowStatus.ok.rawValue else { continue }
      let (distance, time, crowFly) = (routes.double(1), routes.double(2), routes.double(3))
      var measured: [(Statistic.Measure, Double)] = [(.distance, distance), (.expectedTravelTime, time)]
      if time > 0 { measured.append((.speed, distance / time)) }
      if crowFly > 0 { measured.append((.detour, distance / crowFly)) }
      if !routes.isNull(4) {
        measured.append((.stepCount, routes.double(4)))
        for _ in 0..<routes.integer(4) where try steps.next() { measured.append((.stepLength, steps.double(0))) }
      }
      for scope in ["job", routes.text(0).map { "group:\($0)" }].compactMap(\.self) {
        for (measure, value) in measured { values[scope, default: [:]][measure, default: []].append(value) }
      }
    }
    return values.sorted { $0.key < $1.key }.flatMap { scope, measures in
      Statistic.Measure.allCases.compactMap { measure in
        Statistic(scope: scope, measure: measure, values: measures[measure] ?? [])
      }
    }
  }

  private func transaction(_ body: () throws -> Void) throws {
    try database.run("BEGIN")
    try body()
    try database.run("COMMIT")
  }
}

private func metres(_ centimetres: Int64) -> Double { Double(centimetres) / 100 }
private func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }
private func degrees(_ fixed: Int32) -> Double { Double(fixed) / 1e7 }
