import Geography
import Tables
import Transit

/// A row of table `matrix_hours`: a cell's times over the departures of a day, in milliseconds.
package struct CellHours: Sendable, JournaledFields {
  var origin = Identifier.number(0)
  var destination = Identifier.number(0)
  var weekday = ""
  /// The number of departures with a route.
  var reachable = 0
  /// The number of the slowest departure: the first without a route, if there is one.
  var worstDeparture = 0
  /// Nil if a departure has no route.
  var worst: UInt32?
  /// Nil if a departure has no route.
  var mean: Double?
  /// The percentiles in the order of the job; nil if the departure of that rank has no route.
  var percentiles: [UInt32?] = []

  package init() {}

  /// Summarizes the times of a cell at the departures of a day; times of `missing` and above mean no route.
  init(
    origin: Identifier, destination: Identifier, weekday: String, times: [UInt32], numbers: Range<Int>, missing: UInt32,
    percentiles: [Int]
  ) {
    precondition(!times.isEmpty && times.count == numbers.count, "a day has departures, each with a number")
    (self.origin, self.destination, self.weekday) = (origin, destination, weekday)
    let sorted = times.sorted()
    reachable = times.count { $0 < missing }
    let slowest = sorted[sorted.count - 1]
    worstDeparture = numbers.lowerBound + (times.firstIndex(of: slowest) ?? 0)
    func time(_ milliseconds: UInt32) -> UInt32? { milliseconds < missing ? milliseconds : nil }
    worst = time(slowest)
    mean = reachable < times.count ? nil : Double(times.reduce(UInt64(0)) { $0 + UInt64($1) }) / Double(times.count)
    self.percentiles = percentiles.map { time(sorted[PercentileNetwork.rank($0, of: sorted.count)]) }
  }

  /// - Parameter words: The job's summaries: `worst`, `mean`, `p50`.
  static func table(_ words: [String]) -> Table<CellHours> {
    let percentiles = words.filter { $0.hasPrefix("p") }
    var columns: [Column<CellHours>] = [
      .optionalID("origin_id", "`place_id` of the origin") { $0.origin },
      .optionalID("destination_id", "`place_id` of the destination") { $0.destination },
      .text("weekday", "`Mo` to `Su`") { $0.weekday },
      .integer("reachable", "departures of the day with a route") { $0.reachable },
    ]
    if words.contains("worst") {
      columns += [
        .integer(
          "worst_departure", "number in table `departure` of the day's slowest departure; the first one on ties"
        ) { $0.worstDeparture },
        .optionalReal("worst", "seconds at that departure; NULL without a route") {
          $0.worst.map { Units.seconds($0) }
        },
      ]
    }
    if words.contains("mean") {
      columns.append(
        .optionalReal("mean", "mean seconds over the day's departures; NULL if one has no route") {
          $0.mean.map { $0 / 1000 }
        })
    }
    for (index, word) in percentiles.enumerated() {
      columns.append(
        .optionalReal(
          word,
          "seconds that \(word.dropFirst()) % of the departures do not exceed (nearest rank); a column for each in `hours`"
        ) { $0.percentiles[index].map { Units.seconds($0) } })
    }
    return Table("matrix_hours", "cell and day of a matrix, with the key `hours`", columns)
  }

  /// The columns of all percentiles.
  static var percentiles: TableDescription {
    let words = (1...99).map { "p\($0)" }
    var description = table(words).description
    description.columns.removeAll { !words.contains($0.name) }
    return description
  }

  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&origin, &destination, &weekday, &reachable, &worstDeparture, &worst)
    try journal(&mean, &percentiles)
  }
}
