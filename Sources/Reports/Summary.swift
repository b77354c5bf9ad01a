import Geography
import Jobs
import Tables

/// A summary of a results database in a few lines for the terminal: the distribution of each measure, and the number of
/// rows per status.
package struct Summary {
  private let statistics: [Statistic]
  /// The percentiles that the statistics cover together: " at percentiles 50 and 90 together"; empty unless there are
  /// several.
  private let pooledWords: String
  private let counts: [StatusCount]
  private let longWaits: (count: Int, words: String)
  /// The numbers of all input rows and of rejected ones.
  private let input: (all: Int, rejected: Int)
  private let database: ResultsDatabase
  /// The results in one sentence, and a line about missing data.
  package let headline: String
  package let missing: String

  package init(of folder: ResultsFolder) throws {
    database = try ResultsDatabase(path: folder.database)
    statistics = try database.statistics().filter { !$0.scope.hasPrefix("group:") && !$0.scope.hasPrefix("hour:") }
    pooledWords = try database.rowAxis().pooledWords
    counts = try database.statusCounts()
    longWaits = (try database.typicalLongWaits, try database.percentileWords)
    (headline, missing) = (try database.headline, try database.missing)
    input = try database.inputRows()
  }

  /// Returns problems with places: one line per role, with shares of the places on the map.
  package func problemLines() throws -> [String] { try PlaceProblems.lines(of: database, database.placeSurvey()) }

  /// Text such as "29 of 20 000 rows are ok, and 1 of 101 input rows was rejected, which counts as not ok".
  package var okShare: String {
    let were = input.rejected == 1 ? "was" : "were"
    let rejected = "\(Format.count(input.rejected, of: input.all)) input rows \(were) rejected, which counts as not ok"
    return "\(Format.count(counts.ok, of: counts.total)) rows are ok" + (input.rejected > 0 ? ", and \(rejected)" : "")
  }

  /// Returns whether enough rows are ok: at least `share` of them, or at least one if `share` is nil. True if there are
  /// no rows. A rejected input row counts as many times as other input rows have results: once per cell and hour.
  package func hasShare(_ share: Double?) -> Bool {
    guard counts.total > 0 else { return true }
    guard let share else { return counts.ok > 0 }
    // A single division of whole numbers avoids rounding errors: 55 of 100 is exactly 0.55.
    let ok = Double(counts.ok) * Double(input.all - input.rejected)
    return ok / (Double(counts.total) * Double(max(1, input.all))) >= share
  }

  /// The number of rows whose status is not `ok`.
  package var notOK: Int { counts.total - counts.ok }

  /// The statistics as a table with one line per measure; empty if no row is ok.
  package var table: String {
    var table = TextTable(["", "count", "min", "p05", "p25", "median", "mean", "p75", "p95", "max"])
    let rows = Statistic.Measure.allCases.flatMap { measure in
      statistics.filter { $0.measure == measure }.sorted { $0.quantiles[3] < $1.quantiles[3] }.map { statistic in
        var values = statistic.quantiles
        values.insert(statistic.mean, at: 4)
        let threshold = statistic.scope.split(separator: ":").dropFirst().first.flatMap { Int($0) }
        let within = threshold.map { " \(database.record.reach($0))" } ?? ""
        return [measure.title + within, String(statistic.count)] + values.map { measure.text($0) }
      }
    }
    rows.forEach { table.append($0) }
    return rows.isEmpty ? "" : table.description + (pooledWords.isEmpty ? "" : "\nall values\(pooledWords)")
  }

  /// Returns a line such as "20 000 routes: 19 971 ok, 29 placemark_not_found; 3 rows rejected".
  package func closingLine(unit: String, rejected: Int) -> String {
    let parts = counts.sorted {
      ($0.status == .ok ? 0 : 1, $0.status.rawValue) < ($1.status == .ok ? 0 : 1, $1.status.rawValue)
    }
    let list = parts.map { "\(Format.count($0.count)) \($0.status.rawValue)" }.joined(separator: ", ")
    let rejections = rejected > 0 ? "; \(rejected.counted("row")) rejected" : ""
    let (waits, words) = longWaits
    let waiting =
      "; \(Format.count(waits)) \(waits == 1 ? "waits" : "wait") longer than \(LongWait.seconds / 60) minutes\(words)"
    let noun = counts.total == 1 && unit.last == "s" ? String(unit.dropLast()) : unit
    return "\(Format.count(counts.total)) \(noun): \(list)\(rejections)\(waits > 0 ? waiting : "")"
  }
}

extension Statistic.Measure {
  fileprivate var title: String {
    switch self {
    case .distance: "distance, m"
    case .expectedTravelTime: "travel time, s"
    case .stepCount: "steps"
    case .stepLength: "step length, m"
    case .speed: "speed, m/s"
    case .detour: "detour"
    case .timeRatio: "time ratio"
    case .snapDistance: "snap distance, m"
    case .sigma: "sigma, m"
    case .dwellTime: "stop, s"
    case .area: "area, m²"
    }
  }

  /// Formats whole metres, seconds and steps; measures with small values get two decimals.
  fileprivate func text(_ value: Double) -> String {
    let places = [.speed, .detour, .timeRatio, .snapDistance, .sigma].contains(self) ? 2 : 0
    let scale = places == 2 ? 100.0 : 1
    var text = TextBuffer()
    guard let scaled = Int64(exactly: (value * scale).rounded()) else { return "–" }
    text.append(decimal: scaled, places: places)
    return text.string()
  }
}
