import Geography
import Input
import Routing
import Settings
import StreetNetwork
import Tables

/// The settings of kind `isochrones`.
struct IsochroneTask: JobTask {
  /// The path of the list of places.
  var origins: String
  /// The id and weight columns of that list.
  var columns: PlaceKeys
  var reach: ReachTask
  /// Whether areas are rings, without the area of the previous threshold; else each contains the previous one.
  var hasBands: Bool
  /// The buffer radius around the reached streets, in metres.
  var buffer: Double
  /// The smoothing radius in metres; gaps and holes less than twice as wide are closed.
  var smooth: Double
  /// Whether to write the reached parts of streets.
  var hasStreets: Bool

  static func summary(of kind: JobKind) -> String { "the areas within given travel times of places" }

  static func results(of kind: JobKind) -> any KindResults.Type { IsochroneResults.self }

  init(_ keys: inout KeyReader) throws {
    origins = try keys.origins()
    columns = try keys.placeColumns(countsAll: false)
    reach = try ReachTask(
      thresholds: keys.thresholds(),
      direction: keys.direction("from", "direction of trips: from the places or to them"))
    hasBands = try keys.setting("bands", .bool, default: false, "write rings: each area excludes the smaller ones")
    buffer = try keys.setting(
      "buffer", IsochroneRequest.bufferType, default: 30,
      "buffer around the reached streets in metres; closes gaps under 2/3 of it, corners reach up to 1/3 beyond")
    smooth = try keys.setting(
      "smooth", .number(of: "metres", atLeast: 0, atMost: 1000), default: 0,
      "smoothing radius in metres: fills gaps and holes less than twice as wide, so areas are simpler and larger",
      isAlwaysEntered: false)
    hasStreets = try keys.setting(
      "streets", .bool, default: false, "also write the reached parts of streets, cut at the threshold",
      decides: .presentation)
    if keys.has("percentiles"), !keys.isTransit {
      throw keys.error("percentiles", "areas have percentiles only with transit; remove the key")
    }
  }

  var optionalKeys: Set<String> { ["noun", "wheelchairBoarding"] }
  var areas: ReachTask? { reach }
  var files: [String] { [origins] }
  func unit(of _: Job) -> String { JobKind.isochrones.rawValue }

  func outputs(of job: Job, in folder: ResultsFolder) -> [String] {
    [folder.isochrones] + (hasStreets ? [folder.reachedStreets] : [])
  }

  func read(for job: Job, in context: JobContext?) throws -> JobInput {
    var table = try PlaceTable(
      path: origins, role: .origin, area: context.area, keys: columns, duplicates: job.duplicates)
    if !table.places.allSatisfy(\.id.isNumber) { table.useTextIDs() }
    let minutes = reach.thresholds.map { $0 % 60 == 0 ? String($0 / 60) : String(Double($0) / 60) }
    return JobInput(
      rejected: table.rejected, notes: table.notes, weightColumns: [.origin: table.weightColumn],
      summary: """
        \(origins): \(table.places.count.counted("place")) (\(table.columns)), \(table.rejected.count.counted("row")) to be rejected
        \(table.places.count * minutes.count) areas: within \(minutes.joined(separator: ", ")) minutes of each place
        """
    ) { [places = table.places] in try IsochroneJob(self, places, in: $0) }
  }
}

extension IsochroneTask {
  /// Calls `body` with the index of each threshold, the pieces of streets within it, and the area: the whole area or, with
  /// `bands`, the part outside the previous one.
  func mapAreas<Result>(
    around end: TripEnd, within thresholds: [Int], _ pieces: (_ limit: UInt32) -> [StreetPiece], _ rays: [TimedRay],
    _ squares: SquareTimes, on network: StreetNetwork, _ geos: Geos,
    _ body: (_ index: Int, [StreetPiece], ReachedArea) -> Result
  ) -> [Result] {
    let builder = AreaBuilder(around: end.place, buffer: buffer, smooth: smooth, geos)
    var (rays, drawn): ([TimedRay], [StreetPiece]) = (rays, [])
    return thresholds.indices.map { index in
      let limit = UInt32(thresholds[index]) * 1000
      let pieces = pieces(limit)
      let area = builder.add(network.lines(of: pieces.without(drawn), rays, squares, around: end, within: limit))
      drawn = pieces
      rays.removeAll { $0.end <= limit }
      return body(index, pieces, hasBands ? builder.lastBand : area)
    }
  }

