import Geography
import Jobs
import Tables

extension Report {
  func traces() throws -> Content {
    var content = Content(
      title: "Traces \(travelling)", subtitle: "\(file(.traces)) on \(mapName)", rows: "traces", answered: "followed")
    let statistics = try database.statistics()
    if let totals = try database.traceTotals() {
      content.figures = figures(totals, statistics.filter { $0.scope == "job" })
      content.tables = HTML.folded(
        "Unmatched fixes by reason", reasonTable("Unmatched fixes", totals.reasons, of: totals.fixes))
    }
    try addMap(to: &content)
    if isEmbedded || aspect != nil { return content }
    content.charts = [hourChart(statistics)].compactMap(\.self)
    content.tables =
      try HTML.folded("By hour", hourTable(statistics)) + HTML.folded("Streets slower than expected", streetTable())
      + HTML.folded("Stops", stopTable())
      + content.tables + HTML.folded("Single traces", traceTables()) + HTML.folded("One trace in detail", detail())
    return content
  }

  private func figures(_ totals: ResultsDatabase.TraceTotals, _ statistics: [Statistic]) -> [(
    value: String, text: String
  )] {
    guard totals.kept > 0 else { return [] }
    let ratio = statistics.first { $0.measure == .timeRatio }.map {
      [("\(Format.decimal($0.quantiles[3], 2))", "times the expected time, typically")]
    }
    return [
      (
        Format.percent(Double(totals.matched) / Double(totals.kept)),
        "of their \(Format.count(totals.kept)) fixes are on streets"
      ),
      (Format.length(totals.distance), "along streets"),
    ] + (ratio ?? []) + [(Format.count(totals.stops), "stops")]
  }

  // MARK: Map

  private static let maximumParts = 1500
  private static let ratios = [0.8, 1.0, 1.25, 1.6, 2.5]

  private func addMap(to content: inout Content) throws {
    var (parts, count) = try database.drawnParts(atMost: Report.maximumParts)
    var stops = try database.stops(atMost: 400).stops
    guard var picture = MapPicture(around: parts.flatMap(\.points), aspect: aspect) else { return }
    let scale = ColorScale(breaks: Report.ratios)
    picture.draw(backdrop)
    let lines = parts.map { ($0.points, shade: $0.timeRatio.map { min(scale.shade(of: $0), ColorScale.count - 1) }) }
    // Slow traces are drawn above fast ones on the same streets.
    for shade in [nil] + (0..<ColorScale.count).map(\.self) {
      picture.draw(lines.filter { $0.shade == shade }, width: parts.count > 300 ? 14 : 26)
    }
    let breaks = parts.filter { $0.beginReason != "start" }
    picture.draw(breaks.compactMap { part in part.points.first.map { ($0, nil) } }, none: "--alert")
    picture.mark(
      stops.map { ($0.point, "\(Format.isolated("\($0.trace)")), \(Format.minutes($0.seconds.rounded())) min") })
    picture.explain(scale.legend { Format.decimal($0, 2) })
    if parts.contains(where: { $0.timeRatio == nil }) { picture.explain([("--soft", "without times")]) }
    if !breaks.isEmpty { picture.explain([("--alert", "a part begins after a break")]) }
    if !stops.isEmpty { picture.explain([("--station", "stop")]) }
    let note = parts.count < count ? ", \(Format.count(parts.count, of: count)) drawn" : ""
    content.map = picture.html(title: "Traces", unit: "coloured by time / expected time\(note)")
    if aspect != nil { return }
    var data = try pageData(picture.box, scripts: ["brush", "traces"])
    data.add("scale", PageData.list(Report.ratios) { PageData.json($0, places: 2) })
    let failed = try database.traces(.failed, atMost: Report.maximumListed / 4)
    var listed = try database.traces(.followed, atMost: Report.maximumListed - failed.count) + failed
    if isReduced {
      let drawn = Set(parts.map(\.trace))
      listed = thinned(listed.filter { drawn.contains($0.id) })
      let ids = Set(listed.map(\.id))
      (parts, stops) = (parts.filter { ids.contains($0.trace) }, stops.filter { ids.contains($0.trace) })
      for index in parts.indices {
        parts[index].points = PageData.coarsened(line: parts[index].points, metres: lineGrain)
      }
      content.drawn = "\(Format.count(listed.count, of: try database.statusCounts().total)) traces"
    }
    // Traces are listed slowest first: as many as the maximum allows are drawn with their fixes.
    data.add(withFewFixes(listed), parts, stops: stops, snapLimit: snapLimit)
    let (streets, streetCount) = try database.observedStreets(atMost: isReduced ? 0 : Report.maximumStreets)
    data.add(streets, of: streetCount)
    content.data = data
  }

