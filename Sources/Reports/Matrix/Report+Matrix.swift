import Geography
import Jobs
import Tables

extension Report {
  func matrix() throws -> Content {
    var content = Content(
      title: "Matrix of travel times \(travelling)",
      subtitle: "\(file(.origins)) to \(file(.destinations)), on \(mapName)", rows: "trips")
    let axis = try database.rowAxis()
    let origins = try database.originSummaries(at: axis.initial?.number)
    let places = try database.places()
    let drawn = try matrixData(origins, places, &content)
    content.data = drawn?.data
    if isEmbedded { return content }
    let hours = try database.matrixHours(maximumSwings: 30)
    if let drawn {
      content.map =
        if let shares = drawn.shares {
          sharesMap(shares, places, axis)
        } else {
          matrixMap(origins, places, axis, drawn.scale, drawn.cells, hours)
        }
    }
    if aspect != nil { return content }
    content.figures = try tripFigures()
    if let hours {
      content.charts = [try hoursChart(hours)]
      content.tables += HTML.folded("Hours", try swingTable(hours, places))
    }
    content.tables +=
      HTML.folded("Origins", originTable(origins, places, axis.initial?.text))
      + HTML.folded("Cells", try statusTable())
    return content
  }

  /// Returns a map of origins, coloured by the share that they reach within the middle threshold.
  private func sharesMap(_ reached: ReachedShares, _ places: [ReportedPlace], _ axis: RowAxis) -> String {
    guard var picture = picture(of: places) else { return "" }
    picture.draw(backdrop)
    let origins = places.filter { $0.role == .origin }
    let (rows, count) = (max(1, axis.asDepartures.count), reached.thresholds.count)
    // In per cent, rounded as in the script's data.
    let shares = origins.indices.map { origin in
      origins[origin].status != .ok
        ? []
        : (0..<rows).map { (reached.shares[(origin * rows + $0) * count + count / 2] * 1000).rounded() / 10 }
    }
    let scale = ColorScale(shares: shares.flatMap(\.self))
    picture.draw(
      zip(origins, shares).map { ($0.point, $1.isEmpty ? nil : scale.shade(of: -$1[axis.initialIndex])) })
    picture.hour = axis.initial?.text
    picture.explain(scale.sharesLegend)
    explainMissing(origins, on: &picture)
    mark(places, on: &picture)
    let unit = reached.weight.map(database.record.unit(of:)) ?? "destinations"
    let title = "Share of \(unit) \(database.record.reach(reached.thresholds[count / 2]))"
    return picture.html(title: title, unit: "origins coloured by share")
  }

  private func explainMissing(_ places: [ReportedPlace], on picture: inout MapPicture) {
    guard places.contains(where: { $0.status != .ok }) else { return }
    picture.explain([("--none", "place outside the map or without a street")])
  }

  /// Returns a map of origins, coloured by their mean travel time; of several hours, that at the first.
  private func matrixMap(
    _ origins: [ReportedOrigin], _ places: [ReportedPlace], _ axis: RowAxis, _ scale: ColorScale, _ cells: ShownCells,
    _ hours: MatrixHours?
  ) -> String {
    guard var picture = picture(of: places) else { return "" }
    picture.draw(backdrop)
    let located = places.filter { $0.role == .origin }
    let means: [(FixedCoordinate, Double?)] =
      if let hours {
        zip(located, hours.means).map { ($0.point, $1[0]) }
      } else if origins.contains(where: { $0.meanTime != nil }) {
        origins.compactMap { origin in origin.place.point.map { ($0, origin.meanTime) } }
      } else {
        zip(cells.rows, cells.summaries[cells.initial]).map { (located[$0].point, $1.mean) }
      }
    guard hours != nil || means.contains(where: { $0.1 != nil }) else {
      picture.draw(located.map { ($0.point, $0.status == .ok ? 0 : nil) })
      picture.explain([("--c0", "origin")])
      explainMissing(located, on: &picture)
      mark(places, on: &picture)
      return picture.html(title: "Origins and destinations", unit: "places of the matrix")
    }
    picture.draw(means.map { ($0, $1.map(scale.shade)) })
    picture.hour = axis.initial?.text
    picture.explain(scale.minutesLegend)
    if means.contains(where: { $0.1 == nil }) { picture.explain([("--none", "nothing reached")]) }
    mark(places, on: &picture)
    return picture.html(
      title: "Mean travel time to the destinations reached", unit: "origins coloured by travel time, minutes")
  }

  func mark(_ places: [ReportedPlace], on picture: inout MapPicture) {
    let marked = marked(places)
    guard !marked.isEmpty else { return }
    picture.mark(marked.map { ($0.point, $0.label) })
    picture.explain([("--station", "destination")])
  }

