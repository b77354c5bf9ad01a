import Foundation
import Geography
import Results

/// A results database as one page for people: a map, curves, tables, and where all of it comes from.
///
///     try Report(of: "reports/helsinki/results.sqlite").write(to: "reports/helsinki/report.html")
///
/// One file without anything from a network; the same for the same results. When a job ran, and how fast, stands in its
/// table `job` alone.
package struct Report {
  let database: ResultsDatabase
  let facts: [String: String]
  let kind: String

  /// *Throws*: `ResultsError` where this is no results database.
  package init(of path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ResultsError(path: path, problem: "there is no such file; a results.sqlite is needed")
    }
    do {
      database = try ResultsDatabase(path: path)
      facts = try database.facts()
      kind = try database.kind()
    } catch let error as ResultsError {
      throw ResultsError(path: path, problem: "this is no results database of a job: \(error.problem)")
    }
    guard facts["state"] == "finished" else {
      throw ResultsError(path: path, problem: "the job has not been finished; run it again")
    }
  }

  /// Writes the page under its name when it is whole. *Throws*: `ResultsError`.
  package func write(to path: String) throws { try Page.write(html(), to: path) }

  /// The page.
  package func html() throws -> String {
    let content =
      switch kind {
      case "access": try access()
      case "isochrones": try isochrones()
      case "matrix": try matrix()
      default: try trips()
      }
    let parts =
      try content.map + section("Distributions", charts(content)) + section("In numbers", statistics())
      + content.tables + section("Places", placeTable()) + section("Rejected rows", rejected()) + provenance()
    return Page(
      title: "\(content.title): \(mapName)", heading: content.title, subtitle: content.subtitle,
      figures: try keyFigures(content), content: parts, version: facts["version"] ?? ""
    ).html
  }

  /// What a kind of job shows.
  struct Content {
    var title: String
    var subtitle: String
    /// Large numbers at the top: what they are, and the numbers.
    var figures: [(value: String, text: String)] = []
    var map = ""
    /// Charts beside the histograms, before them.
    var charts: [String] = []
    var tables = ""
    /// What histograms count.
    var rows: String
  }

  // MARK: What all kinds have

  var mapName: String { ((facts["map"] ?? "") as NSString).lastPathComponent }
  var travelling: String {
    ["automobile": "by car", "cycling": "by bicycle", "walking": "on foot"][facts["transport_type"] ?? ""] ?? ""
  }
  var snapLimit: String { Double(facts["snap_limit"] ?? "").map { decimal($0) } ?? "" }
  /// Seconds, ascending.
  var thresholds: [Int] { (facts["thresholds"] ?? "").split(separator: ",").compactMap { Int($0) } }

  func file(_ key: String) -> String {
    let path = facts[key] ?? ""
    return path.hasPrefix("osm:") ? "the map's \(path.dropFirst(4))" : (path as NSString).lastPathComponent
  }

  private func keyFigures(_ content: Content) throws -> [(value: String, text: String)] {
    let counts = try database.statusCounts()
    let all = counts.reduce(0) { $0 + $1.count }
    let ok = counts.first { $0.status == "ok" }?.count ?? 0
    return [(decimal(Double(ok)), "of \(decimal(Double(all))) \(content.rows) ok")] + content.figures
  }

  private func charts(_ content: Content) throws -> String {
    let order = Statistic.Measure.allCases
    let histograms = try database.histograms().enumerated().sorted { a, b in
      (order.firstIndex(of: a.element.measure)!, a.offset) < (order.firstIndex(of: b.element.measure)!, b.offset)
    }.map(\.element)
    let charts =
      content.charts
      + histograms.map { histogram in
        let threshold = histogram.scope.split(separator: ":").last.flatMap { Double($0) }
        let title = threshold.map { "\(histogram.measure.heading.title) within \(minutes($0)) min" }
        return Chart(histogram, title: title, of: content.rows).html
      }
    return charts.isEmpty ? "" : "<div class=\"charts\">\(charts.joined())</div>\n"
  }

  private func statistics() throws -> String {
    let order = Statistic.Measure.allCases
    let statistics = try database.statistics().sorted { a, b in
      (a.scope == "job" ? 0 : 1, a.scope, order.firstIndex(of: a.measure)!)
        < (b.scope == "job" ? 0 : 1, b.scope, order.firstIndex(of: b.measure)!)
    }
    return ReportTable(
      "Spread of each measure", note: "table statistic",
      heads: ["of", "measure", "#count", "#min", "#p05", "#p25", "#median", "#mean", "#p75", "#p95", "#max"],
      rows: statistics.map { statistic in
        let heading = statistic.measure.heading
        var values = statistic.quantiles
        values.insert(statistic.mean, at: 4)
        return [.text(scopeName(statistic.scope)), .text("\(heading.title), \(heading.unit)")]
          + [.number(Double(statistic.count)) { decimal($0) }]
          + values.map { .number($0 / heading.scale) { decimal($0, heading.places) } }
      }
    ).html
  }

  private func scopeName(_ scope: String) -> String {
    if scope == "job" { return "all" }
    guard let name = scope.split(separator: ":", maxSplits: 1).last.map(String.init) else { return scope }
    return scope.hasPrefix("threshold:") ? "within \(minutes(Double(name) ?? 0)) min" : name
  }

  private func placeTable() throws -> String {
    ReportTable(
      "Places of the input, and how far from a street they are", note: "table place",
      heads: ["role", "#places", "#on a street", "#mean distance, m", "#greatest, m"],
      rows: try database.placeCounts().map { places in
        [
          .text(places.role), .number(Double(places.count)) { decimal($0) }, .number(Double(places.ok)) { decimal($0) },
          .number(places.meanSnapDistance) { decimal($0, 1) }, .number(places.maxSnapDistance) { decimal($0) },
        ]
      }
    ).html
  }

  private func rejected() throws -> String {
    let shown = 100
    let (rows, count) = try database.rejected(atMost: shown)
    return ReportTable(
      "Rows of the input that cannot be used", note: of(rows.count, count, "table rejected"),
      heads: ["file", "#line", "why", "text"],
      rows: rows.map { row in
        [
          .text((row.file as NSString).lastPathComponent), .number(Double(row.line)) { decimal($0) }, .text(row.reason),
          .text(row.text.count > 120 ? row.text.prefix(119) + "…" : row.text),
        ]
      }
    ).html
  }

  /// "the first 100 of 2,345; all in table route".
  func of(_ shown: Int, _ count: Int, _ table: String) -> String {
    shown < count ? "\(decimal(Double(shown))) of \(decimal(Double(count))), all in \(table)" : table
  }

  private func provenance() -> String {
    // The times of the run would make equal results differ.
    let hidden: Set<String> = ["started", "finished", "seconds", "rate", "workers", "state", "job_file_sha256"]
    let shown = facts.sorted { $0.key < $1.key }.filter { !hidden.contains($0.key) }
    return section("Where this comes from", list(shown.map { ($0.key, $0.value) }))
  }

  func cell(_ place: NamedPlace?) -> ReportTable.Cell {
    guard let place else { return .text("–") }
    return .link(place.label, place.point.map(link))
  }
}
