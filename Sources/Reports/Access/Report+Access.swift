import Geography
import Jobs
import Tables

extension Report {
  func access() throws -> Content {
    let isTo = identity.leadsToPlaces
    let axis = try database.rowAxis()
    var content = Content(
      title: "Access to \(database.record.noun) \(travelling)",
      subtitle: "\(file(.origins)) \(isTo ? "to" : "from") the nearest of \(file(.stations)), on \(mapName)",
      rows: "origins", answered: "have \(aStation) within reach")
    let words = try database.percentileWords
    let measures = [AccessPlaces.originsMeasure] + database.record.figures.list(.measures)
    let order = Dictionary(measures.enumerated().map { ($1, $0) }) { first, _ in first }
    let shares = try database.shares().sorted { a, b in
      (order[a.measure] ?? 0, a.threshold, a.departure ?? 0) < (order[b.measure] ?? 0, b.threshold, b.departure ?? 0)
    }
    // The first weight is the subject of a study; if there are no weights, origins are counted.
    let main =
      measures.dropFirst().first { measure in shares.contains { $0.measure == measure } } ?? AccessPlaces.originsMeasure
    try addMap(to: &content, axis, main)
    if isEmbedded || aspect != nil { return content }
    for threshold in thresholds {
      let parts = shares.filter {
        $0.measure == main && $0.threshold == threshold && (axis.middle == nil || $0.departure == axis.middle)
      }.compactMap(\.share)
      guard let least = parts.min(), let most = parts.max() else { continue }
      let (low, high) = (Format.percent(least), Format.percent(most))
      content.figures.append(
        (
          low == high ? low : "\(low) to \(high)",
          "of \(unit(of: main)) within \(Format.minutes(Double(threshold))) min\(words)\(low == high ? "" : ", by hour")"
        ))
    }
    content.charts =
      switch axis {
      case .single: try [shareCurves(shares)].compactMap(\.self)
      case .departures(let departures): [sharesByHour(shares, main, departures)]
      case .percentiles: try [shareCurves(of: main, axis)]
      }
    content.tables =
      try HTML.folded("Shares", shareTable(shares, axis))
      + HTML.folded("Catchments", stationTable(main, axis))
      + HTML.folded("Lines", lineTable(main, axis))
      + HTML.folded("The longest trips, and origins without \(aStation)", tripTables(axis))
    return content
  }

  /// "a station", or the noun that the job names, in the plural: "hospitals".
  private var aStation: String { identity.text(.noun) ?? "a station" }
  private func unit(of measure: String) -> String { database.record.unit(of: measure) }

  /// Adds a map of origins, coloured by the time to their nearest station at the first hour or the middle percentile. The
  /// script's map can also show the other hours or percentiles.
  private func addMap(to content: inout Content, _ axis: RowAxis, _ main: String) throws {
    let departures = axis.asDepartures
    let initial = axis.initial?.number
    let origins = try database.accessOrigins(at: initial)
    let (reached, others) = (
      origins.filter { $0.nearest.seconds != nil }, origins.filter { $0.nearest.seconds == nil }
    )
    let located = (reached.isEmpty ? others : reached).map(\.point)
    guard var picture = MapPicture(around: located, and: others.map(\.point), aspect: aspect) else { return }
    let scale = ColorScale(breaks: Array((thresholds.map(Double.init) + [Double(lastThreshold) * 2]).prefix(5)))
    picture.draw(backdrop)
    let shown = shownHours(of: axis, points: origins.count)
    if !isEmbedded { picture.draw(origins.map { ($0.point, $0.nearest.seconds.map(scale.shade)) }) }
    picture.hour = axis.initial?.text
    let stations = try database.places(.station)
    picture.mark(stations.map { ($0.point, $0.label) })
    picture.explain(scale.minutesLegend)
    if !others.isEmpty {
      picture.explain([("--none", "origin without \(aStation)")])
    }
    picture.explain([("--station", database.record.noun)])
    let note = shown.count < departures.count ? ", \(shown.count) of \(departures.count) \(axis.unit)" : ""
    content.map = picture.html(
      title: "Travel time to the nearest of the \(database.record.noun)", unit: "origins coloured by minutes\(note)")
    if aspect != nil { return }
    let hours = shown.map { departures[$0].number }
    let initialTimes = origins.map(\.nearest)
    let times =
      try departures.isEmpty
      ? [initialTimes] : hours.map { try $0 == initial ? initialTimes : database.nearestTimes(at: $0) }
    var data = try pageData(picture.box, scripts: ["access"])
    data.add("scale", PageData.list(scale.breaks) { PageData.json($0, places: 0) })
    data.add("servicesNote", PageData.json(try servicesNote(axis)))
    let services = isReduced ? [] : try database.stationServices()
    let shownOrigins = thinned(origins)
    let nearest = times.map { thinned($0) }
    let served = Set(nearest.joined().compactMap(\.1))
    try data.add(
      shownOrigins, nearest: nearest, next: { isEmbedded ? [:] : try database.nextStations(of: $0, at: initial) },
      hours: departures.isEmpty ? [] : shown.map { departures[$0].text },
      stations: isReduced ? stations.filter { served.contains($0.row) } : stations,
      services: Dictionary(
        services.map { ($0.place?.id ?? .number(-1), $0) }, uniquingKeysWith: { a, _ in a }), thresholds,
      limit: identity.number(.limit),
      of: main, noun: database.record.noun, unit: unit(of: weightName), snapLimit: snapLimit, isListed: !isReduced)
    content.data = data
    if shownOrigins.count < origins.count {
      content.drawn = "\(Format.count(shownOrigins.count, of: origins.count)) origins"
    }
  }

