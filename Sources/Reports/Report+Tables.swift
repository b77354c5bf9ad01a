import Foundation
import Jobs
import Tables

/// Charts and tables for jobs of all kinds.
extension Report {
  func charts(_ content: Content) throws -> String {
    let order = Statistic.Measure.allCases
    let histograms = try database.histograms().enumerated().sorted { a, b in
      (order.firstIndex(of: a.element.measure) ?? 0, Report.rank(of: a.element.scope), a.offset)
        < (order.firstIndex(of: b.element.measure) ?? 0, Report.rank(of: b.element.scope), b.offset)
    }.map(\.element)
    // A measure whose values differ by at most half a per cent gets no histogram, only its row in the statistics table.
    let single = try Set(
      database.statistics().filter { $0.quantiles[6] - $0.quantiles[0] <= abs($0.quantiles[6]) / 200 }
        .map { "\($0.scope) \($0.measure)" })
    let charts =
      content.charts
      + histograms.filter { !single.contains("\($0.scope) \($0.measure)") }.map { histogram in
        let threshold = histogram.scope.split(separator: ":").last.flatMap { Int($0) }
        let title = threshold.map { "\(histogram.measure.heading.title) \(database.record.reach($0))" }
        let rows =
          switch histogram.measure {
          case .stepLength: "steps"
          case .snapDistance: "fixes"
          case .dwellTime: "stops"
          default: content.rows
          }
        return Chart(histogram, title: title, unit: unit(of: histogram.measure), of: rows).html
      }
    return charts.isEmpty ? "" : "<div class=\"charts\">\(charts.joined())</div>\n"
  }

  func statistics() throws -> String {
    let order = Statistic.Measure.allCases
    let statistics = try database.statistics().filter { !$0.scope.hasPrefix("hour:") }.sorted { a, b in
      (Report.rank(of: a.scope), a.scope, order.firstIndex(of: a.measure) ?? 0)
        < (Report.rank(of: b.scope), b.scope, order.firstIndex(of: b.measure) ?? 0)
    }
    return ReportTable(
      "Distribution of each measure", note: "table statistic",
      heads: ["of", "measure", "#count", "#min", "#p05", "#p25", "#median", "#mean", "#p75", "#p95", "#max"],
      rows: statistics.map { statistic in
        let heading = statistic.measure.heading
        var values = statistic.quantiles
        values.insert(statistic.mean, at: 4)
        return [.text(scopeName(statistic.scope)), .text("\(heading.title), \(unit(of: statistic.measure))")]
          + [.count(statistic.count)]
          + values.map { .number($0 / heading.scale, places: heading.places) }
      }
    ).html
  }

  /// Returns the unit of a measure. The detour of a trace is relative to the fastest trip.
  private func unit(of measure: Statistic.Measure) -> String {
    database.kind == .traces && measure == .detour ? "trip / fastest trip" : measure.heading.unit
  }

  /// Returns the sort rank of a scope: the whole job comes first, then thresholds by their seconds, then groups by
  /// name.
  private static func rank(of scope: String) -> Int {
    if scope == "job" { return -1 }
    return scope.hasPrefix("threshold:") ? Int(scope.dropFirst("threshold:".count)) ?? .max : .max
  }

  private func scopeName(_ scope: String) -> String {
    if scope == "job" { return "all" }
    guard let name = scope.split(separator: ":", maxSplits: 1).last.map(String.init) else { return scope }
    return scope.hasPrefix("threshold:") ? database.record.reach(Int(name) ?? 0) : name
  }

  func placeTable() -> String {
    ReportTable(
      "Input places and their distances to the nearest street", note: "table place",
      heads: ["role", "#places", "#on a street", "#mean distance, m", "#greatest, m"],
      rows: placeSurvey.roles.map { places in
        [
          .text(places.role.rawValue), .count(places.count), .count(places.ok),
          .number(places.meanSnapDistance, places: 1), .number(places.maxSnapDistance),
        ]
      }
    ).html
  }

  func rejected() throws -> String {
    let shown = 100
    let (rows, count) = try database.rejected(atMost: shown)
    return ReportTable(
      "Rejected input rows", note: of(rows.count, count, "table rejected"), heads: ["file", "#line", "why", "text"],
      rows: rows.map { row in
        [
          .text((row.file as NSString).lastPathComponent), .count(row.line), .text(row.reason),
          .text(row.text.count > 120 ? row.text.prefix(119) + "…" : row.text),
        ]
      }
    ).html
  }
}
