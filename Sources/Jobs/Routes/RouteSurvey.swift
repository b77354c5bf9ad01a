import Hierarchy
import Tables

/// A summary of all routes for pages, from one pass over their table: SQLite would read and sort the table once per
/// query.
package struct RouteSurvey: Sendable {
  /// The number of routes found, including alternates.
  package private(set) var answered = 0
  /// The number of rows, excluding alternates; `missingCount` is the number of those without a route.
  package private(set) var count = 0
  package private(set) var missingCount = 0
  private var longest = SmallestRows<Double>(RouteSurvey.maximumShown)
  private var greatestDetours = SmallestRows<Double>(RouteSurvey.maximumShown)
  private var worst: SmallestRows<Double>
  private var missing: [Int] = []
  /// An evenly spaced sample of the rows, excluding alternates: at most half of `listed`.
  private(set) var sample: [Int] = []
  /// The maximum number of pairs listed on pages, and the number of rows of each: one per hour.
  private let (listed, hours): (Int, Int)
  /// The length of the intervals of row numbers; the sample has the first row of each after the first interval, excluding
  /// alternates.
  private let interval: Int
  private var lastRow = 0
  /// Whether rows are numbered from 1 without gaps, as runs write them.
  private var isNumbered = true

  private static let (maximumShown, maximumMissing) = (30, 100)
  /// The minimum distance in metres between the ends of a trip whose detour is meaningful.
  private static let minimumStraightLine = 50.0

  /// A selection of the rows, excluding alternates, and its order.
  package enum Order { case longest, greatestDetour, missing }

  /// Reads the rows whose numbers are in a range.
  ///
  /// - Parameter all: The total number of rows.
  fileprivate init(
    of range: Range<Int>, in database: SQLite, listing listed: Int, hours: Int, among all: Int
  ) throws {
    (self.listed, self.hours) = (listed, hours)
    interval = max(1, (2 * all + listed - 1) / max(1, listed))
    worst = SmallestRows(listed / 2)
    lastRow = range.lowerBound - 1
    let routes = try database.prepare(
      """
      SELECT fid, alternative, status = 'ok', expected_travel_time, distance, crow_fly_distance FROM route
      WHERE fid >= \(range.lowerBound) AND fid < \(range.upperBound) ORDER BY fid
      """)
    while try routes.next() {
      let (row, isOK): (Int, Bool) = (try routes.value(at: 0), try routes.value(at: 2) as Int == 1)
      isNumbered = isNumbered && row == lastRow + 1
      lastRow = row
      if isOK { answered += 1 }
      guard try routes.value(at: 1) as Int == 0 else { continue }
      count += 1
      if row / interval > (sample.last ?? 0) / interval, sample.count < listed / 2 { sample.append(row) }
      guard isOK else {
        missingCount += 1
        if missing.count < RouteSurvey.maximumMissing { missing.append(row) }
        worst.offer(-.infinity, row)
        continue
      }
      let (time, distance, straight): (Double, Double?, Double) = (
        try routes.value(at: 3), try routes.value(at: 4), try routes.value(at: 5)
      )
      longest.offer(-time, row)
      worst.offer(-time, row)
      if let distance, straight >= RouteSurvey.minimumStraightLine {
        greatestDetours.offer(-distance / straight, row)
      }
    }
    isNumbered = isNumbered && lastRow == range.upperBound - 1
  }

  /// Adds the survey of the rows that follow.
  fileprivate mutating func add(_ next: RouteSurvey) {
    answered += next.answered
    count += next.count
    missingCount += next.missingCount
    longest.add(next.longest)
    greatestDetours.add(next.greatestDetours)
    worst.add(next.worst)
    missing = Array((missing + next.missing).prefix(RouteSurvey.maximumMissing))
    // The next rows may begin within an interval.
    let others = next.sample.drop { $0 / interval == (sample.last ?? 0) / interval }
    sample = Array((sample + others).prefix(listed / 2))
    (lastRow, isNumbered) = (next.lastRow, isNumbered && next.isNumbered)
  }

  /// Returns an SQL condition for every nth row; nil if there are alternates or gaps. SQLite finds rows by number faster
  /// than it scans the table.
  func condition(every interval: Int) -> String? {
    guard isNumbered, lastRow == count else { return nil }
    let rows = Array(stride(from: interval, through: lastRow, by: interval))
    return "route.fid IN (SELECT value FROM json_each('\(rows)'))"
  }

  /// Returns up to `parts` queries for the rows listed on a page and the given rows, each pair at all hours. Later queries
  /// find higher row numbers.
  func listedRows(with rows: [Int], in parts: Int) -> [String] {
    let isWhole = count <= listed * hours
    let chosen = isWhole ? [] : Set(sample + worstRows + rows).sorted()
    guard isWhole || hours == 1 else {
      let pairs = "SELECT pair_id FROM route WHERE fid IN (SELECT value FROM json_each('\(chosen)'))"
      return ["SELECT fid FROM route WHERE alternative = 0 AND pair_id IN (\(pairs))"]
    }
    let all = isWhole ? lastRow : chosen.count
    let size = max(RouteSurvey.smallestPart, (all + parts - 1) / parts)
    return stride(from: 0, to: all, by: size).map { start in
      let part = start..<min(start + size, all)
      return isWhole
        ? "SELECT fid FROM route WHERE alternative = 0 AND fid > \(part.lowerBound) AND fid <= \(part.upperBound)"
        : "SELECT value FROM json_each('\(Array(chosen[part]))')"
    }
  }

  /// The minimum number of rows per thread and connection.
  fileprivate static let smallestPart = 1000

  /// Returns the first rows in an order.
  func rows(_ order: Order) -> [Int] {
    switch order {
    case .longest: longest.rows
    case .greatestDetour: greatestDetours.rows
    case .missing: missing
    }
  }

  /// The worst rows, up to half of the listed rows: rows without a route, then the longest travel times.
  var worstRows: [Int] { worst.rows }
}

extension ResultsDatabase {
  /// - Parameters:
  ///   - listed: The maximum number of rows on the page.
  ///   - workers: The number of threads.
  package func routeSurvey(listing listed: Int, workers: Int = 1) throws -> RouteSurvey {
    let end: Int = try database.value("SELECT coalesce(max(fid), 0) + 1 FROM route")
    let hours = max(1, try rowAxis().count)
    let listed = hours > 1 ? max(2, listed / hours) : listed
    // Only this connection has the copy of the table without lines (`narrowRoutes`).
    let hasLines = record.identity.flag(.shapes) == true
    let parts = Array(
      (1..<end).batches(of: max(RouteSurvey.smallestPart, hasLines ? end : (end + workers - 1) / workers)))
    guard parts.count > 1 else {
      return try RouteSurvey(of: 1..<end, in: database, listing: listed, hours: hours, among: end - 1)
    }
    let surveys = try inParallel(parts, workers: workers) { [path] rows in
      Result {
        try RouteSurvey(
          of: rows, in: ResultsDatabase(path: path).database, listing: listed, hours: hours, among: end - 1)
      }
    }.map { try $0.get() }
    return surveys.dropFirst().reduce(into: surveys[0]) { $0.add($1) }
  }
}