  /// Verifies areas and the lengths of their streets: the streets are found by a plain search, and the areas are drawn
  /// around them.
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let areas = try results.indices(of: results.database.areaCount()).compactMap { try results.database.area($0 + 1) }
    if let check = try TransitCheck(results.context) { return try verify(areas, by: check, results) }
    let (reach, departures) = (results.context.reach(reach.direction), results.job.departures)
    let time = results.job.localTime
    return try verify(areas.filter { departures == nil || $0.departure != nil }, results) {
      let oracle = reach.timed.map { TripOracle($0) } ?? TripOracle(reach.network, at: time)
      let reached = ReachedHours(reach)
      return { area, end, limit in
        let hour = (area.departure ?? 1) - 1
        let states = oracle.states(around: end, reach.direction, at: departures?.times[hour], within: limit)
        return (
          reached.squares(hour), { reached.pieces(end, states, hour, $0) },
          { reached.stretches(end, states, hour, $0) }
        )
      }
    }
  }

  /// Verifies areas by a plain search of the timetable, with the job's walks from or to stops.
  private func verify(
    _ areas: [AreaToVerify], by check: TransitCheck, _ results: ResultsToVerify
  ) throws -> Verification.Rows {
    let reach = TripReach(results.network, self.reach.direction)
    let percentiles = results.job.hours.percentiles
    return try verify(areas, results) {
      let (search, query, walker) = (TransitCheck.Search(check), TripReachQuery(reach), TripReachQuery(reach))
      return { area, end, limit in
        let (states, stops) = search.states(
          around: end, walker, within: limit, row: (area.departure ?? 1) - 1, percentiles: percentiles)
        func ends(within limit: UInt32) -> [ReachedEnd] { [(end, 0)] + stops.filter { $0.milliseconds <= limit } }
        return (
          query.squares(), { query.pieces(around: ends(within: $0), states, within: $0) },
          { query.stretches(around: ends(within: $0), states, within: $0) }
        )
      }
    }
  }

  /// The streets around a place by a plain search: the times of lines across squares, and the pieces and the stretches
  /// of streets within a limit.
  private typealias Streets = (
    squares: SquareTimes, pieces: (_ limit: UInt32) -> [StreetPiece], stretches: (_ limit: UInt32) -> [TimedStretch]
  )

  /// - Parameter makeSearch: A function that returns a plain search for one thread, which finds the streets within a
  ///   limit of an area's place.
  private func verify(
    _ areas: [AreaToVerify], _ results: ResultsToVerify,
    _ makeSearch: @escaping @Sendable () -> (AreaToVerify, TripEnd, _ limit: UInt32) -> Streets
  ) throws -> Verification.Rows {
    let (network, options) = (results.network, results.job.options)
    return try results.differences(of: areas) {
      let (router, search, geos) = (Router(network, options), makeSearch(), Geos())
      return { area in
        guard area.status != .outsideCoverage else { return [] }
        let limit = UInt32(clamping: area.threshold).multipliedReportingOverflow(by: 1000).partialValue
        let expected = router.end(at: area.point.coordinate).flatMap { end in
          found(within: area.threshold, around: end, search(area, end, limit), on: network, geos)
        }
        return IsochroneTask.differences(area, expected)
      }
    }
  }

  /// Returns the area within a threshold; nil if nothing is reached.
  private func found(
    within threshold: Int, around end: TripEnd, _ streets: Streets, on network: StreetNetwork, _ geos: Geos
  ) -> IsochroneRow.Found? {
    let (squares, limit) = (streets.squares, UInt32(threshold) * 1000)
    let rays = squares.rays(around: end, streets.stretches(limit), within: limit, buffer: buffer)
    let thresholds = reach.thresholds.filter { $0 <= threshold }
    return mapAreas(around: end, within: thresholds, streets.pieces, rays, squares, on: network, geos) {
      _, pieces, area -> IsochroneRow.Found? in
      guard !pieces.isEmpty || squares.contain(end, within: limit) else { return nil }
      return IsochroneRow.Found(area, streetMetres: pieces.reduce(0) { $0 + network.length(of: $1) })
    }.last ?? nil
  }

  private static func differences(_ area: AreaToVerify, _ expected: IsochroneRow.Found?) -> [Difference] {
    let hour = area.departure.map { ", departure \($0)" } ?? ""
    let measures = [
      ("street_length", area.streetMetres, expected?.streetMetres), ("area", area.squareMetres, expected?.squareMetres),
    ]
    return measures.filter { $0.1 != $0.2 }.map { measure, found, expected in
      Difference(
        item: "area \(area.id), \(area.threshold) s\(hour)", measure: measure, found: found, expected: expected)
    }
  }
}