  /// Returns a chart of the share within each threshold over the day: a curve per threshold, and per day if there are
  /// several.
  private func sharesByHour(_ shares: [ReportedShare], _ main: String, _ departures: [DepartureRow]) -> String {
    let days = Set(departures.map(\.weekday)).count
    var curves: [Chart.Curve] = []
    for share in shares where share.measure == main {
      guard let part = share.share, let departure = share.departure.map({ departures[$0 - 1] }) else { continue }
      let name = "\(days > 1 ? "\(departure.weekday), " : "")within \(Format.minutes(Double(share.threshold))) min"
      if curves.last?.name != name { curves.append((name, [])) }
      curves[curves.count - 1].points.append((Report.hourOfDay(departure.time), part * 100))
    }
    let isArrival = departures.first?.departure == nil
    return Chart(
      Array(curves.prefix(Chart.maximumCurves)),
      title: "Share of \(unit(of: main)) with \(aStation) within each time, by hour",
      x: "hour of \(isArrival ? "arrival" : "departure")", y: "per cent"
    ).html
  }

  private func shareCurves(_ shares: [ReportedShare]) throws -> String? {
    let known = try database.curves()
    let measures = shares.filter { $0.threshold == lastThreshold && known[$0.measure] != nil }.map(\.measure)
    guard !measures.isEmpty else { return nil }
    return shareCurves(
      measures.prefix(Chart.maximumCurves).map { (unit(of: $0), known[$0] ?? []) },
      title: "Share with \(aStation) within each time")
  }

  /// Returns a chart with a curve for each percentile.
  private func shareCurves(of main: String, _ axis: RowAxis) throws -> String {
    let curves = try axis.asDepartures.prefix(Chart.maximumCurves).map { row in
      (row.text, try database.curves(at: row.number)[main] ?? [])
    }
    return shareCurves(curves, title: "Share of \(unit(of: main)) with \(aStation) within each time")
  }

  private func shareCurves(
    _ curves: [(name: String, points: [(seconds: Int, share: Double)])], title: String
  ) -> String {
    let inMinutes: [Chart.Curve] = curves.map { curve in
      (curve.name, curve.points.map { (Double($0.seconds) / 60, $0.share) })
    }
    return Chart(
      inMinutes, title: title, until: min(Double(lastThreshold) * 2, identity.number(.limit) ?? .infinity) / 60,
      marks: thresholds.map { Double($0) / 60 }
    ).html
  }

  private func shareTable(_ shares: [ReportedShare], _ axis: RowAxis) -> String {
    ReportTable(
      "Within each threshold", note: "table access_share",
      heads: ["of"] + [axis.head].compactMap(\.self) + ["#within, min", "#reached", "#of all", "#share"],
      rows: shares.map { share in
        [.text(share.measure)] + hourCell(share.departure, axis) + [
          .number(Double(share.threshold) / 60) { Format.minutes(($0 * 60).rounded()) },
          .number(share.value), .number(share.total), .number(share.share, Format.percent),
        ]
      }
    ).html
  }

