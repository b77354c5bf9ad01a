import Foundation
import Jobs
import Tables

/// The page of all runs in a folder, showing the history of each job's nightly runs; also available as JSON.
///
///     try IndexPage(of: "reports").write()    // reports/index.html, index.json, index.xml
package struct IndexPage {
  private let folder: String
  private let history: RunHistory

  /// Reads the runs. *Throws*: `ResultsError` if there is no such folder.
  package init(of folder: String) throws {
    self.folder = folder
    history = try RunHistory(of: folder)
  }

  /// Writes the page, `index.json` and the feed. *Throws*: `ResultsError`.
  package func write() throws {
    try WrittenFile("\(folder)/index.json", .index).write(Array(json.utf8))
    try WrittenFile("\(folder)/index.xml", .feed).write(Array(feed.utf8))
    try Page.write(html, to: "\(folder)/index.html")
  }

  /// A summary such as "6 jobs, 84 runs: the last run of 2 jobs failed, 1 job drifted."
  package var headline: String {
    let nights = history.jobs.reduce(0) { $0 + $1.nights.count }
    let failed = history.jobs.count { $0.nights.last?.failure != nil }
    let unanswered = history.jobs.count { $0.nights.last?.hasNoAnswer == true }
    let drifting = history.jobs.count { $0.nights.last?.drifts == true }
    let matters = [
      failed > 0 ? "the last run of \(Format.count(failed, "job")) failed" : nil,
      unanswered > 0 ? "the last run of \(Format.count(unanswered, "job")) has no answer" : nil,
      drifting > 0 ? "\(Format.count(drifting, "job")) drifted" : nil,
      history.unreadable.isEmpty
        ? nil : "the results in \(history.unreadable.joined(separator: ", ")) cannot be read, and have no log",
    ].compactMap(\.self)
    let earlier = history.jobs.flatMap { $0.nights.dropLast() }
    let (lost, drifted) = (earlier.count { $0.failure != nil || $0.hasNoAnswer }, earlier.count(where: \.drifts))
    let past = [
      lost > 0 ? "\(Format.count(lost, "earlier run")) without results or answers" : nil,
      drifted > 0 ? "\(Format.count(drifted, "earlier run")) drifted" : nil,
    ].compactMap(\.self)
    let all =
      nights == 0
      ? "nothing to show"
      : "the last run\(history.jobs.count == 1 ? "" : " of each") has results and no drift"
    return "\(Format.count(history.jobs.count, "job")), \(Format.count(nights, "run")): "
      + "\(((matters.isEmpty ? [all] : matters) + past).joined(separator: ", "))."
  }

  package var html: String {
    Page(
      title: "Runs of \((folder as NSString).lastPathComponent)", heading: "Runs", headline: headline,
      subtitle: "each job's latest run first; ▲ drift, compared with the previous nights, ✕ without results or answers",
      map: "", figures: [], content: overview + history.jobs.map(section).joined(), version: "", data: nil
    ).html
  }

  // MARK: The page

  /// Returns a cell with the start time of a run; the table sorts it by the digits of the time.
  private func start(_ night: RunHistory.Night, _ page: String? = nil) -> ReportTable.Cell {
    var cell = ReportTable.Cell.link(Format.moment(night.began), page)
    cell.value = Double(night.began.filter(\.isNumber))
    return cell
  }

  private func sign(_ night: RunHistory.Night) -> String {
    night.failure != nil || night.hasNoAnswer ? "✕" : night.drifts ? "▲" : "●"
  }

  private func text(_ value: Double?, _ unit: RunHistory.Unit) -> String {
    guard let value else { return "–" }
    return switch unit {
    case .seconds: Format.duration(value)
    case .share: Format.decimal(value * 100, 1) + " %"
    case .squareMetres: Format.area(value)
    case .ratio: Format.decimal(value, 2)
    }
  }

  private func anchor(_ job: RunHistory.Job) -> String {
    "job-"
      + "\(job.name) \(job.kind.rawValue) \(job.travelling)".map { $0.isLetter || $0.isNumber ? $0.lowercased() : "-" }
      .joined()
  }

  private var overview: String {
    ReportTable(
      "Jobs", note: "also in index.json",
      heads: ["state", "job", "last run", "headline", "nights", "#compared with previous nights", "#seconds"],
      rows: history.jobs.map { job in
        let last = job.nights[job.nights.count - 1]
        return [
          .text(sign(last)), .link(job.name, "#" + anchor(job)), start(last),
          .text(last.failure ?? last.headline), ReportTable.Cell(html: sparkline(job)),
          .number(difference(last, job.unit)) {
            job.unit == .share ? "\($0 > 0 ? "+" : "")\(Format.decimal($0 * 100, 1)) points" : Format.change($0)
          },
          .number(last.seconds, places: 1),
        ]
      }
    ).html
  }

  /// Returns the difference of a night's value from the middle of the expected range: as a share of that middle, except
  /// for shares.
  private func difference(_ night: RunHistory.Night, _ unit: RunHistory.Unit) -> Double? {
    guard let value = night.value, let expected = night.expected else { return nil }
    let middle = (expected.lowerBound + expected.upperBound) / 2
    return unit == .share ? value - middle : middle == 0 ? nil : value / middle - 1
  }

  private func section(_ job: RunHistory.Job) -> String {
    let nights = job.nights.reversed().prefix(IndexPage.maximumNights)
    let table = ReportTable(
      "Nights", note: "latest first",
      heads: [
        "state", "began", "headline", "#\(job.measure)", "#p95", "changed", "#without an answer", "#rejected",
        "#seconds",
        "verified",
      ], rows: nights.map { row($0, of: job) }
    ).html
    return "<section id=\"\(anchor(job))\"><h2>\(HTML.name(job.name))</h2>\n"
      + "<p class=\"soft\">\(job.kind.rawValue), \(HTML.escaped(job.travelling))</p>\n\(curve(job))\(table)</section>\n"
  }

  private func row(_ night: RunHistory.Night, of job: RunHistory.Job) -> [ReportTable.Cell] {
    let page = night.failure == nil ? "\(night.folder)/report.html" : nil
    let without: Double? = night.failure == nil ? Double(night.rows - night.answered) : nil
    func value(_ value: Double?) -> ReportTable.Cell { .number(value) { text($0, job.unit) } }
    return [
      .text(sign(night)), start(night, page), .text(night.failure ?? night.headline), value(night.value),
      value(night.p95), .text(night.changes.joined(separator: ", ")), .number(without), .count(night.rejected),
      .number(night.seconds, places: 1), .text(verified(night)),
    ]
  }

  private static let maximumNights = 120

  private func verified(_ night: RunHistory.Night) -> String {
    guard let verified = night.verified else { return "" }
    let differences = night.differences ?? 0
    return differences > 0 ? "✕ \(differences) of \(verified) differ" : "✓ \(verified)"
  }

  // MARK: Drawings

  /// Returns a function that maps the nights' values, with some room on both sides, to the range from 0 to 1, and the
  /// range of values that the function maps.
  private func scaled(_ nights: [RunHistory.Night]) -> (value: (Double) -> Double, range: ClosedRange<Double>)? {
    let values = nights.compactMap(\.value)
    guard let low = values.min(), let high = values.max() else { return nil }
    let room = max((high - low) * 0.15, abs(high) * 0.01, 1e-9)
    let (least, most) = (low - room, high + room)
    return ({ ($0 - least) / (most - least) }, least...most)
  }

  private func sparkline(_ job: RunHistory.Job) -> String {
    let nights = Array(job.nights.suffix(30))
    guard let scale = scaled(nights) else { return "–" }
    let step = 120 / Double(max(1, nights.count - 1))
    let points = nights.enumerated().compactMap { index, night in
      night.value.map { "\(Chart.short(Double(index) * step)) \(Chart.short(24 - scale.value($0) * 24))" }
    }
    return "<svg class=\"spark\" viewBox=\"-2 -2 124 28\" aria-hidden=\"true\"><path class=\"curve\" "
      + "style=\"stroke:var(--c1)\" d=\"M\(points.joined(separator: "L"))\"/></svg>"
  }

  /// Draws the value of each night, the expected range, changes, and nights without results.
  private func curve(_ job: RunHistory.Job) -> String {
    let nights = Array(job.nights.suffix(IndexPage.maximumNights))
    guard nights.count > 1, let scale = scaled(nights) else { return "" }
    let (width, height, left) = (880.0, 150.0, 70.0)
    func x(_ index: Int) -> Double { left + Double(index) / Double(nights.count - 1) * (width - left - 10) }
    func y(_ value: Double) -> Double { 10 + (1 - min(max(scale.value(value), 0), 1)) * (height - 34) }
    func at(_ x: Double, _ y: Double) -> String { "\(Chart.short(x)) \(Chart.short(y))" }
    var drawn = ""
    let band = nights.enumerated().compactMap { index, night in night.expected.map { (x(index), $0) } }
    if band.count > 1 {
      let (up, down) = (band.map { at($0.0, y($0.1.upperBound)) }, band.reversed().map { at($0.0, y($0.1.lowerBound)) })
      drawn += "<path fill=\"var(--c4)\" fill-opacity=\".35\" d=\"M\((up + down).joined(separator: "L"))z\"/>"
    }
    for (index, night) in nights.enumerated() where !night.changes.isEmpty {
      drawn += "<path class=\"mark\" d=\"M\(at(x(index), 10))V\(Chart.short(height - 24))\"/>"
    }
    for (index, text) in IndexPage.labels(of: nights.map { $0.changes.joined(separator: ", ") }, x) {
      drawn += Chart.text(text, x(index), height - 13)
    }
    let line = nights.enumerated().compactMap { index, night in night.value.map { at(x(index), y($0)) } }
    drawn += "<path class=\"curve\" style=\"stroke:var(--c1)\" d=\"M\(line.joined(separator: "L"))\"/>"
    for (index, night) in nights.enumerated() {
      if night.failure != nil || night.hasNoAnswer {
        drawn +=
          "<text class=\"failed\" x=\"\(Chart.short(x(index)))\" y=\"\(Chart.short(height - 28))\" "
          + "text-anchor=\"middle\">✕</text>"
      } else if let value = night.value, night.drifts {
        drawn += "<circle class=\"drift\" cx=\"\(Chart.short(x(index)))\" cy=\"\(Chart.short(y(value)))\" r=\"4\"/>"
      }
    }
    for value in [scale.range.lowerBound, scale.range.upperBound] {
      drawn += Chart.text(text(value, job.unit), left - 8, y(value) + 4, anchor: "end")
    }
    for (index, anchor) in [(0, "start"), (nights.count - 1, "end")] {
      drawn += Chart.text(Format.day(nights[index].began), x(index), height - 1, anchor: anchor)
    }
    let title = "\(job.measure) by night"
    return """
      <figure><figcaption>\(HTML.escaped(title)) <small>band: median of the previous 14 nights ± three times their median absolute deviation</small>\
      </figcaption>
      <svg viewBox="0 0 \(Chart.short(width)) \(Chart.short(height))" role="img"><title>\(HTML.escaped(title))</title>\(drawn)</svg></figure>

      """
  }

  /// Returns the labels of changes. Successive nights with the same changes share a label at the first of them; a label
  /// that would overlap a rarer one, or an earlier one as frequent, is omitted.
  private static func labels(of changes: [String], _ x: (Int) -> Double) -> [(index: Int, text: String)] {
    let counts = Dictionary(changes.map { ($0, 1) }, uniquingKeysWith: +)
    let first = changes.indices.filter { !changes[$0].isEmpty && ($0 == 0 || changes[$0 - 1] != changes[$0]) }
    var labels: [(index: Int, text: String)] = []
    for index in first.sorted(by: { (counts[changes[$0]]!, $0) < (counts[changes[$1]]!, $1) }) {
      let text = changes[index]
      // Letters are about 6.2 units wide.
      let isFree = labels.allSatisfy { label in
        abs(x(label.index) - x(index)) > 3.1 * Double(label.text.count + text.count) + 6
      }
      if isFree { labels.append((index, text)) }
    }
    return labels
  }

  // MARK: For programs

  package var json: String {
    let jobs = PageData.list(history.jobs) { job in
      PageData.object([
        ("name", PageData.json(job.name)), ("kind", PageData.json(job.kind.rawValue)),
        ("travelling", PageData.json(job.travelling)), ("measure", PageData.json(job.measure)),
        ("unit", PageData.json(job.unit.rawValue)),
        ("nights", "[\n\(job.nights.map(IndexPage.json).joined(separator: ",\n"))\n]"),
      ])
    }
    return "{\"generator\":\"odometer index\",\"headline\":\(PageData.json(headline)),\"jobs\":\(jobs)}\n"
  }

  private static func json(_ night: RunHistory.Night) -> String {
    func whole(_ value: Int?) -> String { value.map(String.init) ?? "null" }
    let changes = night.changes.map { PageData.json($0) }
    func exact(_ value: Double?) -> String { value.map { "\($0)" } ?? "null" }
    return PageData.object([
      ("folder", PageData.json(night.folder)), ("began", PageData.json(night.began)),
      ("failure", PageData.json(night.failure)), ("headline", PageData.json(night.headline)),
      ("missing", PageData.json(night.missing)), ("value", exact(night.value)), ("p95", exact(night.p95)),
      ("expected", night.expected.map { "[\($0.lowerBound),\($0.upperBound)]" } ?? "null"),
      ("drifts", night.drifts ? "true" : "false"), ("changes", "[\(changes.joined(separator: ","))]"),
      ("rows", whole(night.rows)), ("answered", whole(night.answered)), ("rejected", whole(night.rejected)),
      ("seconds", exact(night.seconds)), ("verified", whole(night.verified)), ("differences", whole(night.differences)),
    ])
  }

  /// An Atom feed of failures, runs without an answer, and drift, latest first.
  package var feed: String {
    let entries = history.jobs.flatMap { job in
      job.nights.filter { $0.failure != nil || $0.hasNoAnswer || $0.drifts }.map { (job, $0) }
    }.sorted { ($0.1.began, $0.0.name, $0.1.folder) > ($1.1.began, $1.0.name, $1.1.folder) }.prefix(100)
    let name = HTML.escaped((folder as NSString).lastPathComponent)
    let texts = entries.map { job, night in
      let value = night.hasNoAnswer ? "no answer" : "\(job.measure) \(text(night.value, job.unit)) drifts"
      let what = night.failure.map { "failed: \($0)" } ?? value
      let changes = night.changes.isEmpty ? "" : " (\(night.changes.joined(separator: ", ")) changed)"
      return """
        <entry><id>urn:odometer:\(name):\(HTML.escaped(night.folder))</id><updated>\(HTML.escaped(night.began))</updated>\
        <title>\(HTML.escaped("\(job.name): \(what)\(changes)"))</title>\
        <link href="\(HTML.escaped(night.failure == nil ? "\(night.folder)/report.html" : "index.html"))"/>\
        <summary>\(HTML.escaped(night.headline))</summary></entry>

        """
    }
    let updated = history.jobs.flatMap(\.nights).map(\.began).max() ?? ""
    return """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom"><id>urn:odometer:\(name)</id><title>Odometer: \(name)</title>\
      <author><name>odometer</name></author><updated>\(HTML.escaped(updated))</updated>
      \(texts.joined())</feed>

      """
  }
}
