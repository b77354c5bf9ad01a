import Foundation
import Results

/// A comparison of two runs as one page for people.
package struct ComparisonPage {
  private let database: ComparisonDatabase
  private let facts: ComparisonFacts
  private static let mostRows = 100

  /// *Throws*: `ResultsError` where this is not the database of a comparison.
  package init(of path: String) throws {
    database = try ComparisonDatabase(path: path)
    facts = database.facts
  }

  /// *Throws*: `ResultsError`.
  package func write(to path: String) throws { try Page.write(html(), to: path) }

  package func html() throws -> String {
    let counts = try database.counts()
    let rows = counts.reduce(0) { $0 + $1.rows }
    let changed = counts.filter { $0.change != .same }
    let p95 = try database.quantiles().first { $0.measure == "p95" }?.ratio ?? 0
    let figures =
      [(Format.decimal(Double(changed.reduce(0) { $0 + $1.rows })), "of \(Format.decimal(Double(rows))) rows changed")]
      + changed.prefix(4).map { (Format.decimal(Double($0.rows)), ComparisonPage.words($0.change)) }
      + [(signed(p95), "95 in 100 rows changed by no more")]
    let sections =
      try HTML.section("Changes", countTable(counts) + reasonTable() + quantileTable())
      + HTML.section("Rows that changed most", rowTable()) + HTML.section("By zone", groupTable("zone", database.zones))
      + HTML.section("By street of the origin", groupTable("street", database.streets))
      + HTML.section("Streets that routes use more, or less", stepTable())
      + HTML.section("Provenance", HTML.list(facts.listed))
    return Page(
      title: "Comparison: \(facts.old.path) and \(facts.new.path)", heading: "What has changed",
      subtitle: "\(describe(facts.old)) compared with \(describe(facts.new)); why: \(facts.reasons)", figures: figures,
      content: sections, version: facts.new.provenance.version
    ).html
  }

  private func describe(_ run: ComparisonFacts.Run) -> String {
    let (map, date) = (run.provenance.map, run.provenance.mapDate)
    return "\(run.path) (\(map)\(date.isEmpty ? "" : " of \(date)"))"
  }

  private static func words(_ change: Change) -> String { change.rawValue.replacing("_", with: " ") }

  private func signed(_ ratio: Double) -> String { "\(ratio > 0 ? "+" : "")\(Format.decimal(ratio * 100, 2)) %" }

  /// A time in minutes, an area in square kilometres.
  private func value(_ value: Double?) -> ReportTable.Cell {
    .number(value.map { facts.comparesAreas ? $0 / 1_000_000 : $0 / 60 }) { Format.decimal($0, 2) }
  }

  private var unit: String { facts.comparesAreas ? "km²" : "min" }

  private func countTable(_ counts: [(change: Change, rows: Int, share: Double)]) -> String {
    ReportTable(
      "All rows", note: "table change_count", heads: ["change", "#rows", "#share"],
      rows: counts.map { count in
        [
          .text(ComparisonPage.words(count.change)), .number(Double(count.rows)) { Format.decimal($0) },
          .number(count.share, Format.percent),
        ]
      }
    ).html
  }

  private func reasonTable() throws -> String {
    ReportTable(
      "Reasons, where known", note: "table change", heads: ["change", "reason", "#rows"],
      rows: try database.reasons().map { reason in
        [
          .text(ComparisonPage.words(reason.change)), .text(reason.reason),
          .number(Double(reason.rows)) { Format.decimal($0) },
        ]
      }
    ).html
  }

  private func quantileTable() throws -> String {
    let quantiles = try database.quantiles()
    guard quantiles.contains(where: { $0.ratio != 0 }) else { return "" }
    return ReportTable(
      "How \(facts.comparesAreas ? "areas" : "travel times") changed, relative to what they were",
      note: "table change_quantile, all rows that both have", heads: ["measure", "#change"],
      rows: quantiles.map { [.text($0.measure), .number($0.ratio, signed)] }
    ).html
  }

  private func rowTable() throws -> String {
    let rows = try database.greatest(atMost: ComparisonPage.mostRows)
    return ReportTable(
      "At most \(ComparisonPage.mostRows) rows", note: "all in table change",
      heads: ["item", "change", "#before, \(unit)", "#now, \(unit)", "#change", "why"],
      rows: rows.map { row in
        [
          .text(row.item), .text(ComparisonPage.words(row.change)), value(row.old), value(row.new),
          .number(row.ratio, signed),
          .text(row.reason ?? ""),
        ]
      }
    ).html
  }

  private func groupTable(_ head: String, _ groups: (Int) throws -> [ComparisonDatabase.Group]) rethrows -> String {
    let (down, up) = facts.comparesAreas ? ("smaller", "larger") : ("faster", "slower")
    return ReportTable(
      "At most \(ComparisonPage.mostRows)", note: "table change_by_\(head)",
      heads: [
        head, "#rows", "#new", "#gone", "#\(down)", "#\(up)", "#newly unreachable", "#newly reachable",
        "#mean before, \(unit)", "#mean now, \(unit)",
      ],
      rows: try groups(ComparisonPage.mostRows).map { group in
        [.text(group.name)] + ([group.rows] + group.counts).map { .number(Double($0)) { Format.decimal($0) } }
          + [value(group.oldMean), value(group.newMean)]
      }
    ).html
  }

  private func stepTable() throws -> String {
    ReportTable(
      "Total time of all routes on each street", note: "table step_by_street",
      heads: ["street", "#before, min", "#now, min", "#difference, min"],
      rows: try database.steps(atMost: ComparisonPage.mostRows).map { street in
        [.text(street.street)]
          + [street.old, street.new, street.new - street.old].map { .number($0 / 60) { Format.decimal($0, 1) } }
      }
    ).html
  }
}