  private func hourCell(_ position: Int?, _ axis: RowAxis) -> [ReportTable.Cell] {
    position.map { [.text(Format.moment(axis.labels[$0 - 1]))] } ?? []
  }

  /// Returns the words that describe the rows behind services: "" in a job without hours, ", mean of 24 hours", or " at
  /// the median".
  private func servicesNote(_ axis: RowAxis) throws -> String {
    let words = try database.percentileWords
    return words.isEmpty && axis.count > 1 ? ", mean of \(axis.count) \(axis.unit)" : words
  }

  private func stationTable(_ main: String, _ axis: RowAxis) throws -> String {
    let all = try database.stationServices()
    let last = lastThreshold
    let ordered = all.enumerated().sorted { a, b in
      let (first, second) = (a.element.values[main]?[last] ?? 0, b.element.values[main]?[last] ?? 0)
      return first != second ? first > second : a.offset < b.offset
    }
    let shown = ordered.prefix(300).map(\.element)
    let hasLines = shown.contains { !$0.lines.isEmpty }
    return ReportTable(
      "Catchments of \(database.record.noun), \(unit(of: main))\(try servicesNote(axis))",
      note: rowNote(shown.count, all.count, "table station_service"),
      heads: ["station"] + (hasLines ? ["lines"] : []) + thresholds.map { "#within \(Format.minutes(Double($0))) min" }
        + ["#nearest, within \(Format.minutes(Double(last))) min"],
      rows: shown.map { station in
        [cell(station.place)]
          + (hasLines
            ? [.text(station.lines.count > 8 ? "\(station.lines.count) lines" : station.lines.joined(separator: ", "))]
            : [])
          + thresholds.map { .number(station.values[main]?[$0]) }
          + [.number(station.nearest[main]?[last])]
      }
    ).html
  }

  private func lineTable(_ main: String, _ axis: RowAxis) throws -> String {
    let all = try database.lineServices()
    let last = lastThreshold
    let shown = all.sorted { ($0.values[main]?[last] ?? 0, $1.name) > ($1.values[main]?[last] ?? 0, $0.name) }
      .prefix(200)
    return ReportTable(
      "Reach of each line with all its stations, \(unit(of: main))\(try servicesNote(axis))",
      note: rowNote(shown.count, all.count, "table line_service"),
      heads: ["line", "#stations"] + thresholds.map { "#within \(Format.minutes(Double($0))) min" },
      rows: shown.map { line in
        [.text(line.name), .count(line.stations)]
          + thresholds.map { .number(line.values[main]?[$0]) }
      }
    ).html
  }

  private func tripTables(_ axis: RowAxis) throws -> String {
    let hasHours = axis.count > 1
    let unit = axis.unit
    let (missing, count) = try database.unservedOrigins(atMost: 100) { missing in
      let (status, reason): (RowStatus, PlaceReason?) = (try missing["status"], try missing["reason"])
      return try [cell(missing.namedPlace("origin"))] + (hasHours ? [.count(missing["hours"])] : []) + [
        .text(status.reason(snapLimit: snapLimit, of: reason)), .number(missing["weight"]),
      ]
    }
    let longest = ReportTable(
      "The longest trips to the nearest of the \(database.record.noun)\(hasHours ? ", one per origin at its longest \(unit.dropLast())" : "")",
      note: "table access",
      heads: ["origin"] + [axis.head].compactMap(\.self) + ["station", "#time, min", "#distance, m", "#\(weightName)"],
      rows: try database.longestTrips(atMost: 30) { trip in
        try [cell(trip.namedPlace("origin"))] + hourCell(trip["hour"], axis) + [
          cell(trip.namedPlace("station")), .minutes(trip["expected_travel_time"]), .number(trip["distance"]),
          .number(trip["weight"]),
        ]
      })
    let none = ReportTable(
      "Origins without \(aStation), the largest \(weightName) first",
      note: rowNote(missing.count, count, "table access"),
      heads: ["origin"] + (hasHours ? ["#of \(axis.count) \(unit)"] : []) + ["why", "#\(weightName)"],
      rows: missing)
    return longest.html + none.html
  }
}