  /// Returns destinations that are not origins; those that are would be hidden under the origins.
  private func marked(_ places: [ReportedPlace]) -> [ReportedPlace] {
    let (origins, destinations) = (places.filter { $0.role == .origin }, places.filter { $0.role == .destination })
    let own = OwnCells(origins: origins.map { ($0.id, $0.point) }, destinations: destinations.map { ($0.id, $0.point) })
    let both = Set(origins.indices.compactMap { own[$0] })
    return destinations.indices.filter { destinations[$0].status == .ok && !both.contains($0) }.map { destinations[$0] }
  }

  /// Returns the data for the script that replaces the static map, and the values that both draw: the scale of mean
  /// times, the reached shares, and the cells. Makes the table of zones the first table.
  private func matrixData(
    _ summaries: [ReportedOrigin], _ places: [ReportedPlace], _ content: inout Content
  ) throws -> (data: PageData, scale: ColorScale, shares: ReachedShares?, cells: ShownCells)? {
    var (origins, destinations) = (places.filter { $0.role == .origin }, places.filter { $0.role == .destination })
    guard let picture = picture(of: places) else { return nil }
    let axis = try database.rowAxis()
    let hours = axis.asDepartures.map(\.text)
    var data = try pageData(picture.box, scripts: ["route", "matrix"])
    let means = summaries.compactMap(\.meanTime)
    let times = try database.statistics().first { $0.measure == .expectedTravelTime }?.quantiles ?? []
    var heat = HeatTable(
      origins: origins, destinations: destinations, named: backdrop.filter { $0.layer == "place" }.flatMap(\.places))
    var cells = try ShownCells(
      of: database, origins: origins.count, destinations: destinations.count, axis, &heat)
    let hasOnlyMeans = cells.rows.isEmpty || hours.isEmpty && !means.isEmpty
    let scale = ColorScale(times: hasOnlyMeans ? [means] : cells.summaries.map { $0.compactMap(\.mean) })
    data.add("scale", PageData.list(scale.breaks) { PageData.json($0, places: 0) })
    let moment = axis.initial.map { "at \(Format.moment($0.text))" }
    let notes = [
      heat.isOfZones ? "zones are named after the nearest place or their part of the map" : nil,
      cells.rows.count < origins.count ? "for \(Format.count(cells.rows.count, of: origins.count)) origins" : nil,
      moment,
    ]
    content.tables = HTML.folded(
      heat.isOfZones ? "Between zones" : "Between places",
      heat.html(ColorScale(times: times), note: notes.compactMap(\.self).joined(separator: "; ")))
    let reached = try database.reachedShares(origins: origins.count)
    var (shown, columns) = (Array(origins.indices), [summaries.map { (mean: $0.meanTime, nearest: $0.nearestTime) }])
    if isReduced {
      let usesCells = means.isEmpty && !cells.rows.isEmpty
      if usesCells { (shown, columns) = (cells.rows, [cells.summaries[cells.initial]]) }
      (shown, columns) = (thinned(shown), columns.map(thinned))
      if shown.count < origins.count || moment != nil {
        content.drawn = "\(Format.count(shown.count, of: origins.count)) origins\(moment.map { ", \($0)" } ?? "")"
      }
      origins = shown.map { origins[$0] }
      destinations = marked(places)
      if destinations.count > Report.maximumMarked { destinations = [] }
      cells.removeCells(axis)
    } else if !hasOnlyMeans {
      columns = cells.summaries
    }
    data.add(
      cells, origins: origins, destinations: destinations, columns, areOfRows: !isReduced && !hasOnlyMeans,
      areInTable: !summaries.isEmpty, hours: hours,
      reached.map { (shares: $0, unit: $0.weight.map(database.record.unit(of:))) }, of: shown)
    return (data, scale, reached, cells)
  }

  /// The maximum number of destinations that the script marks.
  private static let maximumMarked = 400

  private func originTable(_ origins: [ReportedOrigin], _ places: [ReportedPlace], _ row: String?) -> String {
    let destinations = places.filter { $0.role == .destination }
    let names = Dictionary(destinations.map { ($0.id, $0.label) }) { first, _ in first }
    let shown = origins.sorted { ($0.reachable, -($0.meanTime ?? 0)) < ($1.reachable, -($1.meanTime ?? 0)) }.prefix(50)
    return ReportTable(
      "Origins with the fewest destinations or longest times\(row.map { ", at \($0)" } ?? "")",
      note: of(shown.count, origins.count, "table origin_summary"),
      heads: ["origin", "#destinations reached", "#mean time, min", "nearest", "#time to nearest, min"],
      rows: shown.map { origin in
        [
          cell(origin.place), .count(origin.reachable), .minutes(origin.meanTime),
          origin.nearest.map { .name(names[$0] ?? "\($0)") } ?? .text("–"), .minutes(origin.nearestTime),
        ]
      }
    ).html
  }

