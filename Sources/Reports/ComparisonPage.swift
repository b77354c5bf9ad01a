import Foundation
import Geography
import Jobs
import Tables

/// The page that compares two runs.
package struct ComparisonPage {
  let database: ComparisonDatabase
  private let facts: ComparisonFacts
  private static let maximumRows = 100
  /// The maximum number of changed rows on a page.
  private static let maximumListed = 20_000

  /// Opens a comparison. *Throws*: `ResultsError` if this is not the database of a comparison.
  package init(of path: String) throws {
    database = try ComparisonDatabase(path: path)
    facts = database.facts
  }

  /// A one-sentence summary of the changes.
  package var headline: String { get throws { try database.headline } }

  package func write(to path: String) throws { try Page.write(html(), to: path) }

  package func html() throws -> String {
    let counts = try database.counts()
    let rows = counts.reduce(0) { $0 + $1.rows }
    let changed = counts.filter { $0.change != .same }
    let quantiles = try database.quantiles()
    let extreme = quantiles.filter { ["p05", "p95"].contains($0.measure) }.max { abs($0.ratio) < abs($1.ratio) }
    var figures =
      [(Format.count(changed.reduce(0) { $0 + $1.rows }), "of \(Format.count(rows, facts.kind.noun)) changed")]
      + changed.prefix(4).map { (Format.count($0.rows), ComparisonPage.words($0.change)) }
    if let extreme, extreme.ratio != 0, !changed.isEmpty {
      figures.append((Format.change(extreme.ratio), "19 in 20 \(extreme.ratio < 0 ? "fell" : "rose") by no more"))
    }
    let sections =
      try HTML.section("Changes", countTable(counts) + shareTable() + placeTable() + reasonTable() + quantileTable())
      + HTML.folded("Largest changes", rowTable()) + HTML.folded("By zone", zoneTable())
      + HTML.folded("Provenance", HTML.list(facts.listed(withReasons: !changed.isEmpty || facts.difference != nil)))
    let flows = try database.flows(atMost: ComparisonPage.maximumFlows)
    let unit = try database.flowsHaveWeights() ? "weighted trips" : "trips"
    let streets =
      flows.isEmpty ? "" : HTML.folded("Streets", streetTable(flows, of: try database.flowCount(), unit: unit))
    let (map, data) = try map(changed.reduce(0) { $0 + $1.rows }, flows, unit)
    let why = changed.isEmpty ? "" : "; \(facts.explanation)"
    return Page(
      title: "Comparison: \(facts.old.path) and \(facts.new.path)", heading: "Changes",
      headline: try headline, subtitle: "\(describe(facts.old)) compared with \(describe(facts.new))\(why)",
      map: map, figures: figures, content: sections + streets,
      version: facts.new.provenance.version, data: data
    ).html
  }

  /// Returns a map of origins, coloured by the changes of their rows; empty if nothing changed or no place is known.
  private func map(_ count: Int, _ flows: [ChangedFlow], _ unit: String) throws -> (html: String, data: PageData?) {
    let (places, origins) = (try database.places(), try database.origins())
    let backdrop = try database.backdrop()
    let extent = BoundingBox(around: backdrop.first { $0.layer == "extent" }?.shapes.flatMap { $0.joined() } ?? [])
    let all = places.map(\.point) + flows.flatMap(\.points)
    // Places far outside the map would make all others a dot.
    let inside = all.filter { extent.contains($0) }
    guard count > 0, var picture = MapPicture(around: inside.isEmpty ? all : inside, and: all) else {
      return ("", nil)
    }
    let scale = ChangeScale(origins.compactMap(\.difference), comparesAreas: facts.comparesAreas)
    picture.draw(backdrop)
    let flowScale = FlowScale(most: flows.map { abs($0.difference) }.max() ?? 0)
    draw(flows, by: flowScale, in: &picture)
    let points = Dictionary(places.filter { $0.role == .origin }.map { ($0.id, $0.point) }) { first, _ in first }
    picture.draw(
      origins.compactMap { origin in points[origin.id].map { ($0, origin.difference.map(scale.shade)) } },
      palette: "--d")
    let none = "only new, gone, newly reachable or newly unreachable rows"
    if !flows.isEmpty { picture.explain([("--more", "more \(unit) on a street"), ("--less", "fewer \(unit)")]) }
    picture.explain(scale.legend + (origins.contains { $0.difference == nil } ? [("--none", none)] : []))
    let rows = try database.greatest(atMost: ComparisonPage.maximumListed)
    var data = PageData(kind: "compare", box: picture.box, scripts: ["flows", "swipe", "compare"])
    data.add("unit", PageData.json(facts.comparesAreas ? "m2" : "s"))
    if !facts.comparesAreas {
      let times = origins.flatMap { origin in
        [origin.old, origin.old.flatMap { old in origin.difference.map { old + $0 } }].compactMap(\.self)
      }
      data.add("scale", PageData.list(ColorScale(times: times).breaks) { PageData.json($0, places: 0) })
    }
    data.add("limits", PageData.list(scale.limits) { PageData.json($0, places: 0) })
    data.add("legend", PageData.list(scale.legend) { PageData.json($0.text) })
    data.add("none", PageData.json(none))
    data.add(rows, of: count, origins, places, try database.routes())
    data.add(flows, by: flowScale, unit: unit, isLeft: facts.drivesOnLeft)
    data.add(backdrop)
    let html = picture.html(title: "Changes", unit: "origins by the mean change of their changed rows")
    return (Report.placeholder + html, data)
  }

  private func describe(_ run: ComparisonFacts.Run) -> String {
    let (map, date) = (run.provenance.map, run.provenance.mapDate)
    return run.path + (map.isEmpty ? "" : " (\(map)\(date.isEmpty ? "" : " of \(Format.day(date))"))")
  }

  private static func words(_ change: Change) -> String { change.rawValue.replacing("_", with: " ") }

  /// Returns a time in minutes or an area in square kilometres.
  private func value(_ value: Double?) -> ReportTable.Cell {
    .number(value.map { facts.comparesAreas ? $0 / 1_000_000 : $0 / 60 }, places: 2)
  }

  private var unit: String { facts.comparesAreas ? "km²" : "min" }

  private func countTable(_ counts: [(change: Change, rows: Int, share: Double)]) -> String {
    ReportTable(
      "All rows", note: "table change_count", heads: ["change", "#rows", "#share"],
      rows: counts.map { count in
        [.text(ComparisonPage.words(count.change)), .count(count.rows), .number(count.share, Format.percent)]
      }
    ).html
  }

  /// Returns the table of shares, if both runs are access studies or matrices with sums of weights.
  private func shareTable() throws -> String {
    let shares = try database.shares()
    let hasPercentiles = shares.contains { $0.percentile != nil }
    let hasHours = hasPercentiles || shares.contains { $0.departure != nil }
    func difference(_ share: ChangedShare) -> Double? {
      share.old.share.flatMap { old in share.new.share.map { ($0 - old) * 100 } }
    }
    let hour: [String] = hasHours ? [hasPercentiles ? "#percentile" : "#departure"] : []
    return ReportTable(
      "Within each threshold, before and now", note: "table change_of_share",
      heads: ["of"] + hour
        + ["#within, min", "#reached before", "#reached now", "#share before", "#share now", "#difference, points"],
      rows: shares.map { share in
        [.text(facts.unit(of: share.measure))]
          + (hasHours ? [.number((share.departure ?? share.percentile).map(Double.init))] : [])
          + [
            .number(Double(share.threshold) / 60) { Format.minutes(($0 * 60).rounded()) },
            .number(share.old.value), .number(share.new.value), .number(share.old.share, Format.percent),
            .number(share.new.share, Format.percent),
            .number(difference(share)) { "\($0 > 0 ? "+" : "")\(Format.decimal($0, 1))" },
          ]
      }
    ).html
  }

  /// Returns the table of places that exist in only one run or have moved.
  private func placeTable() throws -> String {
    let places = try database.places().filter { $0.change != nil }
    let shown = places.prefix(ComparisonPage.maximumRows)
    return ReportTable(
      "New, removed and moved places",
      note: shown.count < places.count ? "\(shown.count) of \(places.count), all in table place" : "table place",
      heads: ["place", "role", "change"],
      rows: shown.map { place in
        [.link(place.label, HTML.link(to: place.point)), .text(place.role.rawValue), .text(place.change ?? "")]
      }
    ).html
  }

  private func reasonTable() throws -> String {
    ReportTable(
      "Reasons", note: "table change", heads: ["change", "reason", "#rows"],
      rows: try database.reasons().map { reason in
        [.text(ComparisonPage.words(reason.change)), .text(reason.reason), .count(reason.rows)]
      }
    ).html
  }

  private func quantileTable() throws -> String {
    let quantiles = try database.quantiles()
    guard quantiles.contains(where: { $0.ratio != 0 }) else { return "" }
    return ReportTable(
      "How \(facts.comparesAreas ? "areas" : "travel times") changed, relative to the old values",
      note: "table change_quantile, all rows in both runs", heads: ["measure", "#change"],
      rows: quantiles.map { [.text($0.measure), .number($0.ratio, Format.change)] }
    ).html
  }

  private func rowTable() throws -> String {
    let rows = try database.greatest(atMost: ComparisonPage.maximumRows)
    return ReportTable(
      "At most \(ComparisonPage.maximumRows) rows", note: "all in table change",
      heads: ["item", "change", "#before, \(unit)", "#now, \(unit)", "#change", "why"],
      rows: rows.map { row in
        [
          .text(row.item), .text(ComparisonPage.words(row.change)), value(row.old), value(row.new),
          .number(row.ratio, Format.change),
          .text(row.reason ?? ""),
        ]
      }
    ).html
  }

  private func zoneTable() throws -> String {
    let (down, up) = facts.comparesAreas ? ("smaller", "larger") : ("faster", "slower")
    return ReportTable(
      "At most \(ComparisonPage.maximumRows)", note: "table change_by_zone",
      heads: [
        "zone", "#rows", "#new", "#gone", "#\(down)", "#\(up)", "#newly unreachable", "#newly reachable",
        "#mean before, \(unit)", "#mean now, \(unit)",
      ],
      rows: try database.zones(atMost: ComparisonPage.maximumRows) { zone in
        let counts = ["rows", "new", "gone", "faster", "slower", "newly_unreachable", "newly_reachable"]
        return try [.text(zone["zone"])] + counts.map { .count(try zone[$0]) }
          + [value(zone["old_mean"]), value(zone["new_mean"])]
      }
    ).html
  }
}

