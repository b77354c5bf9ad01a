import Geography
import Results

extension Report {
  /// Kind `matrix`.
  func matrix() throws -> Content {
    var content = Content(
      title: "Matrix of travel times \(travelling)",
      subtitle: "\(file(.origins)) to \(file(.destinations)), on \(mapName)", rows: "cells")
    let statistics = try database.statistics()
    content.figures = tripFigures(statistics)
    if let error = EstimateError(database.record.figures) {
      content.subtitle += "; times are estimates: \(error)"
      content.figures.append(
        ("\(Format.decimal(error.relative.mean * 100, 2)) %", "mean error of estimated times, by a sample"))
    }
    let origins = try database.originSummaries()
    if let hours = try database.matrixHours(mostSwings: 30) {
      content.map = try hoursMap(hours)
      content.charts = [try hoursChart(hours)]
      content.tables = HTML.section("Hours", try swingTable(hours))
    } else {
      content.map = try matrixMap(origins)
    }
    content.tables += HTML.section("Origins", originTable(origins)) + HTML.section("Cells", try statusTable())
    return content
  }

  private func matrixMap(_ origins: [ReportedOrigin]) throws -> String {
    let places = try database.places()
    guard var picture = MapPicture(around: places.filter { $0.status == .ok }.map(\.point)) else { return "" }
    picture.draw(try database.streets())
    let means = origins.compactMap(\.meanTime).sorted()
    guard !means.isEmpty else {
      picture.draw(places.filter { $0.role == .origin }.map { ($0.point, $0.status == .ok ? 0 : nil) })
      picture.mark(places.filter { $0.role == .destination && $0.status == .ok }.map { ($0.point, $0.label) })
      picture.explain([("--c0", "origin"), ("--station", "destination"), ("--none", "place without a street")])
      return picture.html(title: "Origins and destinations", unit: "places of the matrix")
    }
    let quantiles = [0.2, 0.4, 0.6, 0.8].map { means[Int($0 * Double(means.count - 1))] }
    let scale = ColorScale(minutesAbove: quantiles)
    picture.draw(origins.compactMap { origin in origin.place.point.map { ($0, origin.meanTime.map(scale.shade)) } })
    picture.mark(places.filter { $0.role == .destination && $0.status == .ok }.map { ($0.point, $0.label) })
    picture.explain(scale.minutesLegend(word: "up to") + [("--station", "destination"), ("--none", "nothing reached")])
    return picture.html(title: "Mean travel time to all destinations", unit: "origins coloured by travel time, minutes")
  }

  private func originTable(_ origins: [ReportedOrigin]) -> String {
    let shown = origins.sorted { ($0.reachable, -($0.meanTime ?? 0)) < ($1.reachable, -($1.meanTime ?? 0)) }.prefix(50)
    return ReportTable(
      "Those that reach least, or take longest", note: of(shown.count, origins.count, "table origin_summary"),
      heads: ["origin", "#destinations reached", "#mean time, min", "nearest", "#time to it, min"],
      rows: shown.map { origin in
        [
          cell(origin.place), .number(Double(origin.reachable)) { Format.decimal($0) },
          .number(origin.meanTime.map { $0 / 60 }) { Format.decimal($0, 1) },
          .text(origin.nearest.map { "\($0)" } ?? "–"),
          .number(origin.nearestTime.map { $0 / 60 }) { Format.decimal($0, 1) },
        ]
      }
    ).html
  }

  private func statusTable() throws -> String {
    ReportTable(
      "Cells by status", note: "table job", heads: ["status", "#cells"],
      rows: try database.statusCounts().map { count in
        [.text(count.status.reason(snapLimit: snapLimit)), .number(Double(count.count)) { Format.decimal($0) }]
      }
    ).html
  }
}
