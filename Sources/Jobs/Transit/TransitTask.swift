import Geography
import Input
import Routing
import Settings
import StreetNetwork
import Tables
import Transit
import TransitNetwork

/// The settings of a job that uses public transport: riders walk to a stop, ride vehicles, and walk from the last stop.
struct TransitTask: Sendable {
  /// GTFS zips, at least one.
  let gtfs: [String]
  let rules: TransitRules

  /// The kinds of jobs that support transit; they also support percentiles of the times over several departures.
  static let kinds: [JobKind] = [.routes, .matrix, .etas, .access, .isochrones]

  /// The keys of trips on streets, and the reasons why transit jobs reject them.
  private static let otherKeys = [
    ("week", "transit needs a date instead, e.g. date: \"2026-11-23\""),
    ("speeds", "vehicles follow their timetable, and walks do not depend on the hour; leave it out"),
    ("traffic", "vehicles follow their timetable, and walks do not depend on the hour; leave it out"),
    ("holidays", "walks do not depend on the day, and the timetable has dates; leave it out"),
    ("waitLimit", "walks do not wait at closed streets; leave it out"),
    ("tollPreference", "transit trips do not pay tolls; leave it out"),
    ("highwayPreference", "vehicles follow their timetable, and walks do not use motorways; leave it out"),
    ("sentinels", "sentinels do not support transit; leave them out"),
    ("requestsAlternateRoutes", "transit finds one best trip per departure; leave it out"),
  ]

  /// Reads the keys; nil unless the job uses transit. *Throws*: `OdometerError`.
  ///
  /// - Parameter optionalKeys: The optional keys of the job's kind. A kind may have its own keys `limit` and
  ///   `wheelchairBoarding` for all transport types, described by its task, or thresholds instead of a limit.
  static func read(_ keys: inout KeyReader, _ optionalKeys: Set<String>) throws -> TransitTask? {
    let applies = kinds.contains(keys.kind)
    let gtfs = try keys.value(
      "gtfs", .pathOrPaths, otherwise: "none; required with transit", "GTFS zip files, with transit",
      example: "city.zip", applies: applies)
    let walkLimit = try keys.value(
      "walkLimit", .number(of: "minutes", over: 0, atMost: 120), otherwise: "15",
      "longest walk to, from and between stops in minutes, with transit", example: 10, applies: applies)
    let boardingSlack = try keys.value(
      "boardingSlack", TransitRules.slackType, otherwise: "60",
      "minimum time at a stop before boarding, in seconds, with transit", example: 30, applies: applies)
    let maximumRides = try keys.value(
      "maximumRides", TransitRules.ridesType, otherwise: "no limit",
      "maximum number of vehicles per trip, with transit", example: 3, applies: applies)
    let headways = try keys.value(
      "headways", SettingType<TransitWindow.Headways>.choice, otherwise: "timetable",
      "waiting time for frequency-based trips, with transit: timetable (from start_time); averageWait (half the headway)",
      example: "averageWait", applies: applies)
    let wheelchairBoarding = try keys.value(
      "wheelchairBoarding", SettingType<WheelchairBoarding>.choice, otherwise: "any",
      "stops and vehicles to use, with transit: any; possible (not marked as inaccessible); known (marked as accessible)",
      example: "possible", applies: optionalKeys.contains("wheelchairBoarding"))
    let hasLimit = optionalKeys.contains("limit")
    let limit = try keys.value(KeyReader.limit("longest trip in minutes, with transit", "120"), applies: hasLimit)
    guard keys.isTransit else {
      let transitKeys =
        ["gtfs", "walkLimit", "boardingSlack", "maximumRides", "headways"]
        + ["limit", "wheelchairBoarding"].filter(optionalKeys.contains)
      guard let key = transitKeys.first(where: keys.has) else { return nil }
      throw keys.error(key, "it belongs to transportType \"\(Job.transitName)\"")
    }
    guard applies else {
      let names = kinds.map(\.rawValue).joined(separator: ", ")
      throw keys.error("transportType", "kind \(keys.kind.rawValue) does not support transit; expected one of \(names)")
    }
    for (key, reason) in otherKeys where keys.has(key) { throw keys.error(key, reason) }
    guard let gtfs else {
      throw keys.error("gtfs", "transit needs a timetable; name a GTFS zip, e.g. gtfs: \"city.zip\"")
    }
    let milliseconds = walkLimit.map { UInt32(($0 * 60_000).rounded()) } ?? TransitRules.defaultWalkLimit
    let slack = boardingSlack ?? TransitRules.defaultSlack
    keys.enter { identity in
      try identity.setFiles("gtfs", gtfs)
      identity.set(IdentityKey(of: "walkLimit"), milliseconds: milliseconds)
      identity.set(IdentityKey(of: "boardingSlack"), slack)
      if let maximumRides { identity.set(IdentityKey(of: "maximumRides"), maximumRides) }
      if let headways, headways != .timetable { identity.set(IdentityKey(of: "headways"), headways.rawValue) }
    }
    if let wheelchairBoarding {
      keys.enter { $0.set(IdentityKey(of: "wheelchairBoarding"), wheelchairBoarding.rawValue) }
    }
    if hasLimit { keys.enter { $0.set(.limit, milliseconds: limit ?? TransitRules.defaultLimit) } }
    let rules = TransitRules(
      walkLimit: milliseconds, boardingSlack: slack, limit: limit ?? TransitRules.defaultLimit,
      maximumRides: maximumRides, headways: headways ?? .timetable,
      wheelchairBoarding: wheelchairBoarding ?? .any)
    return TransitTask(gtfs: gtfs, rules: rules)
  }
}

