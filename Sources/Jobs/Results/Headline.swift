import Foundation
import Geography
import Input
import Routing
import Tables

/// The one-sentence summary of finished results and a line about missing data, which are stored in table `job` and
/// shown on the page, in the terminal and in the index.
struct Headline {
  let results: ResultsDatabase
  /// Whether the comparison of hours, or of the smallest and the largest area, is left out.
  var isShort = false

  /// Returns a sentence such as "53 % of 517 570 residents reach one of 188 stations within 10 min on foot."
  func sentence() throws -> String {
    switch results.kind {
    case .routes, .etas: try trips()
    case .matrix: try matrix()
    case .access: try access()
    case .isochrones: try isochrones()
    case .traces: try traces()
    }
  }

  private var record: JobRecord { results.record }
  private var travelling: String {
    get throws { try [record.travelling, results.moment].compactMap(\.self).joined(separator: " ") }
  }

  /// Returns the statistic of a measure over the whole job; nil without values.
  private func quantiles(_ measure: Statistic.Measure) throws -> Statistic? {
    try results.statistics().first { $0.measure == measure && $0.scope == "job" }
  }

  private func count(_ role: PlaceRole, where condition: String = "1") throws -> Int {
    try results.database.value("SELECT count(*) FROM place WHERE role = '\(role.rawValue)' AND \(condition)")
  }

  // MARK: Trips

  private func trips() throws -> String {
    let travelling = try self.travelling + results.typicalWords
    let typical = try results.typicalStatistics().filter { $0.scope == "job" }
    guard let times = typical.first(where: { $0.measure == .expectedTravelTime }) else {
      return "No trip \(travelling) has a route."
    }
    // In etas by public transport only walks have distances.
    let lengths = typical.first { $0.measure == .distance }
    let length = lengths.flatMap { $0.count == times.count ? " and \(Format.length($0.quantiles[3]))" : nil } ?? ""
    let (middle, longest) = (Format.duration(times.quantiles[3]), Format.duration(times.quantiles[6]))
    guard times.count > 1 else { return "1 trip \(travelling): \(middle)\(length)." }
    let end = middle == longest ? "" : "; the longest takes \(longest)"
    let isHourly = try results.rowAxis().column == .departure
    let count = try isHourly ? results.answeredPairs : times.count
    return "\(Format.count(count, "trip")) \(travelling), typically \(middle)\(length)\(end).\(try slowestHour())"
  }

  private func matrix() throws -> String {
    let isSquare = record.identity.text(.destinations).map { $0 == record.identity[.origins] } ?? true
    let isSnapped = "status = '\(RowStatus.ok.rawValue)'"
    let origins = try count(.origin, where: isSnapped)
    let places =
      isSquare
      ? "between \(Format.count(origins, "place"))"
      : "from \(Format.count(origins, "place")) to \(Format.count(try count(.destination, where: isSnapped), "place"))"
    if isSquare, origins < 2 { return "No trips to compute: fewer than two places are on the map." }
    guard let times = try quantiles(.expectedTravelTime)?.quantiles else {
      return "No trip \(places) \(try travelling) has a route."
    }
    if let reached = try reachedWeights(of: count(.origin)) { return reached }
    let (typical, long) = (Format.duration(times[3]), Format.duration(times[5]))
    let end = typical == long ? "" : "; one in twenty takes more than \(long)"
    return "Typical trip \(places) \(try travelling)\(try results.percentileWords): \(typical)\(end)."
      + (try slowestHour())
  }