  private static let (maximumListed, maximumStreets, maximumFixes) = (4000, 6000, 60_000)

  /// Removes the fixes of traces with which the page would exceed the maximum number of fixes.
  private func withFewFixes(_ traces: [ReportedTrace]) -> [ReportedTrace] {
    var rest = isReduced ? 0 : Report.maximumFixes
    return traces.map { trace in
      var trace = trace
      if trace.points.count > rest { trace.points = [] }
      rest -= trace.points.count
      return trace
    }
  }

  // MARK: Hours

  /// Returns a chart of the quartiles of moving time over expected time, by the hour in which traces begin.
  private func hourChart(_ statistics: [Statistic]) -> String? {
    let hours = statistics.filter { $0.measure == .timeRatio && $0.scope.hasPrefix("hour:") }.compactMap { statistic in
      Int(statistic.scope.dropFirst("hour:".count)).map { (hour: $0, quantiles: statistic.quantiles) }
    }.sorted { $0.hour < $1.hour }
    guard hours.count > 1 else { return nil }
    let curves = [("three quarters", 4), ("median", 3), ("one quarter", 2)].map { name, quantile in
      (name: name, points: hours.map { (x: Double($0.hour), y: $0.quantiles[quantile]) })
    }
    return Chart(
      curves, title: "Time compared with the expected time, by hour", x: "hour of departure",
      y: "time / expected time"
    ).html
  }

  /// Returns a table with one row per hour in which traces begin.
  private func hourTable(_ statistics: [Statistic]) -> String {
    let hours = Dictionary(grouping: statistics.filter { $0.scope.hasPrefix("hour:") }, by: \.scope)
    func median(_ measure: Statistic.Measure, _ scope: String) -> Double? {
      hours[scope]?.first { $0.measure == measure }?.quantiles[3]
    }
    return ReportTable(
      "Traces by the hour in which they begin", note: "table statistic, scope hour:00 to hour:23",
      heads: [
        "hour", "#traces", "#median distance, km", "#median expected time, min", "#median of time / expected time",
        "#median of trip / fastest trip",
      ],
      rows: hours.keys.sorted().map { scope in
        [
          .text("\(scope.dropFirst("hour:".count)):00"),
          .number(hours[scope]?.first { $0.measure == .distance }.map { Double($0.count) }),
          .number(median(.distance, scope).map { $0 / 1000 }, places: 2), .minutes(median(.expectedTravelTime, scope)),
          .number(median(.timeRatio, scope), places: 2), .number(median(.detour, scope), places: 2),
        ]
      }
    ).html
  }

  // MARK: Tables

  private static let minimumPasses = 5

