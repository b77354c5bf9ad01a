import Foundation
import Geography
import Results

/// A results database as one page for people: a map, curves, tables, and where all of it comes from.
///
///     try Report(of: "reports/helsinki/results.sqlite").write(to: "reports/helsinki/report.html")
///
/// One file that loads nothing from a network; the same for the same results. When a job ran, and how fast, is in its
/// table `job` alone.
package struct Report {
  let database: ResultsDatabase
  let identity: Entries<IdentityKey>

  /// *Throws*: `ResultsError` where this is not a finished results database.
  package init(of path: String) throws {
    database = try ResultsDatabase(path: path)
    identity = database.record.identity
  }

  /// Writes the page under its name when it is whole. *Throws*: `ResultsError`.
  package func write(to path: String) throws { try Page.write(html(), to: path) }

  /// The page.
  package func html() throws -> String {
    let content =
      switch database.kind {
      case .routes, .etas: try trips()
      case .matrix: try matrix()
      case .access: try access()
      case .isochrones: try isochrones()
      }
    let parts =
      try content.map + HTML.section("Distributions", charts(content)) + HTML.section("In numbers", statistics())
      + content.tables + HTML.section("Places", placeTable()) + HTML.section("Rejected rows", rejected()) + provenance()
    return Page(
      title: "\(content.title): \(mapName)", heading: content.title, subtitle: content.subtitle,
      figures: try keyFigures(content), content: parts, version: identity[.version] ?? ""
    ).html
  }

  /// What a kind of job shows.
  struct Content {
    var title: String
    var subtitle: String
    /// Large numbers at the top: what they are, and the numbers.
    var figures: [(value: String, text: String)] = []
    var map = ""
    /// Charts before the histograms.
    var charts: [String] = []
    var tables = ""
    /// What histograms count.
    var rows: String
  }

  // MARK: What all kinds have

  var mapName: String { ((identity[.map] ?? "") as NSString).lastPathComponent }
  var travelling: String {
    ["automobile": "by car", "cycling": "by bicycle", "walking": "on foot"][identity[.transportType] ?? ""] ?? ""
  }
  var snapLimit: String { identity.number(.snapLimit).map { Format.decimal($0) } ?? "" }
  /// Seconds, ascending.
  var thresholds: [Int] { identity.integers(.thresholds) }
  var lastThreshold: Int { thresholds.last ?? 0 }

  func file(_ key: IdentityKey) -> String {
    let path = identity[key] ?? ""
    return path.hasPrefix("osm:") ? "the map's \(path.dropFirst(4))" : (path as NSString).lastPathComponent
  }

  private func keyFigures(_ content: Content) throws -> [(value: String, text: String)] {
    let counts = try database.statusCounts()
    let all = counts.reduce(0) { $0 + $1.count }
    let ok = counts.first { $0.status == .ok }?.count ?? 0
    return [(Format.decimal(Double(ok)), "of \(Format.decimal(Double(all))) \(content.rows) ok")] + content.figures
  }

  private func charts(_ content: Content) throws -> String {
    let order = Statistic.Measure.allCases
    let histograms = try database.histograms().enumerated().sorted { a, b in
      (order.firstIndex(of: a.element.measure) ?? 0, a.offset) < (
        order.firstIndex(of: b.element.measure) ?? 0, b.offset
      )
    }.map(\.element)
    let charts =
      content.charts
      + histograms.map { histogram in
        let threshold = histogram.scope.split(separator: ":").last.flatMap { Double($0) }
        let title = threshold.map { "\(histogram.measure.heading.title) within \(Format.minutes($0)) min" }
        return Chart(histogram, title: title, of: content.rows).html
      }
    return charts.isEmpty ? "" : "<div class=\"charts\">\(charts.joined())</div>\n"
  }

  private func statistics() throws -> String {
    let order = Statistic.Measure.allCases
    let statistics = try database.statistics().sorted { a, b in
      (a.scope == "job" ? 0 : 1, a.scope, order.firstIndex(of: a.measure) ?? 0)
        < (b.scope == "job" ? 0 : 1, b.scope, order.firstIndex(of: b.measure) ?? 0)
    }
    return ReportTable(
      "Distribution of each measure", note: "table statistic",
      heads: ["of", "measure", "#count", "#min", "#p05", "#p25", "#median", "#mean", "#p75", "#p95", "#max"],
      rows: statistics.map { statistic in
        let heading = statistic.measure.heading
        var values = statistic.quantiles
        values.insert(statistic.mean, at: 4)
        return [.text(scopeName(statistic.scope)), .text("\(heading.title), \(heading.unit)")]
          + [.number(Double(statistic.count)) { Format.decimal($0) }]
          + values.map { .number($0 / heading.scale) { Format.decimal($0, heading.places) } }
      }
    ).html
  }

  private func scopeName(_ scope: String) -> String {
    if scope == "job" { return "all" }
    guard let name = scope.split(separator: ":", maxSplits: 1).last.map(String.init) else { return scope }
    return scope.hasPrefix("threshold:") ? "within \(Format.minutes(Double(name) ?? 0)) min" : name
  }

  private func placeTable() throws -> String {
    ReportTable(
      "Places of the input, and how far from a street they are", note: "table place",
      heads: ["role", "#places", "#on a street", "#mean distance, m", "#greatest, m"],
      rows: try database.placeCounts().map { places in
        [
          .text(places.role.rawValue), .number(Double(places.count)) { Format.decimal($0) },
          .number(Double(places.ok)) { Format.decimal($0) },
          .number(places.meanSnapDistance) { Format.decimal($0, 1) },
          .number(places.maxSnapDistance) { Format.decimal($0) },
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
          .text((row.file as NSString).lastPathComponent), .number(Double(row.line)) { Format.decimal($0) },
          .text(row.reason),
          .text(row.text.count > 120 ? row.text.prefix(119) + "…" : row.text),
        ]
      }
    ).html
  }

  /// "the first 100 of 2,345; all in table route".
  func of(_ shown: Int, _ count: Int, _ table: String) -> String {
    shown < count ? "\(Format.decimal(Double(shown))) of \(Format.decimal(Double(count))), all in \(table)" : table
  }

  /// What the results were computed from; not when and how fast they were computed, which would make equal results differ.
  private func provenance() -> String {
    let run = database.record.run.entries.filter { $0.key == RunKey.jobFile.rawValue }
    let shown = (database.record.identity.entries + database.record.figures.entries + run).sorted { $0.key < $1.key }
    return HTML.section("Where this comes from", HTML.list(shown))
  }

  func cell(_ place: NamedPlace?) -> ReportTable.Cell {
    guard let place else { return .text("–") }
    return .link(place.label, place.point.map(HTML.link))
  }
}