  /// Returns a sentence such as "Within 45 min by public transport half of 1227 places reach 68 % or more of 337 921
  /// jobs, one in ten at most 20 %."; nil without sums of weights, and in a job with hours.
  private func reachedWeights(of origins: Int) throws -> String? {
    let axis = try results.rowAxis()
    guard origins > 1, axis.column != .departure, let reached = try results.reachedShares(origins: origins),
      let weight = reached.weight
    else { return nil }
    let (rows, count) = (max(1, axis.count), reached.thresholds.count)
    // The middle threshold is used.
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
    let weights = "\(Format.decimal(reached.total)) \(record.unit(of: weight))"
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

  /// Returns a sentence such as " On Monday at 17:00 trips take 1.18 times as long as on Monday at 03:00."; empty
  /// without hours.
  private func slowestHour() throws -> String {
    let axis = try results.rowAxis()
    guard !isShort, case .departures(let departures) = axis, departures.count > 1 else { return "" }
    let means = try hourMeans()
    guard let slowest = means.max(by: { $0.seconds < $1.seconds }),
      let fastest = means.min(by: { $0.seconds < $1.seconds }), fastest.seconds > 0,
      case let ratio = Format.decimal(slowest.seconds / fastest.seconds, 2), ratio != "1.00"
    else { return "" }
    let (slow, fast) = (hourPhrase(slowest.hour, axis), hourPhrase(fastest.hour, axis))
    return " \(slow.prefix(1).uppercased())\(slow.dropFirst()) trips take \(ratio) times as long as \(fast)."
  }

  /// The maximum number of rows or cells that are read for the means of hours; more would take too long.
  private static let maximumRows = 2_000_000

  /// Returns the mean seconds at each hour of the trips that have a route at all hours; for a matrix, the mean of the
  /// origins' means, from its summary or else its cells. Empty if there are too many rows, or if trips of a matrix have
  /// a route at some of the hours only.
  private func hourMeans() throws -> [(hour: Int, seconds: Double)] {
    let isMatrix = results.kind == .matrix
    let hasSummary =
      try isMatrix
      && results.database.value("SELECT EXISTS (SELECT 1 FROM origin_summary WHERE mean_travel_time NOT NULL)") == 1
    guard try hasSummary || results.statusCounts().total <= Headline.maximumRows else { return [] }
    let isComplete = try results.statusCounts().allSatisfy { $0.status == .ok }
    guard !isMatrix || hasSummary else {
      guard let hours = try results.matrixHours(maximumSwings: 0), !hours.hasPartialTrips else { return [] }
      return (hours.means.first ?? []).indices.compactMap { hour in
        let means = hours.means.compactMap { $0[hour] }
        return means.isEmpty ? nil : (hour + 1, means.reduce(0, +) / Double(means.count))
      }
    }
    if isMatrix, !isComplete {
      let varying = "SELECT 1 FROM origin_summary GROUP BY origin_id HAVING min(reachable) <> max(reachable)"
      guard try results.database.value("SELECT EXISTS (\(varying))") == 0 else { return [] }
    }
    let (column, source) =
      try isMatrix ? ("mean_travel_time", "origin_summary") : ("expected_travel_time", results.wholeTrips)
    let always =
      isMatrix || isComplete
      ? ""
      : "WHERE pair_id IN (SELECT pair_id FROM \(source) GROUP BY pair_id HAVING count(\(column)) = count(*))"
    return try results.database.rows(
      """
      SELECT departure, avg(\(column)) AS mean FROM \(source) \(always)
      GROUP BY departure HAVING mean NOT NULL ORDER BY departure
      """
    ) { (try $0["departure"], try $0["mean"]) }
  }

  /// Returns "at 17:00", or "on Monday at 17:00" if there are several days.
  ///
  /// - Parameter hour: The number of the hour, from 1.
  private func hourPhrase(_ hour: Int, _ axis: RowAxis) -> String {
    guard case .departures(let departures) = axis, departures.indices.contains(hour - 1) else { return "" }
    let departure = departures[hour - 1]
    let isOneDay = Set(departures.map { "\($0.weekday)\($0.day ?? "")" }).count == 1
    let day = Headline.weekdays[departure.weekday] ?? departure.weekday
    let date = departure.day.map { Format.moment("\($0)T\(departure.time)").replacing(",", with: " at") }
    return isOneDay ? "at \(departure.time)" : "on \(date ?? "\(day) at \(departure.time)")"
  }

  private static let weekdays = [
    "Mo": "Monday", "Tu": "Tuesday", "We": "Wednesday", "Th": "Thursday", "Fr": "Friday", "Sa": "Saturday",
    "Su": "Sunday",
  ]

  // MARK: Access

  private func access() throws -> String {
    guard let (main, threshold, shares) = try results.mainShare,
      let lowest = shares.min(by: { $0.share! < $1.share! }), let highest = shares.max(by: { $0.share! < $1.share! })
    else { return "No origin is counted." }
    let count = Int(exactly: highest.total.rounded()) ?? 0
    let population =
      main == AccessPlaces.originsMeasure
      ? Format.count(count, "place") : "\(Format.count(count)) \(Format.isolated(record.unit(of: main)))"
    let snapped = try results.places(.station).filter { $0.status == .ok }
    guard !snapped.isEmpty else { return "None of the \(record.noun) is on the map." }
    // A single station is named.
    let stations =
      snapped.count == 1
      ? Headline.named(snapped[0], "station") : "one of \(Format.count(snapped.count)) \(record.noun)"
    let time = Format.minutes(Double(threshold))
    let axis = try results.rowAxis()
    let travelling = try self.travelling + results.percentileWords
    let isTo = record.identity.leadsToPlaces
    guard shares.count > 1, lowest.share != highest.share, let lowHour = lowest.departure,
      let highHour = highest.departure
    else {
      let share = Format.percent(highest.share!)
      let subject = share == "none" ? "None of \(population)" : "\(share) of \(population)"
      // Units such as "residents" are plural.
      let isOne = count == 1 && main == AccessPlaces.originsMeasure || share == "none"
      let verb = isOne ? (isTo ? "reaches" : "is reached from") : isTo ? "reach" : "are reached from"
      return "\(subject) \(verb) \(stations) within \(time) min \(travelling)."
    }
    return
      "Within \(time) min \(isTo ? "of" : "from") \(stations) \(travelling): "
      + "\(Format.percent(lowest.share!)) of \(population) \(hourPhrase(lowHour, axis)), "
      + "\(Format.percent(highest.share!)) \(hourPhrase(highHour, axis))."
  }

  // MARK: Areas and traces

  private func isochrones() throws -> String {
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
    let reach = "\(within.prefix(1).uppercased())\(within.dropFirst()) \(within.hasPrefix("within") ? "of" : "from")"
    let place = try only.first.flatMap { id in try results.places(.origin).first { $0.id == id } }
    let subject =
      place.map { Headline.named($0, "place") } ?? "a typical one of \(Format.count(count)) \(record.noun)"
    let start = "\(reach) \(subject) \(try travelling)"
    if let hours = try typicalAreas(threshold: threshold) { return "\(start): \(hours)." }
    let typical = Format.area(area.quantiles[3])
    let isSingle = area.quantiles[0] == area.quantiles[6] || isShort && count > 1
    // Not the area within reach of all places or of any: it takes longer to compute than the areas themselves.
    let spread = isSingle ? typical : count == 1 ? range(area.quantiles) : "\(typical) (\(range(area.quantiles)))"
    return "\(start)\(try results.typicalWords): \(spread)."
  }

  /// Returns the largest and the smallest of the hours' typical areas: "111 km² at 03:00, 45 km² at 08:00"; nil without
  /// hours, and if all are equal.
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

  /// Returns the name of a place; without one, its id after a noun: "place 1".
  private static func named(_ place: ReportedPlace, _ noun: String) -> String {
    let label = RowProblem.excerpt(place.label)
    return Format.isolated(place.label == "\(place.id)" ? "\(noun) \(label)" : label)
  }

  private func range(_ areas: [Double]) -> String { "\(Format.area(areas[0])) to \(Format.area(areas[6]))" }

  private func traces() throws -> String {
    let counts = try results.statusCounts()
    let start = "\(Format.count(counts.ok)) of \(Format.count(counts.total, "trace")) followed \(try travelling)"
    guard let ratio = try quantiles(.timeRatio) else {
      let length = try results.traceTotals().map { ", along \(Format.length($0.distance)) of streets" } ?? ""
      return "\(start)\(length)."
    }
    let hours = try results.statistics().filter { $0.measure == .timeRatio && $0.scope.hasPrefix("hour:") }
    let slowest = hours.filter { $0.count >= Headline.minimumTraces }.max { $0.quantiles[3] < $1.quantiles[3] }
    let hour = slowest.map { ", \(Format.decimal($0.quantiles[3], 2)) at \($0.scope.dropFirst("hour:".count)):00" }
    let times =
      "\(counts.ok == 1 ? "it" : "they") took \(Format.decimal(ratio.quantiles[3], 2)) times the expected time"
    return "\(start); \(times)\(hours.count > 1 ? hour ?? "" : "")."
  }

  /// The minimum number of traces in an hour that the sentence may name.
  private static let minimumTraces = 5
}

/// Missing data.
extension Headline {
  /// Returns a line such as "3 of 323 origins: 2 outside the map, 1 without a street within 1 km; 8 trips have no
  /// route"; empty if nothing is missing.
  func missing() throws -> String {
    let reasons: [(reason: PlaceReason, words: String)] = [
      (.offMap, "outside the map"), (.noStreet, "without a street within \(limit)"),
      (.island, "on streets cut off from the others"), (.coverage, "outside the coverage"),
    ]
    // Groups only places with a reason: most have none, and SQLite sorts rows to group them.
    let problems: [(role: PlaceRole, reason: PlaceReason, count: Int)] = try results.database.rows(
      "SELECT role, reason, count(*) AS count FROM place WHERE reason <> 'far' GROUP BY role, reason"
    ) { (try $0["role"], try $0["reason"], try $0["count"]) }
    let affectedRoles = try Set(problems.map(\.role)).map { role -> (role: PlaceRole, count: Int, first: Int) in
      try results.database.rows(
        "SELECT count(*) AS count, min(fid) AS first FROM place WHERE role = ?", role.rawValue
      ) { (role, try $0["count"], try $0["first"]) }[0]
    }
    let places = affectedRoles.sorted { $0.first < $1.first }.map { role, count, _ in
      let found = reasons.compactMap { reason, words in
        problems.first { $0.role == role && $0.reason == reason }.map { (words: words, count: $0.count) }
      }
      let all = found.reduce(0) { $0 + $1.count }
      let isNamed = role == .station || results.kind == .isochrones && record.identity.text(.noun) != nil
      let roles = isNamed ? record.noun : count == 1 ? role.rawValue : "\(role.rawValue)s"
      let start = "\(Format.count(all)) of \(Format.count(count)) \(roles)"
      return found.count == 1
        ? "\(start) \(found[0].words)"
        : "\(start): \(found.map { "\(Format.count($0.count)) \($0.words)" }.joined(separator: ", "))"
    }
    let axis = try results.rowAxis()
    let rows = try results.statusCounts().compactMap { count -> String? in
      switch count.status {
      case .directionsNotFound where results.kind == .isochrones: return try closedPlaces(axis)
      case .directionsNotFound: return try withoutRoute(axis, rows: count.count)
      case .notMatched, .tooShort, .doubtful:
        return "\(Format.count(count.count, noun)) \(Headline.words[count.status] ?? "")"
      default: return nil
      }
    }
    let rejected = record.figures.integer(.rejected) ?? 0
    let idle = try results.idleFeeds().map {
      "no vehicle of \(Format.isolated($0.fileName)) leaves during the job's hours"
    }
    // Stations may be part of the map, or have a file of their own.
    let offMapCount = problems.filter { $0.reason == .offMap && $0.role != .station }.reduce(0) { $0 + $1.count }
    let areAllOffMap =
      try offMapCount > 0
      && results.database.value("SELECT count(*) FROM place WHERE role <> 'station'") == offMapCount
    return
      (places + (areAllOffMap ? ["check that the map is the right extract"] : []) + rows + idle
      + (rejected > 0 ? ["\(Format.count(rejected, "row")) of the input rejected"] : [])).joined(separator: "; ")
  }

