import Geography
import Tables

extension Headline {
  func isochrones() throws -> String {
    let areas = try results.typicalStatistics().filter { $0.measure == .area }
    let middle = record.middleThreshold ?? 0
    // Places far from their streets may have areas only within a larger threshold.
    guard let area = areas.first(where: { $0.scope == "threshold:\(middle)" }) ?? areas.first,
      let threshold = area.scope.split(separator: ":").last.flatMap({ Int($0) })
    else {
      return "\(record.identity.text(.noun).map { "None of the \($0)" } ?? "No place") has an area \(try travelling)."
    }
    let drawn = "SELECT DISTINCT place_id FROM isochrone WHERE area NOT NULL AND threshold = \(threshold)"
    let isOnce = try results.rowAxis().column == nil
    let count: Int = try isOnce ? area.count : results.database.value("SELECT count(*) FROM (\(drawn))")
    let only: [Identifier] = try count == 1 ? results.database.rows(drawn) { try $0["place_id"] } : []
    let within = record.reach(threshold)
    let end = within.hasPrefix("within") ? "of" : record.identity.leadsToPlaces ? "to" : "from"
    let reach = "\(within.prefix(1).uppercased())\(within.dropFirst()) \(end)"
    let place = try only.first.flatMap { id in try results.places(.origin).first { $0.id == id } }
    let subject =
      place.map { Headline.named($0, "place") } ?? "a typical one of \(Format.count(count)) \(record.noun)"
    let start = "\(reach) \(subject) \(try travelling)"
    if let hours = try typicalAreas(threshold: threshold) { return "\(start): \(hours)." }
    let typical = Format.area(area.quantiles[3])
    let isSingle = area.quantiles[0] == area.quantiles[6] || isShort && count > 1
    // Not the intersection or the union of all areas, which takes longer to compute than the areas themselves.
    let spread = isSingle ? typical : count == 1 ? range(area.quantiles) : "\(typical) (\(range(area.quantiles)))"
    return "\(start)\(try results.typicalWords): \(spread)."
  }

  /// Returns the largest and the smallest of the hours' typical areas, such as "111 km² at 03:00, 45 km² at 08:00"; nil
  /// without hours, and if both read the same.
  private func typicalAreas(threshold: Int) throws -> String? {
    let axis = try results.rowAxis()
    guard axis.column == .departure, axis.count > 1 else { return nil }
    var hours: [Int: Measures] = [:]
    for (hour, area) in try results.database.rows(
      "SELECT departure, area FROM isochrone WHERE area NOT NULL AND departure NOT NULL AND threshold = \(threshold)",
      decode: { (try $0["departure"] as Int, try $0["area"] as Double) })
    {
      hours[hour, default: Measures(scope: "hour:\(hour)")].add(area, to: .area)
    }
    let areas = hours.sorted { $0.key < $1.key }.compactMap { hour, measures in
      measures.summarize().first.map { (hour: hour, size: $0.statistic.quantiles[3]) }
    }
    guard let largest = areas.max(by: { $0.size < $1.size }), let smallest = areas.min(by: { $0.size < $1.size }),
      Format.area(largest.size) != Format.area(smallest.size)
    else { return nil }
    return [largest, smallest].map { "\(Format.area($0.size)) \(hourPhrase($0.hour, axis))" }.joined(separator: ", ")
  }

  private func range(_ areas: [Double]) -> String { "\(Format.area(areas[0])) to \(Format.area(areas[6]))" }
}

extension IsochroneResults {
  /// Returns text such as "2 places on closed streets".
  static func withoutRoute(_ headline: Headline, _ axis: RowAxis, rows: Int) throws -> String? {
    let rows = try headline.results.database.rows(
      """
      SELECT count(DISTINCT \(axis.column?.rawValue ?? "threshold")) AS hours FROM isochrone
      WHERE status = '\(RowStatus.directionsNotFound.rawValue)' GROUP BY place_id
      """
    ) { try $0["hours"] as Int }
    let isAlways = axis.column == nil || rows.allSatisfy { $0 == axis.count }
    return
      "\(Format.count(rows.count, "place")) on closed streets\(isAlways ? "" : " at some of the \(axis.count) \(axis.unit)")"
  }
}