extension PageData {
  /// The maximum number of names on a page: if there are more, only the worst origins are listed.
  private static let maximumNames = 20_000

  /// Adds the stations, and the origins with the times to their nearest station at each shown hour and to the next ones
  /// at the hour shown at first.
  ///
  /// - Parameter next: Returns the next stations of listed origins, given by their rows.
  mutating func add(
    _ origins: [AccessOrigin], nearest: [[(seconds: Double?, station: Int?)]],
    next: (_ origins: [Int]) throws -> [Int: [(seconds: Double, row: Int)]], hours: [String], stations: [ReportedPlace],
    services: [Identifier: ReportedService], _ thresholds: [Int], limit: Double?, of measure: String,
    noun: String, unit: String, snapLimit: String, isListed: Bool
  ) rethrows {
    var answers = Interner<Answer>()
    let reason = origins.map { answers.index(of: Answer(status: $0.status, reason: $0.reason?.rawValue)) }
    var listed = isListed ? Array(origins.indices) : []
    if listed.count > PageData.maximumNames {
      let first = nearest[0]
      listed = listed.sorted { (first[$0].seconds ?? .infinity, $1) > (first[$1].seconds ?? .infinity, $0) }
        .prefix(PageData.maximumNames).sorted()
    }
    let indices = Dictionary(uniqueKeysWithValues: stations.enumerated().map { ($1.row, $0) })
    var members: [(String, String)] = [
      ("points", PageData.json(line: origins.map(\.point))),
      // Whole seconds, rounded up: a time within a whole-second threshold stays within it on the page.
      PageData.column("seconds", nearest) { PageData.list($0) { PageData.json($0.seconds?.rounded(.up), places: 0) } },
      PageData.column("nearest", nearest) { PageData.list($0) { String($0.station.flatMap { indices[$0] } ?? -1) } },
      PageData.column("thresholds", thresholds) { String($0) }, ("limit", PageData.json(limit, places: 3)),
      PageData.column("services", stations) { station in
        let service = services[station.id]
        return PageData.list([service?.values[measure] ?? [:], service?.nearest[measure] ?? [:]]) { values in
          PageData.list(thresholds) { PageData.json(values[$0], places: 0) }
        }
      },
      PageData.column("reason", reason) { String($0) },
      PageData.column("reasons", answers.values) {
        PageData.json($0.status.reason(snapLimit: snapLimit, of: $0.reason.flatMap(PlaceReason.init)))
      }, PageData.column("statuses", answers.values) { PageData.json($0.status.rawValue) },
      PageData.column("listed", listed) { String($0) },
      PageData.column("names", listed) { PageData.json(origins[$0].place.label) },
      PageData.column("ids", listed) { PageData.json(origins[$0].place.id) },
      ("hours", PageData.list(hours, PageData.json)), ("stations", PageData.places(stations)),
      ("noun", PageData.json(noun)), ("unit", PageData.json(unit)),
      PageData.column("lines", stations) { station in
        let lines = services[station.id]?.lines ?? []
        return PageData.json(lines.count > 8 ? "\(lines.count) lines" : lines.joined(separator: ", "))
      },
    ]
    if origins.contains(where: { $0.weight != nil }) {
      // Tenths of a small sum would lose it.
      let places = origins.reduce(0) { $0 + ($1.weight ?? 0) } < 100 ? 7 : 1
      members.append(PageData.column("weight", origins) { PageData.json($0.weight ?? 0, places: places) })
    }
    let next = try next(listed.map { origins[$0].row })
    if !next.isEmpty {
      let lists = PageData.list(listed) { origin in
        PageData.list(next[origins[origin].row] ?? []) {
          "[\(indices[$0.row] ?? -1),\(PageData.json($0.seconds.rounded(.up), places: 0))]"
        }
      }
      members.append(("next", lists))
    }
    if isListed, listed.count < origins.count {
      let text =
        "\(Format.count(listed.count, of: origins.count)) origins are listed, those with the longest times; all are on the map."
      members.append(("leftOut", PageData.json(text)))
    }
    add("access", PageData.object(members))
  }
}
