import Geography
import Tables

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

  /// Adds an origin with its cells at each hour, in milliseconds, negative for no route; `ownColumn` is the column of
  /// the origin itself.
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