extension Format {
  /// Returns a change in per cent: "+7.6 %", from 100 % without decimals.
  static func change(_ ratio: Double) -> String {
    "\(ratio > 0 ? "+" : "")\(decimal(ratio * 100, abs(ratio) < 0.9995 ? 1 : 0)) %"
  }
}

/// Six colours for decreases and increases, three each; the outermost are for the largest.
struct ChangeScale {
  /// The limits of the inner and the middle class on each side, in seconds or square metres.
  let limits: [Double]
  private let comparesAreas: Bool

  private static let rounded: [[Double]] = [[10, 30], [30, 60], [60, 120], [120, 300], [300, 600], [600, 1800]]

  /// Chooses round limits: for times, the finest whose outer limit is exceeded by at most one difference in six; for
  /// areas, the power of ten below that difference, and a fifth of the power.
  init(_ differences: [Double], comparesAreas: Bool) {
    let sorted = differences.map(abs).sorted()
    let most = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 5 / 6]
    self.comparesAreas = comparesAreas
    if comparesAreas {
      let power = pow(10, log10(max(most, 100)).rounded(.down))
      limits = [power / 5, power]
    } else {
      limits = ChangeScale.rounded.first { most <= $0[1] } ?? ChangeScale.rounded.last!
    }
  }

  /// Returns a shade from 0, for the largest decrease, to 5.
  func shade(of difference: Double) -> Int {
    let size = limits.count { abs(difference) > $0 }
    return difference < 0 ? 2 - size : 3 + size
  }

  var legend: [(color: String, text: String)] {
    let (less, more) = comparesAreas ? ("smaller", "larger") : ("faster", "slower")
    let sizes = [
      "more than \(text(limits[1]))", "\(text(limits[0])) to \(text(limits[1]))", "less than \(text(limits[0]))",
    ]
    let texts = sizes.map { "\(less) by \($0)" } + sizes.reversed().map { "\(more) by \($0)" }
    return texts.enumerated().map { ("--d\($0.offset)", $0.element) }
  }

  private func text(_ limit: Double) -> String {
    if comparesAreas {
      return limit < 100_000 ? "\(Format.decimal(limit)) m²" : "\(Format.decimal(limit / 1_000_000, 2)) km²"
    }
    return limit < 60 ? "\(Format.decimal(limit)) s" : "\(Format.minutes(limit)) min"
  }
}

