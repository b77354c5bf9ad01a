import Tables

/// Another program's times as the cells of a matrix, in the order of its own origins and destinations.
final class TravelTimeCells: MatrixCells {
  let name: String
  let isSingle: Bool
  private let times: TravelTimes

  init(_ times: TravelTimes) {
    (self.times, name, isSingle) = (times, times.path, times.isSingle)
  }

  func read(_ row: Int, into cells: inout CellRow) throws {
    cells = CellRow(times: Array(repeating: CellRow.absent, count: times.destinations.names.count))
    for number in times.numbers(ofRow: row) { cells.times[times.column(of: number)] = times.time(number) }
  }
}
