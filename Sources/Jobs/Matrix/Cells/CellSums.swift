import Tables

/// What all cells of a matrix add up to, next to what the database says of them.
struct CellSums {
  private let cells: any MatrixCells
  private var times = Sum()
  private var lengths = Sum()
  /// Cells with a route, row by row.
  private var reachable: [Int] = []

  private struct Sum {
    var count = 0
    var (least, greatest): (Int64, Int64) = (.max, 0)
    var total: Int64 = 0

    mutating func add(_ values: [Int64]) {
      for value in values where value >= 0 {
        count += 1
        least = min(least, value)
        greatest = max(greatest, value)
        total += value
      }
    }
  }

  init(_ cells: any MatrixCells, _ shape: MatrixShape) throws {
    self.cells = cells
    var row = CellRow()
    for number in 0..<shape.rows {
      try cells.read(number, into: &row)
      let before = times.count
      times.add(row.times)
      lengths.add(row.lengths)
      reachable.append(times.count - before)
    }
  }

  /// The statistics of times and, where there are any, of distances; and where the job keeps summaries of origins, theirs.
  func checks(_ database: ResultsDatabase) throws -> [SumCheck] {
    var checks = try statistic(.expectedTravelTime, times, per: 1000, database)
    if lengths.count > 0 { checks += try statistic(.distance, lengths, per: 100, database) }
    let rows = try database.database.rows(
      "SELECT 'origin ' || origin_id AS item, reachable FROM origin_summary ORDER BY rowid"
    ) { (item: try $0["item"] as String, reachable: try $0["reachable"] as Int) }
    guard !rows.isEmpty else { return checks }
    let measure = "reachable in \(cells.name)"
    return checks + [
      SumCheck(
        zip(rows, reachable).filter { $0.reachable != $1 }.map {
          Difference(item: $0.item, measure: measure, found: Double($0.reachable), expected: Double($1))
        })
    ]
  }

  private func statistic(
    _ measure: Statistic.Measure, _ sum: Sum, per scale: Double, _ database: ResultsDatabase
  ) throws -> [SumCheck] {
    let statistic = try database.statistics().first { $0.scope == "job" && $0.measure == measure }
    guard let statistic else { return [] }
    // Of whole numbers, but for what 32-bit floats lose.
    let tolerance = cells.isSingle ? 1e-7 : 1e-9
    let mean = Double(sum.total) / Double(max(1, sum.count)) / scale
    let numbers = [
      ("count", Double(statistic.count), Double(sum.count)),
      ("min", statistic.quantiles[0], sum.count > 0 ? Double(sum.least) / scale : 0),
      ("max", statistic.quantiles[statistic.quantiles.count - 1], Double(sum.greatest) / scale),
      ("mean", statistic.mean, mean),
    ]
    return numbers.map { column, found, expected in
      let name = "\(column) of \(measure.rawValue) in \(cells.name)"
      let isEqual = abs(found - expected) <= tolerance * abs(expected)
      return SumCheck(
        isEqual ? [] : [Difference(item: "statistic", measure: name, found: found, expected: expected)])
    }
  }
}
