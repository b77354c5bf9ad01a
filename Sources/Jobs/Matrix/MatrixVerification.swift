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
    let hours = try results.hours()
    let count = hours?.departures.hours.count ?? 1
    let trips = try (0..<results.sample).map { _ in
      let row = Int.random(in: origins.indices, using: &random)
      let column = Int.random(in: destinations.indices, using: &random)
      let hour = hours == nil ? 0 : Int.random(in: 0..<count, using: &random)
      let (origin, destination) = (origins[row], destinations[column])
      let cells = try database.cells(row * count + hour + 1) ?? []
      guard cells.count == destinations.count else {
        throw ResultsError(
          path: database.path,
          problem: "the row of origin \(origin.id) has \(cells.count) cells, expected \(destinations.count)",
          cause: .input)
      }
      let found = cells[column]
      let status =
        [origin.status, destination.status].first { $0 != .ok } ?? (found == nil ? .directionsNotFound : .ok)
      let name = hours.map { ", \($0.departures.text(of: $0.departures.hours[hour]))" } ?? ""
      var trip = TripToVerify(
        item: "cell \(origin.id), \(destination.id)\(name)", ends: [(origin.point, destination.point)], departure: nil,
        status: status, found: found)
      trip.hour = hours == nil ? nil : hour
      return trip
    }
    if let hours, results.identity.flag(.exact) == false { return try results.estimates(of: trips, at: hours) }
    if let hours { return try results.differences(of: trips, at: hours) }
    return try results.differences(of: trips, at: results.tripTime)
  }
}