extension TransitSchedule {
  /// Creates the schedule for the resolved departures or arrivals of a job; nil if rows have their own times.
  ///
  /// - Throws: `OdometerError` for a date without service.
  init?(_ task: TransitTask, _ feeds: FeedTimetable, of job: Job, on network: StreetNetwork) throws {
    guard let departures = job.departures, let date = departures.date else { return nil }
    // When clocks are turned back, a local time does not determine the instant.
    let moment = job.hours.times == nil ? job.departure ?? job.arrival : nil
    let longest = job.task.areas.map { $0.longest * 1000 }
    try self.init(
      feeds, task.rules, on: date,
      at: moment.map { [departures.milliseconds(fromMidnightTo: $0)] } ?? departures.millisecondsFromMidnight,
      isArrival: departures.isArrival, within: longest ?? Int(task.rules.limit), clock: job.clock(on: network),
      isNamed: job.hours.clock != nil)
  }
}

extension TransitStops {
  /// Snaps the stops of a schedule. *Throws*: `OdometerError` if no stop is near a street.
  init(_ schedule: TransitSchedule, in context: JobContext) throws {
    try self.init(schedule, on: context.network, context.job.options, map: context.job.map) {
      try context.snap("stops", $0).map(\.end)
    }
  }
}

extension Job {
  /// The transport type of jobs that use public transport.
  package static let transitName = TransportType.transit.rawValue
}

extension KeyReader {
  /// Returns the key `limit`, in milliseconds.
  static func limit(_ summary: String, _ otherwise: String) -> SettingKey<UInt32?> {
    .init(
      "limit",
      SettingType<Double>.number(of: "minutes", over: 0, atMost: ReachTask.maximumMinutes).map {
        UInt32(($0 * 60_000).rounded())
      }, otherwise: otherwise, summary, example: 30)
  }
}

extension SettingType<[String]> {
  /// The path of a file, or of several files.
  fileprivate static var pathOrPaths: SettingType {
    stringOrList.map(name: "path or list of paths", expected: "a path or a list of different paths") { paths in
      Set(paths).count == paths.count ? paths : nil
    }
  }
}

extension SettingType<[Int]> {
  /// Percentiles: whole numbers from 0 to 100, at least one, each once.
  static var percentiles: SettingType {
    SettingType<Setting>.any("list of whole numbers", expected: "a list of whole numbers from 0 to 100, each once").map
    {
      guard case .list(let items) = $0, !items.isEmpty else { return nil }
      let numbers: [Int] = items.compactMap { if case .number(let number) = $0 { Int(exactly: number) } else { nil } }
      let areAllowed = numbers.count == items.count && numbers.allSatisfy((0...100).contains)
      return areAllowed && Set(numbers).count == numbers.count ? numbers : nil
    }
  }
}