  private func statusTable() throws -> String {
    ReportTable(
      "Cells by status", note: "table job", heads: ["status", "#cells"],
      rows: try database.statusCounts().map { count in
        let isPlace = count.status == .placemarkNotFound
        let reason = count.status.reason(snapLimit: snapLimit)
        return [.text(isPlace ? "a place outside the map or without a street" : reason), .count(count.count)]
      }
    ).html
  }
}

/// The cells of a matrix that are included in a page: all cells, or those of an even sample of origins and hours.
struct ShownCells {
  /// The maximum number of cells of a matrix that is shown completely, and the maximum size of the sample of a larger
  /// matrix. They limit the job's running time.
  private static let (mostOfAll, most) = (1_500_000, 400_000)

  /// The indices of the shown origins and hours; no hours for a matrix without hours.
  private(set) var rows: [Int] = []
  private(set) var hours: [Int] = []
  /// The cells of each origin, hour by hour, in the format of `MinuteText`.
  private(set) var texts: [String] = []
  /// The mean and the shortest time from each origin to other places, by hour, in seconds.
  private(set) var summaries: [[(mean: Double?, nearest: Double?)]] = [[]]
  /// The index of the hour that the page shows at first among the shown hours.
  private(set) var initial = 0
  /// Whether the database has the cells; otherwise they are in a file.
  private(set) var areInTable = false
  /// A note about omitted cells; nil if there are none.
  private(set) var note: String?

  /// Reads the cells.
  ///
  /// - Parameter heat: Receives the cells of the hour that the page shows at first.
  ///
  /// *Throws*: `ResultsError`.
  init(
    of database: ResultsDatabase, origins: Int, destinations: Int, _ axis: RowAxis, _ heat: inout HeatTable
  ) throws {
    let count = axis.count
    // Without cells, summaries of one hour are shown.
    hours = axis.evenlySpacedIndices(atMost: 1)
    guard origins > 0, destinations > 0, let cells = try database.shownMatrixCells() else {
      note = "This page does not show individual cells: the job kept only summaries, or wrote cells as CSV."
      return
    }
    areInTable = cells.name == "matrix_row"
    let hasAll =
      destinations.multipliedReportingOverflow(by: origins * max(1, count)).partialValue <= ShownCells.mostOfAll
    let most = hasAll ? ShownCells.mostOfAll : ShownCells.most
    hours = axis.evenlySpacedIndices(atMost: hasAll ? count : max(1, min(24, most / 20 / destinations)))
    let mostRows = max(1, most / (destinations * max(1, hours.count)))
    rows = stride(from: 0, to: origins, by: (origins + mostRows - 1) / mostRows).map(\.self)
    guard destinations * max(1, hours.count) <= most else {
      (rows, hours) = ([], axis.evenlySpacedIndices(atMost: 1))
      note = "This page does not show individual cells: each origin has too many."
      return
    }
    var row = CellRow()
    summaries = Array(repeating: [], count: max(1, hours.count))
    initial = hours.firstIndex(of: axis.initialIndex) ?? 0
    for origin in rows {
      let own = heat.own[origin]
      var bytes: [UInt8] = []
      bytes.reserveCapacity(destinations * max(1, hours.count))
      for (index, hour) in (count == 0 ? [0] : hours).enumerated() {
        try cells.read(origin * max(1, count) + hour, into: &row)
        MinuteText.append(row.times, to: &bytes)
        var (sum, reached, least) = (Int64(0), 0, Int64.max)
        for (destination, time) in row.times.enumerated() where time >= 0 && destination != own {
          (sum, reached, least) = (sum + time, reached + 1, min(least, time))
        }
        summaries[index].append(
          reached > 0 ? (Double(sum) / Double(reached) / 1000, Double(least) / 1000) : (nil, nil))
        if hour == axis.initialIndex { heat.add(row.times, from: origin) }
      }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    var notes: [String] = []
    if rows.count < origins {
      notes.append("\(Format.count(rows.count, of: origins)) origins, an even sample, can be selected")
    }
    if hours.count < count { notes.append("\(hours.count) of \(count) \(axis.unit) are shown") }
    if !notes.isEmpty { note = notes.joined(separator: "; ") + ". All cells are in the results." }
  }

  /// Removes the cells and all hours except the one that the page shows at first.
  mutating func removeCells(_ axis: RowAxis) {
    (rows, texts, hours, note) = ([], [], axis.evenlySpacedIndices(atMost: 1), nil)
  }
}
