import Tables

/// What pages say of all routes together, from one pass over their table: SQLite would read and sort it for each.
package struct RouteSurvey {
  /// How many have an answer, alternates too.
  package private(set) var answered = 0
  /// How many of the best routes there are, and how many of them without an answer.
  package private(set) var count = 0
  package private(set) var missingCount = 0
  private var longest = LeastRows(RouteSurvey.shown)
  private var greatestDetours = LeastRows(RouteSurvey.shown)
  private var worst: LeastRows
  private var missing: [Int] = []

  private static let (shown, shownMissing) = (30, 100)
  /// Metres between the ends of a trip whose detour says something.
  private static let leastStraight = 50.0

  /// Which of the best routes, and in which order.
  package enum Order { case longest, greatestDetour, missing }

  /// - Parameter limit: How many of the worst are wanted: without an answer, then the longest by travel time.
  init(of database: SQLite, worst limit: Int) throws {
    worst = LeastRows(limit)
    let routes = try database.prepare(
      "SELECT fid, alternative, status = 'ok', expected_travel_time, distance, crow_fly_distance FROM route ORDER BY fid"
    )
    while try routes.next() {
      let (row, isOK): (Int, Bool) = (try routes.value(at: 0), try routes.value(at: 2) as Int == 1)
      if isOK { answered += 1 }
      guard try routes.value(at: 1) as Int == 0 else { continue }
      count += 1
      guard isOK else {
        missingCount += 1
        if missing.count < RouteSurvey.shownMissing { missing.append(row) }
        worst.offer(-.infinity, row)
        continue
      }
      let (time, distance, straight): (Double, Double?, Double) = (
        try routes.value(at: 3), try routes.value(at: 4), try routes.value(at: 5)
      )
      longest.offer(-time, row)
      worst.offer(-time, row)
      if let distance, straight >= RouteSurvey.leastStraight { greatestDetours.offer(-distance / straight, row) }
    }
  }

  /// The rows that pages list.
  func rows(_ order: Order) -> [Int] {
    switch order {
    case .longest: longest.rows
    case .greatestDetour: greatestDetours.rows
    case .missing: missing
    }
  }

  var worstRows: [Int] { worst.rows }
}

extension ResultsDatabase {
  /// - Parameter limit: How many pairs will be listed.
  package func routeSurvey(listing limit: Int) throws -> RouteSurvey {
    try RouteSurvey(of: database, worst: limit / 2)
  }
}

/// The rows with the least keys of many that are offered in ascending order; of equal keys the first rows.
private struct LeastRows {
  private let limit: Int
  private var entries: [(key: Double, row: Int)] = []
  /// No row with this key or a greater one is among them.
  private var bound = Double.infinity

  init(_ limit: Int) { self.limit = limit }

  mutating func offer(_ key: Double, _ row: Int) {
    guard key < bound else { return }
    entries.append((key, row))
    if entries.count >= 2 * limit + 64 { cut() }
  }

  private mutating func cut() {
    entries = least
    if let last = entries.last, entries.count == limit { bound = last.key }
  }

  private var least: [(key: Double, row: Int)] {
    Array(entries.sorted { ($0.key, $0.row) < ($1.key, $1.row) }.prefix(limit))
  }

  var rows: [Int] { least.map(\.row) }
}
