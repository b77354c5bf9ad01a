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
      note: rowNote(shown.count, origins.count, "table origin_summary"),
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

  /// Returns a chart of the mean over all origins at each hour, with one curve per day.
  private func hoursChart(_ hours: MatrixHours) throws -> String {
    let departures = try database.departures()
    var curves: [Chart.Curve] = []
    for (index, departure) in departures.enumerated() {
      let means = hours.means.compactMap { $0[index] }
      guard !means.isEmpty else { continue }
      let point = (x: Report.hourOfDay(departure.time), y: means.reduce(0, +) / Double(means.count) / 60)
      if curves.last?.name != departure.weekday { curves.append((departure.weekday, [])) }
      curves[curves.count - 1].points.append(point)
    }
    let isArrival = departures.first?.departure == nil
    return Chart(
      curves, title: "Mean travel time by hour", x: "hour of \(isArrival ? "arrival" : "departure")", y: "minutes"
    ).html
  }

  /// Returns a table of the cells with the largest differences between hours.
  private func swingTable(_ hours: MatrixHours, _ places: [ReportedPlace]) throws -> String {
    let origins = places.filter { $0.role == .origin }
    let destinations = places.filter { $0.role == .destination }
    let departures = try database.departures()
    return ReportTable(
      "Cells with the largest difference between hours", note: "table matrix_row",
      heads: ["from", "to", "slowest at", "#time then, min", "fastest at", "#time then, min", "#slowest / fastest"],
      rows: hours.swings.map { swing in
        [
          .name(origins[swing.origin].label), .name(destinations[swing.destination].label),
          .text(Format.moment(departures[swing.slowest.hour].text)), .minutes(swing.slowest.seconds),
          .text(Format.moment(departures[swing.fastest.hour].text)), .minutes(swing.fastest.seconds),
          .number(swing.fastest.seconds > 0 ? swing.slowest.seconds / swing.fastest.seconds : nil, places: 2),
        ]
      }
    ).html
  }
}