  private func streetTable() throws -> String {
    ReportTable(
      "The slowest of those passed \(Report.minimumPasses) or more times, each direction separately",
      note: "table observed_speed",
      heads: ["street", "class", "#passes", "#observed / expected", "#observed, km/h", "#expected, km/h", "slowest"],
      rows: try database.slowestStreets(passes: Report.minimumPasses, atMost: 50) { street in
        let points = (try street["geom"] as GeometryBlob).lines.first ?? []
        let (speed, slowness): (Double, Double) = (try street["speed"], try street["slowness"])
        let (weekday, hour): (String, Int) = (try street["weekday"], try street["hour"])
        return [
          .link(try street["name"], points.isEmpty ? nil : HTML.link(to: points[points.count / 2])),
          .text(try street["class"]), .count(try street["passes"]), .number(slowness, places: 2),
          .number(speed * 3.6, places: 1), .number(speed * slowness * 3.6, places: 1),
          .text("\(weekday) \(hour)–\(hour + 1) h"),
        ]
      }
    ).html
  }

  private func stopTable() throws -> String {
    let (stops, count) = try database.stops(atMost: 50)
    return ReportTable(
      "The longest stops", note: rowNote(stops.count, count, "table stop"),
      heads: ["trace", "where", "arrival", "#time, min"],
      rows: stops.map { stop in
        [
          .text("\(stop.trace)"), .link(stop.street ?? "off the streets", HTML.link(to: stop.point)),
          .text(Format.moment(stop.arrival)), .minutes(stop.seconds),
        ]
      }
    ).html
  }

  private func reasonTable(_ title: String, _ counts: [Int], of fixes: Int) -> String {
    ReportTable(
      title, note: "table trace", heads: ["reason", "meaning", "#fixes", "#of all"],
      rows: zip(UnmatchedFixes.reasons, counts).filter { $0.1 > 0 }.map { reason, count in
        [
          .text(reason.name), .text(reason.note), .count(count),
          .number(Double(count) / Double(max(1, fixes))) { Format.percent($0) },
        ]
      }
    ).html
  }

  private func traceTables() throws -> String {
    let slowest = try database.traces(.slowest, atMost: 30)
    let failed = try database.traces(.failed, atMost: 100)
    let counts = try database.statusCounts()
    return traceTable("Slowest compared with the profile", slowest)
      + ReportTable(
        "Unmatched or doubtful", note: rowNote(failed.count, counts.total - counts.ok, "table trace"),
        heads: ["trace", "status", "why", "#fixes", "#parts"],
        rows: failed.map { trace in
          [
            .link("\(trace.id)", trace.points.first.map(HTML.link)), .text(trace.status.rawValue),
            .text(trace.reason ?? trace.status.reason(snapLimit: snapLimit)), .count(trace.fixes), .count(trace.parts),
          ]
        }
      ).html
  }

  private func traceTable(_ title: String, _ traces: [ReportedTrace]) -> String {
    ReportTable(
      title, note: "table trace",
      heads: [
        "trace", "departure", "#distance, km", "#moving, min", "#expected, min", "#time / expected time", "#detour",
        "#sigma, m", "#parts",
      ],
      rows: traces.map { trace in
        [
          .link("\(trace.id)", trace.points.first.map(HTML.link)), .text(trace.departure.map(Format.moment) ?? "–"),
          .number(trace.distance.map { $0 / 1000 }, places: 2), .minutes(trace.movingTime),
          .minutes(trace.expectedTime), .number(trace.timeRatio, places: 2), .number(trace.detour, places: 2),
          .number(trace.sigma, places: 1), .count(trace.parts),
        ]
      }
    ).html
  }

  // MARK: One trace

