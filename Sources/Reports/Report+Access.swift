import Geography
import Results

extension Report {
  /// Kind `access`.
  func access() throws -> Content {
    let isTo = identity.leadsToPlaces
    var content = Content(
      title: "Access to stations \(travelling)",
      subtitle: "\(file(.origins)) \(isTo ? "to" : "from") the nearest of \(file(.stations)), on \(mapName)",
      rows: "origins")
    let measures = [AccessPlaces.originsMeasure] + database.record.figures.list(.measures)
    let order = Dictionary(measures.enumerated().map { ($1, $0) }) { first, _ in first }
    let shares = try database.shares().sorted { a, b in
      (order[a.measure] ?? 0, a.threshold) < (order[b.measure] ?? 0, b.threshold)
    }
    // The first weight is what a study is about; without weights, the origins themselves.
    let main =
      measures.dropFirst().first { measure in shares.contains { $0.measure == measure } } ?? AccessPlaces.originsMeasure
    for share in shares where share.measure == main {
      guard let part = share.share else { continue }
      content.figures.append((Format.percent(part), "of \(main) within \(Format.minutes(Double(share.threshold))) min"))
    }
    content.map = try accessMap()
    content.charts = try [shareCurves(shares)].compactMap(\.self)
    content.tables =
      try HTML.section("Shares", shareTable(shares)) + HTML.section("Stations", stationTable(main))
      + HTML.section("Lines", lineTable(main))
      + HTML.section("The longest trips, and origins without a station", walkTables())
    return content
  }

  private func accessMap() throws -> String {
    let origins = try database.nearestTimes()
    let (reached, others) = (origins.filter { $0.seconds != nil }, origins.filter { $0.seconds == nil })
    guard var picture = MapPicture(around: (reached.isEmpty ? others : reached).map(\.point), and: others.map(\.point))
    else { return "" }
    let scale = ColorScale(
      breaks: Array((thresholds.map(Double.init) + [Double(lastThreshold) * 2]).prefix(5)))
    picture.draw(try database.streets())
    picture.draw(origins.map { ($0.point, $0.seconds.map(scale.shade)) })
    let stations = try database.places().filter { $0.role == .station }
    picture.mark(stations.map { ($0.point, $0.label) })
    picture.explain(scale.minutesLegend(word: "up to"))
    if origins.contains(where: { $0.seconds == nil }) { picture.explain([("--none", "no station")]) }
    picture.explain([("--station", "station")])
    return picture.html(title: "Travel time to the nearest station", unit: "origins coloured by minutes")
  }

  private func shareCurves(_ shares: [ReportedShare]) throws -> String? {
    let last = lastThreshold
    let known = try database.curves()
    let measures = shares.filter { $0.threshold == last && known[$0.measure] != nil }.map(\.measure)
    guard !measures.isEmpty else { return nil }
    let curves = measures.prefix(6).map { measure in
      Chart.Curve(name: measure, points: (known[measure] ?? []).map { (Double($0.seconds) / 60, $0.share) })
    }
    return Chart(
      curves, title: "Share with a station within each time", until: Double(last) / 60 * 2,
      marks: thresholds.map { Double($0) / 60 }
    ).html
  }

  private func shareTable(_ shares: [ReportedShare]) -> String {
    ReportTable(
      "Within each threshold", note: "table access_share",
      heads: ["of", "#within, min", "#reached", "#of all", "#share"],
      rows: shares.map { share in
        [
          .text(share.measure), .number(Double(share.threshold) / 60) { Format.minutes(($0 * 60).rounded()) },
          .number(share.value) { Format.decimal($0) }, .number(share.total) { Format.decimal($0) },
          .number(share.share, Format.percent),
        ]
      }
    ).html
  }

  private func stationTable(_ main: String) throws -> String {
    let all = try database.stationServices()
    let last = lastThreshold
    let ordered = all.enumerated().sorted { a, b in
      let (first, second) = (a.element.values[main]?[last] ?? 0, b.element.values[main]?[last] ?? 0)
      return first != second ? first > second : a.offset < b.offset
    }
    let shown = ordered.prefix(300).map(\.element)
    let hasLines = shown.contains { !$0.lines.isEmpty }
    return ReportTable(
      "What each station serves, \(main)", note: of(shown.count, all.count, "table station_service"),
      heads: ["station"] + (hasLines ? ["lines"] : []) + thresholds.map { "#within \(Format.minutes(Double($0))) min" }
        + ["#nearest, within \(Format.minutes(Double(last))) min"],
      rows: shown.map { station in
        [cell(station.place)]
          + (hasLines
            ? [.text(station.lines.count > 8 ? "\(station.lines.count) lines" : station.lines.joined(separator: ", "))]
            : [])
          + thresholds.map { .number(station.values[main]?[$0]) { Format.decimal($0) } }
          + [.number(station.nearest[main]?[last]) { Format.decimal($0) }]
      }
    ).html
  }

  private func lineTable(_ main: String) throws -> String {
    let all = try database.lineServices()
    let last = lastThreshold
    let shown = all.sorted { ($0.values[main]?[last] ?? 0, $1.name) > ($1.values[main]?[last] ?? 0, $0.name) }
      .prefix(200)
    return ReportTable(
      "What each line serves by all its stations, \(main)", note: of(shown.count, all.count, "table line_service"),
      heads: ["line", "#stations"] + thresholds.map { "#within \(Format.minutes(Double($0))) min" },
      rows: shown.map { line in
        [.text(line.name), .number(Double(line.stations)) { Format.decimal($0) }]
          + thresholds.map { .number(line.values[main]?[$0]) { Format.decimal($0) } }
      }
    ).html
  }

  private func walkTables() throws -> String {
    let count = try database.statusCounts().filter { $0.status != .ok }.reduce(0) { $0 + $1.count }
    let missing = try database.walks(missing: true, atMost: 100)
    let longest = ReportTable(
      "The longest trips to a nearest station", note: "table access",
      heads: ["origin", "station", "#time, min", "#distance, m", "#weight"],
      rows: try database.walks(missing: false, atMost: 30).map { walk in
        [
          cell(walk.origin), cell(walk.station), .number(walk.time.map { $0 / 60 }) { Format.decimal($0, 1) },
          .number(walk.distance) { Format.decimal($0) }, .number(walk.weight) { Format.decimal($0) },
        ]
      })
    let none = ReportTable(
      "Origins without a station, the largest weight first", note: of(missing.count, count, "table access"),
      heads: ["origin", "why", "#weight"],
      rows: missing.map { walk in
        [
          cell(walk.origin), .text(walk.status.reason(snapLimit: snapLimit)),
          .number(walk.weight) { Format.decimal($0) },
        ]
      })
    return longest.html + none.html
  }
}
