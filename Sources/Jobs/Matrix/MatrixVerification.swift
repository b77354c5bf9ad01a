import Geography
import Results

extension MatrixTask {
  static func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let database = results.database
    let (origins, destinations) = (try database.places(.origin), try database.places(.destination))
    guard !origins.isEmpty, !destinations.isEmpty, try database.hasCells() else {
      return Verification.Rows(count: 0, differences: [])
    }
    var random = results.random
    let trips = try (0..<results.sample).map { _ in
      let row = Int.random(in: origins.indices, using: &random)
      let column = Int.random(in: destinations.indices, using: &random)
      let (origin, destination) = (origins[row], destinations[column])
      let cells = try database.cells(row + 1) ?? []
      guard cells.count == destinations.count else {
        throw ResultsError(
          path: database.path,
          problem: "the row of origin \(origin.id) has \(cells.count) cells, expected \(destinations.count)",
          cause: .input)
      }
      let found = cells[column]
      let status =
        [origin.status, destination.status].first { $0 != .ok } ?? (found == nil ? .directionsNotFound : .ok)
      return TripToVerify(
        item: "cell \(origin.id), \(destination.id)", ends: [(origin.point, destination.point)], departure: nil,
        status: status, found: found)
    }
    let time = results.time
    return try results.differences(of: trips) { _ in time }
  }
}
