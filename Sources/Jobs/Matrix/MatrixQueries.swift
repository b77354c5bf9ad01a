import Geography
import Tables

/// An origin of a matrix, for reports.
package struct ReportedOrigin: Sendable {
  package var place: NamedPlace
  /// In seconds, as is `nearestTime`.
  package var meanTime: Double?
  package var reachable: Int
  package var nearest: Identifier?
  package var nearestTime: Double?
}

/// The reach of origins within given times: shares of the destinations, or of their weights.
package struct ReachedShares: Sendable {
  /// In seconds, ascending.
  package var thresholds: [Int]
  /// By origin, then by row of the job's axis, then by threshold.
  package var shares: [Double]
  /// The sum of all weights, or the number of destinations, in the coverage.
  package var total: Double
  /// The column of weights; nil if destinations are counted.
  package var weight: String?
}

extension ResultsDatabase {
  /// Returns the shares from table `within`; nil if the job has none, or if some origins are missing.
  package func reachedShares(origins: Int) throws -> ReachedShares? {
    guard try database.hasTable("within") else { return nil }
    let rows = try database.rows("SELECT threshold, destinations, weight FROM within ORDER BY fid") {
      (threshold: try $0["threshold"] as Int, count: try $0["destinations"] as Int, weight: try $0["weight"] as Double?)
    }
    let thresholds = Set(rows.map(\.threshold)).sorted()
    guard !rows.isEmpty, rows.count == origins * max(1, try rowAxis().count) * thresholds.count,
      rows.enumerated().allSatisfy({ $1.threshold == thresholds[$0 % thresholds.count] })
    else { return nil }
    let weight = rows.allSatisfy { $0.weight != nil } ? record.figures.text(.weight(of: .destination)) : nil
    let total: Double = try database.value(
      "SELECT total(\(weight == nil ? "1" : "weight")) FROM place WHERE role = 'destination' AND status <> 'outside_coverage'"
    )
    guard total > 0 else { return nil }
    return ReachedShares(
      thresholds: thresholds,
      shares: rows.map { (weight == nil ? Double($0.count) : $0.weight ?? 0) / total }, total: total, weight: weight)
  }

  /// - Parameter position: The position of an hour or a percentile, from 1; nil for all.
  package func originSummaries(at position: Int? = nil) throws -> [ReportedOrigin] {
    let condition = try position.map { "WHERE \(try rowAxis().condition($0, in: "origin_summary"))" } ?? ""
    return try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("origin")), mean_travel_time, reachable, nearest_id, nearest_travel_time
      FROM origin_summary JOIN place AS origin ON origin.place_id = origin_summary.origin_id AND origin.role = 'origin'
      \(condition) GROUP BY origin_summary.rowid ORDER BY origin_summary.rowid
      """
    ) { row in
      try row.namedPlace("origin").map { place in
        ReportedOrigin(
          place: place, meanTime: try row["mean_travel_time"], reachable: try row["reachable"],
          nearest: try row["nearest_id"], nearestTime: try row["nearest_travel_time"])
      }
    }.compactMap(\.self)
  }
}

/// Statistics of a matrix by hour, computed in one pass: means of origins, and cells with the largest differences.
package struct MatrixHours: Sendable {
  /// Mean seconds to the reached destinations other than the origin itself, by origin (in order) and hour; nil if none
  /// is reached.
  package private(set) var means: [[Double?]] = []
  /// Whether some trips have a route at some of the hours only.
  private(set) var hasPartialTrips = false
  /// The cells with the largest difference between their slowest and fastest hour, in descending order.
  package private(set) var swings: [Swing] = []
  private let maximumSwings: Int

  /// A cell, with the indices of its slowest and fastest hours and the travel times then, in seconds.
  package struct Swing: Sendable {
    package var origin: Int
    package var destination: Int
    package var slowest: (hour: Int, seconds: Double)
    package var fastest: (hour: Int, seconds: Double)

    package var difference: Double { slowest.seconds - fastest.seconds }
  }

  fileprivate init(maximumSwings: Int) { self.maximumSwings = maximumSwings }

  /// Adds an origin with its cells at each hour.
  ///
  /// - Parameters:
  ///   - hours: The cells of each hour, in milliseconds; negative for no route.
  ///   - ownColumn: The column of the origin itself; nil if there is none.
  fileprivate mutating func add(_ hours: [[Int64]], ownColumn: Int?) {
    means.append(
      hours.map { cells in
        let reached = cells.indices.lazy.filter { cells[$0] >= 0 && $0 != ownColumn }.map { cells[$0] }
        return reached.isEmpty ? nil : Double(reached.reduce(0, +)) / Double(reached.count) / 1000
      })
    hasPartialTrips =
      hasPartialTrips || hours.contains { cells in zip(cells, hours[0]).contains { ($0 < 0) != ($1 < 0) } }
    guard maximumSwings > 0 else { return }
    let origin = means.count - 1
    for destination in 0..<(hours.map(\.count).min() ?? 0) {
      var (slowest, fastest) = (-1, -1)
      for hour in hours.indices where hours[hour][destination] >= 0 {
        if slowest < 0 || hours[hour][destination] > hours[slowest][destination] { slowest = hour }
        if fastest < 0 || hours[hour][destination] < hours[fastest][destination] { fastest = hour }
      }
      guard slowest >= 0, hours[slowest][destination] > hours[fastest][destination] else { continue }
      func seconds(_ hour: Int) -> Double { Double(hours[hour][destination]) / 1000 }
      keep(
        Swing(
          origin: origin, destination: destination, slowest: (slowest, seconds(slowest)),
          fastest: (fastest, seconds(fastest))))
    }
  }

  private mutating func keep(_ swing: Swing) {
    if swings.count == maximumSwings, swings[maximumSwings - 1].difference >= swing.difference { return }
    let index = swings.firstIndex { $0.difference < swing.difference } ?? swings.count
    swings.insert(swing, at: index)
    if swings.count > maximumSwings { swings.removeLast() }
  }
}

extension ResultsDatabase {
  /// Returns the statistics of a matrix by hour; nil without hours, or without cells in the database.
  package func matrixHours(maximumSwings: Int) throws -> MatrixHours? {
    guard case .departures(let rows) = try rowAxis() else { return nil }
    let count = rows.count
    guard cellFormats.contains(.sqlite) else { return nil }
    var found = MatrixHours(maximumSwings: maximumSwings)
    let ownCells = try ownCells()
    let row = try database.prepare("SELECT travel_times FROM matrix_row ORDER BY rowid")
    var (reader, hours): (CellReader, [[Int64]]) = (CellReader(), [])
    while try row.next() {
      try row.withBytes("travel_times") { reader.read($0) }
      hours.append(reader.cells)
      guard hours.count == count else { continue }
      found.add(hours, ownColumn: ownCells[found.means.count])
      hours.removeAll(keepingCapacity: true)
    }
    return found
  }
}
