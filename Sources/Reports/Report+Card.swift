import Foundation
import Jobs
import Tables

/// A picture of the results for a chat or a slide: the headline above the map, with a legend.
extension Report {
  /// Writes the picture as SVG of 1200 x 630 pixels. *Throws*: `ResultsError`.
  package func writeCard(to path: String) throws { try WrittenFile(path, .card).write(Array(try card().utf8)) }

  func card() throws -> String {
    let lines = try headlineLines(width: 56)
    let top = 76 + 46 * lines.count
    var report = self
    // The map fills the card above two rows of a legend, so that its text keeps about its nominal size.
    report.aspect = 1200 / Double(556 - top)
    let content = try report.content()
    let heading = identity.text(.title) ?? content.title
    let map = content.map
    let picture = map.range(of: "<svg ").flatMap { start in
      map.range(of: "</svg>", options: .backwards).map { String(map[start.upperBound..<$0.upperBound]) }
    }
    let caption = map.matches(of: /<figcaption>([^<]*) <small>([^<]*)</).prefix(1)
    let items =
      caption.map { (shape: "", text: Substring("\($0.1), \($0.2)")) }
      + map.matches(of: /<li><i(?: class="(\w+)")? style="--color:var\((--[\w-]+)\)(?:;--part:(\d+)%)?"><\/i>([^<]*)</)
      .map { (shape: Report.swatch($0.2, $0.3, shape: $0.1), text: $0.4) }
    let (legend, rows) = Report.legend(items)
    let bottom = 616 - 30 * max(2, rows)
    let style = Page.file("style.css").prefix { $0 != "}" }
    let title = lines.enumerated().map { index, line in
      "<text x=\"40\" y=\"\(92 + 46 * index)\" class=\"headline\">\(HTML.escaped(line))</text>"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img">
      <title>\(HTML.escaped(try database.headline))</title>
      <!-- generator: odometer \(HTML.escaped(identity[.version] ?? "")) -->
      <style>\(style.replacing("color-scheme: light dark;", with: ""))}
      text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }
      .headline { font-size: 33px; font-weight: 600; } .heading { font-size: 20px; fill: var(--soft); }
      .key { font-size: 18px; } .line { fill: none; stroke-linecap: round; stroke-linejoin: round; }
      .cells { fill-opacity: .74; stroke: var(--land); stroke-width: 6; }
      svg svg text { font-size: 13px; fill: var(--soft); stroke: var(--land); stroke-width: 3px; paint-order: stroke; }
      svg svg .name { font-size: 11px; } svg svg .large { font-size: 13px; font-weight: 600; }
      </style>
      <rect width="1200" height="630" fill="var(--paper)"/>
      <text x="40" y="46" class="heading">\(HTML.escaped(heading))</text>
      \(title.joined(separator: "\n"))
      <rect y="\(top)" width="1200" height="\(bottom - top)" fill="var(--land)"/>
      \(picture.map { "<svg y=\"\(top)\" width=\"1200\" height=\"\(bottom - top)\" preserveAspectRatio=\"xMidYMid meet\" \($0)" } ?? "")
      <g transform="translate(0 \(bottom + 13))">\(legend)</g>
      </svg>

