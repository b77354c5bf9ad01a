import Geography
import Results

extension Report {
  private static let shown = 30
  /// More lines than this are a tangle.
  private static let drawn = 1500

  /// Kinds `routes` and `etas`.
  func trips() throws -> Content {
    let isRouted = database.kind == .routes
    var content = Content(
      title: isRouted ? "Routes \(travelling)" : "Travel times \(travelling)",
      subtitle: "\(file(.pairs)) on \(mapName)", rows: isRouted ? "routes" : "pairs")
    let statistics = try database.statistics().filter { $0.scope == "job" }
    content.figures = tripFigures(statistics)
    content.map = try tripMap(statistics.first { $0.measure == .expectedTravelTime })
    content.tables =
      try HTML.section("The longest, and the greatest detours", tripTable(.longest) + tripTable(.greatestDetour))
      + HTML.section("Without an answer", missingTrips())
    return content
  }

  /// Of single trips, or of a matrix's cells.
  func tripFigures(_ statistics: [Statistic]) -> [(value: String, text: String)] {
    func quantiles(_ measure: Statistic.Measure) -> [Double]? {
      statistics.first { $0.measure == measure }.map(\.quantiles)
    }
    let times = quantiles(.expectedTravelTime).map { quantiles in
      [
        ("\(Format.minutes(quantiles[3])) min", "median travel time"),
        ("\(Format.minutes(quantiles[5])) min", "95 in 100 take no longer"),
      ]
    }
    let distances = quantiles(.distance).map { [("\(Format.decimal($0[3])) m", "median distance")] }
    return (times ?? []) + (distances ?? [])
  }

  private func tripMap(_ time: Statistic?) throws -> String {
    let (lines, count) = try database.drawnTrips(atMost: Report.drawn)
    var box = BoundingBox.empty
    var missing: [FixedCoordinate] = []
    try database.forEachPlace { if $1 == .ok { box.extend(to: $0) } else { missing.append($0) } }
    guard var picture = MapPicture(around: box, and: missing) else { return "" }
    picture.draw(try database.streets())
    // Five ranges with as many trips each, about; short trips above long ones.
    let quantiles = time.map { [$0.quantiles[2], $0.quantiles[3], $0.quantiles[4], $0.quantiles[5]] } ?? []
    let scale = ColorScale(minutesAbove: quantiles)
    let width = lines.count > 300 ? 14 : 26
    picture.draw(lines.map { ($0.points, scale.shade(of: $0.seconds)) }, width: width)
    picture.draw(missing.map { ($0, nil) })
    picture.explain(scale.minutesLegend(word: "up to"))
    if !missing.isEmpty { picture.explain([("--none", "place without a street")]) }
    let note =
      lines.count < count ? ", \(Format.decimal(Double(lines.count))) of \(Format.decimal(Double(count))) drawn" : ""
    return picture.html(title: "Routes", unit: "coloured by travel time, minutes\(note)")
  }

  private func tripTable(_ order: ResultsDatabase.TripOrder) throws -> String {
    let trips = try database.trips(order, atMost: Report.shown)
    let hasSteps = trips.contains { $0.steps != nil }
    let hasHours = trips.contains { $0.departure != nil }
    return ReportTable(
      order == .longest ? "The longest by travel time" : "The greatest detours (50 m and more apart)",
      note: "table route",
      heads: ["from", "to"] + (hasHours ? ["departure"] : []) + ["#time, min", "#distance, m", "#detour"]
        + (hasSteps ? ["#steps"] : []),
      rows: trips.map { trip in
        let hour: [ReportTable.Cell] = hasHours ? [.text(trip.departure ?? "–")] : []
        let numbers: [ReportTable.Cell] = [
          .number(trip.time.map { $0 / 60 }) { Format.decimal($0, 1) },
          .number(trip.distance) { Format.decimal($0) }, .number(trip.detour) { Format.decimal($0, 2) },
        ]
        let steps: [ReportTable.Cell] = hasSteps ? [.number(trip.steps.map(Double.init)) { Format.decimal($0) }] : []
        return [cell(trip.origin), cell(trip.destination)] + hour + numbers + steps
      }
    ).html
  }

  private func missingTrips() throws -> String {
    let trips = try database.trips(.missing, atMost: 100)
    let count = try database.statusCounts().filter { $0.status != .ok }.reduce(0) { $0 + $1.count }
    return ReportTable(
      "Pairs without an answer", note: of(trips.count, count, "table route"), heads: ["from", "to", "why"],
      rows: trips.map { trip in
        let end = trip.originStatus == .ok ? "the destination: " : "the origin: "
        let isAtEnd = trip.status == .placemarkNotFound || trip.status == .outsideCoverage
        return [
          cell(trip.origin), cell(trip.destination),
          .text((isAtEnd ? end : "") + trip.status.reason(snapLimit: snapLimit)),
        ]
      }
    ).html
  }
}
