import Tables

extension Headline {
  func matrix() throws -> String {
    let isSquare = record.identity.text(.destinations).map { $0 == record.identity[.origins] } ?? true
    let isSnapped = "status = '\(RowStatus.ok.rawValue)'"
    let origins = try count(.origin, where: isSnapped)
    let places =
      isSquare
      ? "between \(Format.count(origins, "place"))"
      : "from \(Format.count(origins, "place")) to \(Format.count(try count(.destination, where: isSnapped), "place"))"
    if isSquare, origins < 2 { return "No trips to compute: fewer than two places are on the map." }
    guard let times = try results.typical(.expectedTravelTime)?.quantiles else {
      return "No trip \(places) \(try travelling) has a route."
    }
    if let reached = try reachedWeights(of: count(.origin)) { return reached }
    let (typical, long) = (Format.duration(times[3]), Format.duration(times[5]))
    let end = typical == long ? "" : "; one in twenty takes more than \(long)"
    return "Typical trip \(places) \(try travelling)\(try results.percentileWords): \(typical)\(end)."
      + (try slowestHour(cellMeans))
  }

  /// Returns a sentence such as "Within 45 min by public transport half of 1227 places reach 68 % or more of 337 921
  /// jobs, one in ten at most 20 %."; nil without sums of weights, and in a job with hours.
  private func reachedWeights(of origins: Int) throws -> String? {
    let axis = try results.rowAxis()
    guard origins > 1, axis.column != .departure, let reached = try results.reachedShares(origins: origins),
      let weight = reached.weight
    else { return nil }
    let (rows, count) = (max(1, axis.count), reached.thresholds.count)
    // The index of the first origin's share within the middle threshold.
    let first = ((axis.middle ?? 1) - 1) * count + count / 2
    let isInside = try results.database.rows("SELECT status FROM place WHERE role = 'origin' ORDER BY fid") {
      try $0["status"] as RowStatus != .outsideCoverage
    }
    let shares = isInside.indices.filter { isInside[$0] }.map { reached.shares[first + $0 * rows * count] }.sorted()
    guard shares.count > 1 else { return nil }
    let middle = axis.middle.map { axis.numbers[$0 - 1] } ?? 50
    let percentile = axis.middle == nil ? "" : middle == 50 ? " at the median," : " at percentile \(middle),"
    let (lowDecile, zeros) = (shares[(shares.count - 1) / 10], shares.count { $0 == 0 })
    let start = "Within \(Format.duration(Double(reached.thresholds[count / 2]))) \(try travelling)\(percentile)"
    let weights = "\(Format.weight(reached.total)) \(record.unit(of: weight))"
    // The largest share that at least half of the places reach.
    let half = shares[shares.count / 2]
    let places = Format.count(shares.count, "place")
    guard half > 0 else {
      return "\(start) \(Format.count(zeros)) of \(places) \(zeros == 1 ? "reaches" : "reach") none of \(weights)."
    }
    let (most, least) = (Format.percent(half), Format.percent(lowDecile))
    let rest =
      lowDecile == 0
      ? ", \(Format.count(zeros)) of the places none of them" : least == most ? "" : ", one in ten at most \(least)"
    return "\(start) half of \(places) reach \(most)\(half < 1 ? " or more" : "") of \(weights)\(rest)."
  }

  private func count(_ role: PlaceRole, where condition: String = "1") throws -> Int {
    try results.database.value("SELECT count(*) FROM place WHERE role = '\(role.rawValue)' AND \(condition)")
  }

  /// Returns the mean of the origins' mean times at each hour, from table `origin_summary` or else from the cells; empty if
  /// some trips have a route at some of the hours only.
  private func cellMeans() throws -> [(hour: Int, seconds: Double)] {
    let database = results.database
    guard
      try database.value("SELECT EXISTS (SELECT 1 FROM origin_summary WHERE mean_travel_time NOT NULL)") == 1
    else {
      guard try results.statusCounts().total <= Headline.maximumRows,
        let hours = try results.matrixHours(maximumSwings: 0), !hours.hasPartialTrips
      else { return [] }
      return (hours.means.first ?? []).indices.compactMap { hour in
        let means = hours.means.compactMap { $0[hour] }
        return means.isEmpty ? nil : (hour + 1, means.reduce(0, +) / Double(means.count))
      }
    }
    let varying = "SELECT 1 FROM origin_summary GROUP BY origin_id HAVING min(reachable) <> max(reachable)"
    guard
      try results.statusCounts().allSatisfy({ $0.status == .ok })
        || database.value("SELECT EXISTS (\(varying))") == 0
    else { return [] }
    return try database.rows(
      """
      SELECT departure, avg(mean_travel_time) AS mean FROM origin_summary
      GROUP BY departure HAVING mean NOT NULL ORDER BY departure
      """
    ) { (try $0["departure"], try $0["mean"]) }
  }
}