  /// Returns text such as "2 places on closed streets".
  private func closedPlaces(_ axis: RowAxis) throws -> String {
    let rows = try results.database.rows(
      """
      SELECT count(DISTINCT \(axis.column?.rawValue ?? "threshold")) AS hours FROM isochrone
      WHERE status = '\(RowStatus.directionsNotFound.rawValue)' GROUP BY place_id
      """
    ) { try $0["hours"] as Int }
    let isAlways = axis.column == nil || rows.allSatisfy { $0 == axis.count }
    return
      "\(Format.count(rows.count, "place")) on closed streets\(isAlways ? "" : " at some of the \(axis.count) \(axis.unit)")"
  }

  /// Returns text such as "12 trips without a route at all hours, 1 trip without a route at some of the 24 hours"; a
  /// pair with waypoints is one trip. Trips of a matrix, which may be in files, and origins are counted once for each
  /// hour. Nil if all legs without a route belong to pairs with a place that was not found.
  private func withoutRoute(_ axis: RowAxis, rows: Int) throws -> String? {
    let isOfPairs = results.kind == .routes || results.kind == .etas
    guard try axis.count > 1 ? isOfPairs : results.hasLegs else {
      let hours = axis.count > 1 ? ", counted at each of \(axis.count) \(axis.unit)" : axis.words
      return "\(Format.count(rows, noun)) without a route\(hours)"
    }
    let isMissing = "status = '\(RowStatus.directionsNotFound.rawValue)'"
    let counts: [(always: Int, all: Int)] = try results.database.rows(
      """
      SELECT coalesce(sum(always), 0) AS always, count(*) AS count FROM (
        SELECT min(\(isMissing)) AS always FROM \(results.wholeTrips) AS pair GROUP BY pair_id HAVING max(\(isMissing)))
      """
    ) { (try $0["always"], try $0["count"]) }
    guard counts[0].all > 0 else { return nil }
    guard axis.count > 1 else { return "\(Format.count(counts[0].all, noun)) without a route\(axis.words)" }
    let (always, sometimes) = (counts[0].always, counts[0].all - counts[0].always)
    let unit = axis.unit
    return [
      always > 0 ? "\(Format.count(always, "trip")) without a route at all \(unit)" : nil,
      sometimes > 0 ? "\(Format.count(sometimes, "trip")) without a route at some of the \(axis.count) \(unit)" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static let words: [RowStatus: String] = [
    .notMatched: "not matched to connected streets", .tooShort: "with fewer than two positions",
    .doubtful: "with implausible times",
  ]

  private var noun: String { results.kind.noun }

  private var limit: String { Format.length(record.identity.number(.snapLimit) ?? 0) }
}

extension ResultsDatabase {
  /// The shares of an access study at each hour, or at the middle percentile: of the first weight, else of the origins,
  /// within the middle threshold; nil if nothing is counted.
  var mainShare: (measure: String, threshold: Int, shares: [ReportedShare])? {
    get throws {
      let measures = record.figures.list(.measures)
      let middle = try rowAxis().middle
      let shares = try shares().filter { $0.share != nil && (middle == nil || $0.departure == middle) }
      let main = measures.first { measure in shares.contains { $0.measure == measure } } ?? AccessPlaces.originsMeasure
      guard let threshold = record.middleThreshold,
        case let mainShares = shares.filter({ $0.measure == main && $0.threshold == threshold }), !mainShares.isEmpty
      else { return nil }
      return (main, threshold, mainShares)
    }
  }
}

extension ResultsDatabase {
  /// The headline without its sentence about hours, or the smallest and the largest area, for narrow places.
  package var shortHeadline: String {
    get throws { try Headline(results: self, isShort: true).sentence() }
  }
}

/// Typical values, the same in sentences, key figures and the history.
extension ResultsDatabase {
  /// Returns table `statistic`, with two exceptions: the statistics of whole pairs if pairs have waypoints, and those
  /// of the middle percentile if there are several. Both are without groups, since legs and percentiles are not
  /// separate trips. The percentiles of a matrix stay together, since its cells may be in files.
  package func typicalStatistics() throws -> [Statistic] {
    let axis = try rowAxis()
    let middle = axis.count > 1 ? axis.middle : nil
    switch kind {
    case .routes, .etas: return try middle != nil || hasLegs ? wholePairs(axis, at: middle) : statistics()
    case .isochrones where middle != nil:
      return try IsochroneResults.measures(database, where: axis.condition(middle!, in: "isochrone"))
        .flatMap { $0.summarize() }.map(\.statistic)
    case .isochrones, .matrix, .access, .traces: return try statistics()
    }
  }

  /// The words for the rows behind `typicalStatistics`: " at 24 hours", " at the median", " at percentile 90", for a
  /// matrix " at percentiles 25, 50 and 75 together"; empty for a single row.
  fileprivate var typicalWords: String {
    get throws {
      let axis = try rowAxis()
      guard kind != .matrix, axis.count > 1, let middle = axis.middle else { return axis.words }
      return axis.numbers[middle - 1] == 50 ? " at the median" : " at percentile \(axis.numbers[middle - 1])"
    }
  }

  /// The moment of the job's trips, as in its record; nil also if pairs have times of their own.
  package var moment: String? {
    get throws {
      guard let moment = record.moment, kind == .routes || kind == .etas else { return record.moment }
      func text(_ key: IdentityKey) -> String? {
        record.identity.text(key).flatMap { Timestamp($0) }.map { "'\($0.text)'" }
      }
      let isOwn =
        try rowAxis().column != nil
        ? "departure IS NULL"
        : text(.departureDate).map { "arrival_time NOT NULL OR departure_date IS NOT \($0)" }
          ?? "arrival_time IS NOT \(text(.arrivalDate) ?? "NULL")"
      return try database.value("SELECT EXISTS (SELECT 1 FROM route WHERE leg = 1 AND (\(isOwn)))") == 1 ? nil : moment
    }
  }

  /// `typicalWords` in a job with percentiles; else empty.
  package var percentileWords: String { get throws { try rowAxis().column == .percentile ? typicalWords : "" } }

  /// The number of results with waits longer than `LongWait.seconds`, at the middle percentile if there are several.
  package var typicalLongWaits: Int {
    get throws {
      let axis = try rowAxis()
      let all = record.figures.integer(.longWaits) ?? 0
      guard all > 0, axis.count > 1, let middle = axis.middle else { return all }
      return try RouteResults.longWaits(database, where: axis.condition(middle, in: "route"))
    }
  }

  /// Whether any pair has waypoints.
  package var hasLegs: Bool {
    get throws {
      guard kind == .routes || kind == .etas else { return false }
      if let known = cache.hasLegs { return known }
      let hasLegs = try database.value("SELECT EXISTS (SELECT 1 FROM route WHERE leg > 1)") == 1
      cache.hasLegs = hasLegs
      return hasLegs
    }
  }

  /// The SQL source of whole pairs. Without waypoints this is table `route`, since view `pair_total` would group all
  /// rows.
  fileprivate var wholeTrips: String {
    get throws { try hasLegs ? "pair_total" : "(SELECT * FROM route WHERE alternative = 0)" }
  }

  /// The number of pairs with a route at any hour.
  fileprivate var answeredPairs: Int {
    get throws {
      try database.value(
        "SELECT count(DISTINCT pair_id) FROM \(wholeTrips) AS pair WHERE expected_travel_time NOT NULL")
    }
  }

  private func wholePairs(_ axis: RowAxis, at middle: Int?) throws -> [Statistic] {
    var measures = Measures(scope: "job")
    let pairs = try database.prepare(
      """
      SELECT expected_travel_time, distance FROM \(try wholeTrips) AS pair
      WHERE expected_travel_time NOT NULL AND \(middle.map { axis.condition($0, in: "pair") } ?? "true")
      """)
    while try pairs.next() {
      measures.add(try pairs["expected_travel_time"], to: .expectedTravelTime)
      if let metres: Double = try pairs["distance"] { measures.add(metres, to: .distance) }
    }
    return measures.summarize().map(\.statistic)
  }
}

extension JobRecord {
  /// The job's middle threshold in seconds, used in sentences; nil if it has none.
  var middleThreshold: Int? {
    let thresholds = identity.integers(.thresholds)
    return thresholds.isEmpty ? nil : thresholds[thresholds.count / 2]
  }

  /// Whether areas are rings that exclude the smaller ones.
  package var hasBands: Bool { identity.flag(IdentityKey(of: "bands")) == true }

  /// Returns the travel times of an area in words: "within 6 min", or for a ring "between 3 and 6 min".
  package func reach(_ threshold: Int) -> String {
    let (smaller, time) = (identity.integers(.thresholds).filter { $0 < threshold }.max(), Double(threshold))
    guard hasBands, let smaller else { return "within \(Format.minutes(time)) min" }
    return "between \(Format.minutes(Double(smaller))) and \(Format.minutes(time)) min"
  }

  /// The mode of travel, by the stock profile, else by the profile's transport type: "in a wheelchair at 3 km/h,
  /// including hills".
  package var travelling: String {
    let modes = [
      "automobile": "by car", "van": "by van", "truck": "by lorry", "cycling": "by bicycle", "walking": "on foot",
      "wheelchair": "in a wheelchair", "pram": "with a pram",
    ]
    guard identity[.transportType] != Job.transitName else { return "by public transport" }
    let mode = modes[identity[.profile] ?? ""] ?? modes[identity[.transportType] ?? ""] ?? ""
    let tenths = identity.number(.pace).map { ($0 * 10).rounded() }
    let pace =
      tenths.map { " at \(Format.decimal($0 / 10, $0.truncatingRemainder(dividingBy: 10) == 0 ? 0 : 1)) km/h" } ?? ""
    // Slopes do not affect motor vehicles.
    let includesHills = identity[.elevationSHA256] != nil && identity[.transportType] != "automobile"
    return mode + pace + (includesHills ? ", including hills" : "")
  }

  /// The job's departureDate or arrivalDate: "on Mon 23 Nov 2026 at 08:00 UTC+01:00", "arriving on Mon 23 Nov 2026 by
  /// 09:00" in the job's time zone; nil without one.
  package var moment: String? {
    func phrase(_ text: String, _ preposition: String) -> String {
      let zone = text.dropFirst(11).drop { !"Z+-".contains($0) }
      let local = identity.text(.timeZone).flatMap { TimeZone(identifier: $0) }
      let isLocal = Timestamp(text).map { local?.secondsFromGMT(for: $0.date) == $0.secondsFromGMT } ?? true
      let clock = isLocal ? "" : zone == "Z" ? " UTC" : " UTC\(zone)"
      return "on \(Format.moment(text).replacing(",", with: " \(preposition)"))\(clock)"
    }
    if let departure = identity.text(.departureDate) { return phrase(departure, "at") }
    return identity.text(.arrivalDate).map { "arriving \(phrase($0, "by"))" }
  }

  /// The job's noun for stations, or in isochrones for places: "hospitals".
  package var noun: String {
    identity.text(.noun) ?? (identity[.kind] == JobKind.isochrones.rawValue ? "places" : "stations")
  }

  /// Returns the job's unit of a weight, else residents for columns such as `population`, else the column's name.
  package func unit(of weight: String) -> String {
    let configured = identity.units.first { $0.column == weight }?.unit
    let residents = ["population", "pop", "people", "inhabitants", "population_total"]
    return configured ?? (residents.contains(weight.lowercased()) ? "residents" : weight)
  }
}
