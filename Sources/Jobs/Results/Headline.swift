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
  func sentence() throws -> String { try results.kind.results.sentence(self) }

  var record: JobRecord { results.record }
  var travelling: String {
    get throws { try [record.travelling, results.moment].compactMap(\.self).joined(separator: " ") }
  }

  /// Returns a sentence such as " On Monday at 17:00 trips take 1.18 times as long as on Monday at 03:00."; empty
  /// without hours.
  ///
  /// - Parameter means: Returns the mean seconds at each hour of the trips that have a route at all hours; empty if
  ///   that would take too long.
  func slowestHour(_ means: () throws -> [(hour: Int, seconds: Double)]) throws -> String {
    let axis = try results.rowAxis()
    guard !isShort, case .departures(let departures) = axis, departures.count > 1 else { return "" }
    let means = try means()
    guard let slowest = means.max(by: { $0.seconds < $1.seconds }),
      let fastest = means.min(by: { $0.seconds < $1.seconds }), fastest.seconds > 0,
      case let ratio = Format.decimal(slowest.seconds / fastest.seconds, 2), ratio != "1.00"
    else { return "" }
    let (slow, fast) = (hourPhrase(slowest.hour, axis), hourPhrase(fastest.hour, axis))
    return " \(slow.prefix(1).uppercased())\(slow.dropFirst()) trips take \(ratio) times as long as \(fast)."
  }

  /// The maximum number of rows or cells that are read for the means of hours; more would take too long.
  static let maximumRows = 2_000_000

  /// Returns "at 17:00", or "on Monday at 17:00" if there are several days.
  ///
  /// - Parameter hour: The number of the hour, from 1.
  func hourPhrase(_ hour: Int, _ axis: RowAxis) -> String {
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

  /// Returns the name of a place; without one, its id after a noun: "place 1".
  static func named(_ place: ReportedPlace, _ noun: String) -> String {
    let label = RowProblem.excerpt(place.label)
    return Format.isolated(place.label == "\(place.id)" ? "\(noun) \(label)" : label)
  }
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
      let isNamed =
        role == .station || role == results.kind.results.namedPlaces.role && record.identity.text(.noun) != nil
      let roles = isNamed ? record.noun : count == 1 ? role.rawValue : "\(role.rawValue)s"
      let start = "\(Format.count(all)) of \(Format.count(count)) \(roles)"
      return found.count == 1
        ? "\(start) \(found[0].words)"
        : "\(start): \(found.map { "\(Format.count($0.count)) \($0.words)" }.joined(separator: ", "))"
    }
    let axis = try results.rowAxis()
    let rows = try results.statusCounts().compactMap { count -> String? in
      switch count.status {
      case .directionsNotFound: return try results.kind.results.withoutRoute(self, axis, rows: count.count)
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

  /// Returns text such as "12 trips without a route at all hours, 1 trip without a route at some of the 24 hours"; a
  /// pair with waypoints is one trip. Trips of a matrix, which may be in files, and origins are counted once for each
  /// hour. Nil if all legs without a route belong to pairs with a place that was not found.
  func withoutRoute(_ axis: RowAxis, rows: Int) throws -> String? {
    guard try axis.count > 1 ? results.kind.hasPairs : results.hasLegs else {
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
    .notMatched: "not matched to connected streets", .tooShort: "too short to match",
    .doubtful: "with implausible times",
  ]

  private var noun: String { results.kind.noun }

  private var limit: String { Format.length(record.identity.number(.snapLimit) ?? 0) }
}

extension ResultsDatabase {
  /// The headline without the comparison of hours, or of the smallest and the largest area, for limited space.
  package var shortHeadline: String {
    get throws { try Headline(results: self, isShort: true).sentence() }
  }
}

/// Typical values, the same in sentences, key figures and the history.
extension ResultsDatabase {
  /// Returns the rows of table `statistic`, except that legs and percentiles are not counted as separate trips: if
  /// pairs have waypoints, returns the statistics of whole pairs; if there are several percentiles, those of the middle
  /// one; both without groups. The percentiles of a matrix stay together, since its cells may be in files.
  package func typicalStatistics() throws -> [Statistic] { try kind.results.typicalStatistics(self) }

  /// Returns the statistic of a measure among `typicalStatistics`; nil without values.
  func typical(_ measure: Statistic.Measure, scope: String = "job") throws -> Statistic? {
    try typicalStatistics().first { $0.measure == measure && $0.scope == scope }
  }

  /// The words for the rows behind `typicalStatistics`: " at 24 hours", " at the median", " at percentile 90", for a
  /// matrix " at percentiles 25, 50 and 75 together"; empty for a single row.
  var typicalWords: String {
    get throws {
      let axis = try rowAxis()
      guard !kind.hasCells, axis.count > 1, let middle = axis.middle else { return axis.words }
      return axis.numbers[middle - 1] == 50 ? " at the median" : " at percentile \(axis.numbers[middle - 1])"
    }
  }

  /// The moment of the job's trips, as in its record; nil also if pairs have times of their own.
  package var moment: String? {
    get throws {
      guard let moment = record.moment, kind.hasPairs else { return record.moment }
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
    identity.text(.noun) ?? identity[.kind].flatMap(JobKind.init(rawValue:))?.results.namedPlaces.noun ?? "stations"
  }

  /// Returns the job's unit of a weight, else residents for columns such as `population`, else the column's name.
  package func unit(of weight: String) -> String {
    let configured = identity.units.first { $0.column == weight }?.unit
    let residents = ["population", "pop", "people", "inhabitants", "population_total"]
    return configured ?? (residents.contains(weight.lowercased()) ? "residents" : weight)
  }
}
