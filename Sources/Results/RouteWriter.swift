import Foundation
import Geography

/// Writes the results of kinds `routes` and `etas`: rows and compressed GeoJSON, chunk after chunk in the order of the
/// input.
///
///     let writer = try RouteWriter(store, hasRoutes: true)
///     try writer.write(chunks)                           // as often as there are some
///     try writer.seal(job: facts)
///
/// Belongs to one thread.
package final class RouteWriter: ChunkWriter {
  private let store: ResultsStore
  private let hasShapes: Bool
  private let geoJSON: GeoJSONFile?
  private var inserts: Inserts?
  private var phraseNumbers: [PhraseRow: Int] = [:]

  /// `hasRoutes` if there will be steps and GeoJSON, `hasShapes` if the database is to have their geometries.
  package init(_ store: ResultsStore, hasRoutes: Bool, hasShapes: Bool = true) throws {
    self.store = store
    self.hasShapes = hasShapes && hasRoutes
    inserts = try Inserts(store.database)
    geoJSON =
      hasRoutes
      ? try store.open(store.folder.routes) { try GeoJSONFile(path: $0, store.provenance, from: $1) } : nil
    for (number, phrase) in try ResultsDatabase(store.database).phrases() { phraseNumbers[phrase] = number }
  }

  /// The tables it writes.
  package static func tables(_ store: ResultsStore) -> String { Schema.routes(store.id) }

  /// What is run for every row.
  private struct Inserts {
    let route: SQLite.Statement
    let step: SQLite.Statement
    let phrase: SQLite.Statement

    init(_ database: SQLite) throws {
      route = try database.prepare(Schema.insertRoute)
      step = try database.prepare(Schema.insertStep)
      phrase = try database.prepare(Schema.insertPhrase)
    }
  }

  /// Rows that were computed together, the phrases of their steps, and their GeoJSON features, if any, with a comma and
  /// a line's end between them.
  package struct Chunk: RowChunk {
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

  package func write(_ chunks: [Chunk]) throws { try store.write(chunks, append) }

  /// Appends a chunk, within a transaction of others.
  func append(_ chunk: Chunk) throws {
    guard let inserts else { preconditionFailure("the results are finished") }
    if let features = chunk.features { try geoJSON!.append(features) }
    let phrases = try chunk.phrases.map { try number(of: $0, inserts) }
    for (row, steps) in chunk.routes { try write(row, steps, phrases, inserts) }
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
    insertRoute.bind(blob: details?.shape?.bytes)
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
      if hasShapes { insertStep.bind(point: step.start) } else { insertStep.bind(blob: nil) }
      try insertStep.run()
    }
  }

  /// Adds statistics and indices; only the names are left to be given.
  package func seal(job: [(key: String, value: String)]) throws {
    try store.seal(
      indices: Schema.routeIndices, layers: hasShapes ? [.routes, .steps] : [], job: job, measures)
  }

  /// What the tables' rows measure; no chunk may follow. From the tables themselves: steps follow one another in the order of their routes.
  func measures() throws -> [Measures] {
    inserts = nil
    var measures: [String: Measures] = ["job": Measures(scope: "job")]
    let routes = try store.database.prepare(Schema.routeValues)
    let steps = try store.database.prepare(Schema.stepDistances)
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
        for (measure, value) in measured { measures[scope, default: Measures(scope: scope)].add(value, to: measure) }
      }
    }
    return measures.values.sorted { $0.scope < $1.scope }
  }
}