  /// Draws the trace with the most breaks: its fixes, its parts and the places where it breaks.
  private func detail() throws -> String {
    guard let trace = try database.traces(.detailed, atMost: 1).first,
      var picture = MapPicture(around: trace.points)
    else { return "" }
    let parts = try database.parts(of: trace.id) { part in
      let (number, points): (Int, [FixedCoordinate]) = (
        try part["part"], (try part["geom"] as GeometryBlob).lines.first ?? []
      )
      let cells: [ReportTable.Cell] = [
        .count(number), .link(try part["begin_reason"], points.first.map(HTML.link)),
        .count(try part["first_fix"]), .count(try part["last_fix"]),
        .text((try part["departure_date"] as String?).map(Format.moment) ?? "–"), .number(try part["distance"]),
        .minutes(try part["expected_travel_time"]), .minutes(try part["observed_time"]),
        .text(try part["name"] ?? "–"),
      ]
      return (number: number, points: points, cells: cells)
    }
    picture.draw(backdrop)
    picture.draw(parts.map { ($0.points, $0.number % 5) }, width: 40)
    picture.draw(trace.points.map { ($0, ColorScale.count - 1) })
    picture.draw(parts.dropFirst().compactMap { part in part.points.first.map { ($0, nil) } }, none: "--alert")
    picture.explain(parts.prefix(5).map { ("--c\($0.number % 5)", "part \($0.number)") })
    picture.explain([("--c\(ColorScale.count - 1)", "fix"), ("--alert", "after a break")])
    return picture.html(title: "Trace \(trace.id)", unit: "\(Format.count(trace.kept, of: trace.fixes)) fixes used")
      + traceTable("Trace \(trace.id)", [trace])
      + ReportTable(
        "Parts", note: "table trace_part",
        heads: [
          "#part", "break before", "#first fix", "#last fix", "departure", "#distance, m", "#expected, min",
          "#observed, min", "main streets",
        ],
        rows: parts.map(\.cells)
      ).html + reasonTable("Unmatched fixes of the trace", trace.reasons, of: trace.fixes)
  }
}

extension PageData {
  /// Adds traces, their parts and stops, and the fixes of some traces.
  mutating func add(
    _ traces: [ReportedTrace], _ parts: [ResultsDatabase.DrawnPart], stops: [ResultsDatabase.ReportedStop],
    snapLimit: String
  ) {
    let indices = Dictionary(traces.enumerated().map { ($1.id, $0) }) { first, _ in first }
    add(
      "traces",
      PageData.object([
        PageData.column("id", traces) { PageData.json($0.id) },
        PageData.column("departure", traces) { PageData.json($0.departure) },
        PageData.column("distance", traces) { PageData.json($0.distance, places: 0) },
        PageData.column("moving", traces) { PageData.json($0.movingTime, places: 0) },
        PageData.column("expected", traces) { PageData.json($0.expectedTime, places: 0) },
        PageData.column("ratio", traces) { PageData.json($0.timeRatio, places: 3) },
        PageData.column("fixes", traces) { "[\($0.fixes),\($0.kept),\($0.matched)]" },
        PageData.column("why", traces) { trace in
          PageData.json(trace.status == .ok ? nil : trace.reason ?? trace.status.reason(snapLimit: snapLimit))
        },
        PageData.column("lines", traces) { PageData.json(line: $0.points) },
      ]))
    add(
      "parts",
      PageData.list(parts) { part in
        "[\(indices[part.trace] ?? -1),\(PageData.json(part.beginReason)),\(PageData.json(line: part.points))]"
      })
    add(
      "stops",
      PageData.list(stops) { stop in
        "[\(PageData.json(stop.trace)),\(PageData.json(stop.seconds, places: 0)),\(PageData.json(stop.street)),\(PageData.json(line: [stop.point]))]"
      })
  }

  /// Adds streets with observed speeds by hour.
  mutating func add(_ streets: [ObservedStreet], of count: Int) {
    add(
      "streets",
      PageData.list(streets) { street in
        let hours = PageData.list(street.hours) { "[\($0.hour),\($0.passes),\(PageData.json($0.slowness, places: 2))]" }
        return "[\(PageData.json(street.name)),\(hours),\(PageData.json(line: street.points))]"
      })
    guard streets.count < count else { return }
    let text = "\(Format.count(streets.count, of: count)) streets are on the map, those with the most passes."
    add("leftOutStreets", PageData.json(text))
  }
}
