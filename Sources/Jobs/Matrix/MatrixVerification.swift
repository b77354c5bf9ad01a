import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables

extension MatrixTask {
  /// Verifies random cells in every format that the job wrote.
  func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let database = results.database
    let (origins, destinations) = (try database.places(.origin), try database.places(.destination))
    guard !origins.isEmpty, !destinations.isEmpty else {
      return Verification.Rows(count: 0, differences: [], emptyReason: "the matrix has no cells")
    }
    let formats = try database.matrixCells()
    guard !formats.isEmpty else {
      return Verification.Rows(
        count: 0, differences: [], emptyReason: "the job kept only summaries, no cells (see its key format)")
    }
    let axis = results.job.rowAxis
    let count = max(1, axis.count)
    let chosen = results.indices(of: origins.count * destinations.count * count).map { index -> Cell in
      (index / destinations.count, index % destinations.count)
    }
    let weights = try formats.map { try MatrixTask.weights(of: chosen, in: $0) }
    func trip(_ cell: Cell, _ found: VerifiedWeight?) -> TripToVerify {
      let (index, hour) = cell.row.quotientAndRemainder(dividingBy: count)
      let (origin, destination) = (origins[index], destinations[cell.column])
      let status =
        [origin.status, destination.status].first { $0 != .ok } ?? (found == nil ? .directionsNotFound : .ok)
      let name = axis.labels.isEmpty ? "" : ", \(axis.column == .percentile ? "p" : "")\(axis.labels[hour])"
      var trip = TripToVerify(
        item: "cell \(origin.id), \(destination.id)\(name)", ends: [(origin.point, destination.point)], departure: nil,
        status: status, found: found)
      trip.hour = axis.column == nil ? nil : hour
      return trip
    }
    let trips = zip(chosen, weights[0]).map { trip($0, $1) }
    // In the other formats, only cells that differ from those of the first format need the exact time.
    let others = zip(formats, weights).dropFirst().flatMap { format, weights in
      zip(zip(chosen, trips), weights).compactMap { first, found -> TripToVerify? in
        guard !ResultsToVerify.differences("", found, sum: first.1.found).isEmpty else { return nil }
        var other = trip(first.0, found)
        other.item += " in \(format.name)"
        return other
      }
    }
    let check = try TransitCheck(results.context)
    func verify(_ trips: [TripToVerify]) throws -> Verification.Rows {
      try check.map { try results.differences(of: trips, by: $0) } ?? results.differences(of: trips)
    }
    var rows = try verify(trips)
    if !others.isEmpty { rows.differences += try verify(others).differences }
    return rows
  }

  /// A cell by its row, counted by origin and then hour or percentile, and its column.
  private typealias Cell = (row: Int, column: Int)

  /// Returns the values of the chosen cells in one format, reading each row once, in file order.
  private static func weights(of chosen: [Cell], in format: any MatrixCells) throws -> [VerifiedWeight?] {
    var weights = [VerifiedWeight?](repeating: nil, count: chosen.count)
    var (row, number) = (CellRow(), -1)
    for index in chosen.indices.sorted(by: { chosen[$0].row < chosen[$1].row }) {
      if chosen[index].row != number {
        number = chosen[index].row
        try format.read(number, into: &row)
      }
      weights[index] = row.weight(chosen[index].column, isSingle: format.isSingle)
    }
    return weights
  }
}

extension Weight {
  /// Creates a weight from a time in milliseconds, without a length; nil if there is no time.
  init?(time milliseconds: UInt32?) {
    guard let milliseconds else { return nil }
    self.init(milliseconds: milliseconds, centimetres: 0)
  }
}