/// Streets with the number of trips on them in both runs, and the routes of changed rows.
extension ComparisonPage {
  /// The maximum number of streets: more are too many for a page, and too thin to be visible.
  static let maximumFlows = 6000

  /// Draws streets whose trips changed: increases in one colour, decreases in another.
  func draw(_ flows: [ChangedFlow], by scale: FlowScale, in picture: inout MapPicture) {
    for (shade, width) in FlowScale.widths.enumerated() {
      for (color, isMore) in [("--less", false), ("--more", true)] {
        let drawn = flows.filter {
          (isMore ? $0.difference > 0 : $0.difference < 0) && scale.shade(of: abs($0.difference)) == shade
        }
        picture.draw(drawn.map(\.points), color: color, width: width)
      }
    }
  }

  func streetTable(_ flows: [ChangedFlow], of count: Int, unit: String) -> String {
    let shown = min(flows.count, 50)
    return ReportTable(
      "Streets with the largest change of \(unit)",
      note: "\(shown) of \(Format.count(count)), both directions together; all in table change_of_flow",
      heads: ["street", "#before", "#now", "#change"],
      rows: flows.prefix(shown).map { flow in
        [
          .link(flow.name, flow.points.first.map(HTML.link)), .number(flow.old.forward + flow.old.backward),
          .number(flow.new.forward + flow.new.backward),
          .number(flow.difference) { "\($0 > 0 ? "+" : "")\(Format.decimal($0))" },
        ]
      }
    ).html
  }
}

