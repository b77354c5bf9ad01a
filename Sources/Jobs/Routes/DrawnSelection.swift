import Geography
import Tables

/// Chooses the routes that pages draw, as their rows come in the order of table `route`: all of at most `most`; else
/// those that take longest and those with the greatest detours, some by lot until there are as many, and those that a job
/// names. Equal rows, equal choice.
struct DrawnSelection {
  private static let (most, mostWorst) = (300, 100)
  private static let leastStraight: Int64 = 5000

  private let named: Set<Identifier>
  private var namedRows: [Int] = []
  private var longest = Least<Int64>(DrawnSelection.mostWorst / 2)
  private var greatestDetours = Least<Double>(DrawnSelection.mostWorst / 2)
  private var lot = Least<UInt64>(DrawnSelection.most)
  private var count = 0

  /// - Parameter named: The pairs of key `reportRoutes`.
  init(named: [Identifier]) { self.named = Set(named.map(\.asText)) }

  /// A best route: its row, its pair, its time, its length and that of the straight line (ms, cm).
  /// *Returns* whether it may be chosen in the end.
  mutating func offer(
    _ row: Int, of pair: Identifier, milliseconds: Int64, centimetres: Int64, straightCentimetres: Int64
  ) -> Bool {
    count += 1
    let isNamed = !named.isEmpty && named.contains(pair.asText)
    if isNamed { namedRows.append(row) }
    let detour = Double(centimetres) / Double(max(straightCentimetres, DrawnSelection.leastStraight))
    var random = SeededGenerator(seed: UInt64(row))
    // All are asked: none may miss the row.
    let isChosen = [
      longest.offer(-milliseconds, row), greatestDetours.offer(-detour, row), lot.offer(random.next(), row), isNamed,
    ]
    return isChosen.contains(true)
  }

  /// The chosen rows, ascending.
  var rows: [Int] {
    var chosen: Set<Int> = count > DrawnSelection.most ? Set(longest.rows + greatestDetours.rows) : []
    for row in lot.rows where chosen.count < DrawnSelection.most { chosen.insert(row) }
    return chosen.union(namedRows).sorted()
  }
}

/// The rows with the least keys of those that were offered, equal keys by row.
private struct Least<Key: Comparable> {
  private let limit: Int
  private var entries: [(key: Key, row: Int)] = []

  init(_ limit: Int) { self.limit = limit }

  var rows: [Int] { entries.map(\.row) }

  /// *Returns* whether it is among them now. Rows come in ascending order.
  mutating func offer(_ key: Key, _ row: Int) -> Bool {
    if entries.count == limit {
      guard key < entries[limit - 1].key else { return false }
      entries.removeLast()
    }
    let index = entries.firstIndex { key < $0.key } ?? entries.count
    entries.insert((key, row), at: index)
    return true
  }
}

extension DrawnSelection {
  /// The best routes of table `route`.
  mutating func offerRows(of database: SQLite) throws {
    let rows = try database.prepare(
      """
      SELECT fid, pair_id, CAST(round(expected_travel_time * 1000) AS INTEGER) AS milliseconds,
        CAST(round(distance * 100) AS INTEGER) AS centimetres, CAST(round(crow_fly_distance * 100) AS INTEGER) AS straight
      FROM route WHERE alternative = 0 AND status = 'ok' ORDER BY fid
      """)
    while try rows.next() {
      _ = offer(
        try rows["fid"], of: try rows["pair_id"], milliseconds: Int64(try rows["milliseconds"] as Int),
        centimetres: Int64(try rows["centimetres"] as Int), straightCentimetres: Int64(try rows["straight"] as Int))
    }
  }
}

extension ResultsDatabase {
  /// The rows of the best routes that pages draw with their lines and steps.
  package func drawnRows() throws -> [Int] {
    var selection = DrawnSelection(named: record.identity.list(.reportRoutes).map(Identifier.init))
    try selection.offerRows(of: database)
    return selection.rows
  }
}