      """
  }

  /// Returns the legend and its number of rows. The caption has no swatch.
  private static func legend(_ items: [(shape: String, text: Substring)]) -> (svg: String, rows: Int) {
    var (svg, x, row) = ("", 40, 0)
    for (shape, text) in items {
      // Letters of this size are ten to twelve pixels wide.
      let mark = shape.isEmpty ? 0 : 23
      let width = mark + text.count * 11
      if x + width > 1170 && x > 40 { (x, row) = (40, row + 1) }
      svg +=
        "<g transform=\"translate(\(x) \(row * 30))\">\(shape)<text x=\"\(mark)\" y=\"15\" class=\"key\">\(text)</text></g>"
      // Items begin below the caption.
      (x, row) = shape.isEmpty ? (40, row + 1) : (x + width + 25, row)
    }
    return (svg, row + 1)
  }

  /// Returns a swatch of 16 pixels that looks like the items on the map: a ring, hatches, or a colour over the land.
  private static func swatch(_ color: Substring, _ opacity: Substring?, shape: Substring?) -> String {
    let square = "<rect width=\"16\" height=\"16\" fill=\"var(--land)\"/>"
    return switch shape {
    case "ring": "<circle cx=\"8\" cy=\"8\" r=\"6\" fill=\"var(--paper)\" stroke=\"var(\(color))\" stroke-width=\"3\"/>"
    case "hatch": square + "<g transform=\"scale(.1)\"><rect width=\"160\" height=\"160\" fill=\"url(#hatch)\"/></g>"
    default:
      square + "<rect width=\"16\" height=\"16\" fill=\"var(\(color))\" "
        + "fill-opacity=\"\(opacity.map { "0.\($0)" } ?? "1")\"/>"
    }
  }

  /// Returns the headline in at most two lines: without its sentence about hours if that does not fit, and truncated if
  /// the rest does not.
  private func headlineLines(width: Int) throws -> [String] {
    var lines = Report.lines(of: try database.headline, width: width)
    if lines.count > 2 { lines = Report.lines(of: try database.shortHeadline, width: width) }
    guard lines.count > 2 else { return lines }
    // The ellipsis needs room.
    while lines[1].count > width - 3, let end = lines[1].lastIndex(of: " ") { lines[1].removeSubrange(end...) }
    return [lines[0], lines[1] + " …"]
  }

  /// Breaks a text into lines with a maximum number of letters.
  private static func lines(of text: String, width: Int) -> [String] {
    HTML.unbroken(text).split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}

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
        let title = title(of: histogram.measure) + (threshold.map { " \(database.record.reach($0))" } ?? "")
        let rows =
          switch histogram.measure {
          case .stepLength: "steps"
          case .snapDistance: "fixes"
          case .dwellTime: "stops"
          default: content.rows
          }
        return Chart(histogram, title: title, unit: unit(of: histogram.measure), of: rows).html
      }
    let words = try database.rowAxis().pooledWords
    let notes =
      charts.count > content.charts.count
      ? (words.isEmpty ? [] : ["Histograms\(words)."])
        + (database.kind == .matrix ? ["The bounds of bins in histograms are within 0.1\u{A0}%."] : []) : []
    let note = notes.isEmpty ? "" : "<p class=\"soft\">\(notes.joined(separator: " "))</p>\n"
    return charts.isEmpty ? "" : note + "<div class=\"charts\">\(charts.joined())</div>\n"
  }

  func statistics() throws -> String {
    let order = Statistic.Measure.allCases
    let statistics = try database.statistics().filter { !$0.scope.hasPrefix("hour:") }.sorted { a, b in
      (Report.rank(of: a.scope), a.scope, order.firstIndex(of: a.measure) ?? 0)
        < (Report.rank(of: b.scope), b.scope, order.firstIndex(of: b.measure) ?? 0)
    }
    let words = try database.rowAxis().pooledWords
    return ReportTable(
      "Distribution of each measure", note: "table statistic" + (words.isEmpty ? "" : ",\(words)"),
      heads: ["of", "measure", "#count", "#min", "#p05", "#p25", "#median", "#mean", "#p75", "#p95", "#max"],
      rows: statistics.map { statistic in
        let heading = statistic.measure.heading
        var values = statistic.quantiles
        values.insert(statistic.mean, at: 4)
        return [
          .text(scopeName(statistic.scope)), .text("\(title(of: statistic.measure)), \(unit(of: statistic.measure))"),
        ]
          + [.count(statistic.count)]
          + values.map { .number($0 / heading.scale, places: heading.places) }
      }
    ).html
  }

  /// Returns the title of a measure. In jobs of kind `etas` with transit, only trips entirely on foot have distances, and
  /// the times of traces are those that the profile expects.
  private func title(of measure: Statistic.Measure) -> String {
    let title = measure.heading.title
    if database.kind == .traces, measure == .expectedTravelTime { return "Expected time" }
    let isOnFoot = database.kind == .etas && identity[.transportType] == "transit" && measure != .expectedTravelTime
    return isOnFoot ? "\(title) of trips on foot" : title
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
      "Rejected input rows", note: rowNote(rows.count, count, "table rejected"),
      heads: ["file", "#line", "why", "text"],
      rows: rows.map { row in
        [
          .text((row.file as NSString).lastPathComponent), .count(row.line), .text(row.reason),
          .text(row.text.count > 120 ? row.text.prefix(119) + "…" : row.text),
        ]
      }
    ).html
  }
}