extension PageData {
  /// Adds streets with the number of trips in both runs, greatest changes first.
  mutating func add(_ flows: [ChangedFlow], by scale: FlowScale, unit: String, isLeft: Bool) {
    guard !flows.isEmpty else { return }
    add(flowsOf: flows.map { ($0.name, $0.points) }, by: scale, unit: unit, isShown: true, isLeft: isLeft) { index in
      let flow = flows[index]
      return [flow.old.forward, flow.new.forward, flow.old.backward, flow.new.backward]
        .map { PageData.json($0, places: 2) }
    }
  }

  /// Returns the routes of rows, by row index.
  static func json(_ routes: [Int: ChangedRoute], of rows: [ComparisonDatabase.Row]) -> String {
    let entries = rows.enumerated().compactMap { index, row in
      routes[row.id].map { route in
        let lines = [route.old.points, route.new.points].map { json(EncodedPolyline.text(of: $0.isEmpty ? [] : [$0])) }
        return "[\(index),\(json(route.old.name)),\(json(route.new.name)),\(lines.joined(separator: ","))]"
      }
    }
    return "[\(entries.joined(separator: ",\n"))]"
  }

  /// Adds changed rows, the origins of all changes, their places, and the routes of some rows.
  mutating func add(
    _ rows: [ComparisonDatabase.Row], of count: Int, _ origins: [ChangedOrigin], _ places: [ComparedPlace],
    _ routes: [Int: ChangedRoute]
  ) {
    func index(where isIncluded: (ComparedPlace) -> Bool) -> [String: Int] {
      Dictionary(places.enumerated().filter { isIncluded($1) }.map { ($1.id, $0) }) { first, _ in first }
    }
    let (originIndex, otherIndex) = (index { $0.role == .origin }, index { $0.role != .origin })
    var reasons = Interner<String>()
    let changes = Change.allCases
    func indices(_ values: [Int?]) -> String { PageData.list(values) { String($0 ?? -1) } }
    let located = origins.filter { originIndex[$0.id] != nil }
    var members: [(String, String)] = [
      PageData.column("ids", places) { PageData.json($0.id) },
      PageData.column("names", places) { PageData.json($0.label) },
      ("points", PageData.json(line: places.map(\.point))),
      PageData.column("roles", places) { PageData.json($0.role.rawValue) },
      PageData.column("moves", places) { PageData.json($0.change) },
      ("origins", indices(located.map { originIndex[$0.id] })),
      PageData.column("differences", located) { PageData.json($0.difference, places: 1) },
      PageData.column("before", located) { PageData.json($0.old, places: 1) },
      PageData.column("counts", located) { origin in
        PageData.list(changes.enumerated().filter { origin.counts[$1] != nil }) { number, change in
          "[\(number),\(origin.counts[change]!)]"
        }
      },
      PageData.column("items", rows) { PageData.json($0.item) },
      ("from", indices(rows.map { $0.origin.flatMap { originIndex[$0] } })),
      ("to", indices(rows.map { $0.destination.flatMap { otherIndex[$0] } })),
      PageData.column("change", rows) { String(changes.firstIndex(of: $0.change)!) },
      PageData.column("changes", changes) { PageData.json($0.rawValue.replacing("_", with: " ")) },
      PageData.column("old", rows) { PageData.json($0.old, places: 1) },
      PageData.column("new", rows) { PageData.json($0.new, places: 1) },
      PageData.column("why", rows.map { reasons.index(of: $0.reason ?? "") }) { String($0) },
      PageData.column("reasons", reasons.values) { PageData.json($0) }, ("routes", PageData.json(routes, of: rows)),
    ]
    if rows.count < count {
      let text =
        "\(Format.count(rows.count, of: count)) changed rows are listed, those with the largest changes; "
        + "all origins are on the map."
      members.append(("leftOut", PageData.json(text)))
    }
    add("compare", PageData.object(members))
  }
}
