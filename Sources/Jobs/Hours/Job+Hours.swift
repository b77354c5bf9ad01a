import Foundation
import Geography
import Input
import OpeningHours
import Routing
import Settings
import StreetNetwork

extension Job {
  /// Returns the job with its clock and hours; relative dates such as tomorrow start from `now` in the clock's time zone.
  /// *Throws*: `OdometerError`.
  func resolved(on network: StreetNetwork, now: Date = Date()) throws -> Job {
    try checkHours()
    var job = self
    job.clock = hasSpeeds ? try clock(on: network) : knownClock(on: network)
    let moment = hasSpeeds || transit != nil ? departure ?? arrival : nil
    guard hours.times != nil || moment != nil else { return job }
    let clock = try clock(on: network)
    let holidays = holidays ?? .none
    if let moment {
      job.departures = Departures(moment, holidays, isArrival: departure == nil, by: clock)
    } else if let times = hours.times, let date = hours.date {
      let day = date.day(from: clock.day(at: Int(now.timeIntervalSince1970.rounded(.down))))
      job.departures = Departures(times, on: day, holidays, isArrival: hours.isArrival, by: clock)
    } else if let times = hours.times, let week = hours.week {
      job.departures = Departures(times, on: week, isArrival: hours.isArrival, by: clock)
    }
    if !hasSpeeds, transit == nil, let departures = job.departures, departures.hours.count > 1,
      let date = departures.date,
      !network.changes(on: departures).opensOrCloses
    {
      throw hoursError(
        "free-flow times do not depend on the hour, and nothing on the map opens or closes on \(date.text); add speeds or traffic"
      )
    }
    return job
  }

  /// Whether speeds depend on the hour.
  var hasSpeeds: Bool { !speeds.isEmpty }

  /// Returns the time zone of hours. *Throws*: `OdometerError`.
  func clock(on network: StreetNetwork) throws -> LocalClock {
    guard let clock = knownClock(on: network) else {
      throw .input(map, "no data for its time zone, \(network.timeZone); name another with timeZone")
    }
    return clock
  }

  /// Returns the time zone of hours; nil if it is the map's and there is no data for it. Instants then keep their own
  /// offsets.
  private func knownClock(on network: StreetNetwork) -> LocalClock? {
    hours.clock ?? LocalClock(timeZone: network.timeZone)
  }

  /// Checks that the keys about hours are consistent. *Throws*: `OdometerError`.
  func checkHours() throws {
    guard transit == nil else { return try checkTransitHours() }
    let example = "add departures: [\"07:00\"], or arrivals"
    if task.summarizesWaits, hours.times == nil, (departure ?? arrival) == nil {
      throw hoursError("summary", "waiting needs trips at a given time; \(example), or a departureDate")
    }
    guard hours.times != nil else {
      if hours.week != nil { throw hoursError("week", "it sets the days of trips; \(example)") }
      if hours.date != nil { throw hoursError("date", "it sets the day of trips; \(example)") }
      if task.summarizesHours {
        throw hoursError("hours", "they summarize the departures of a day; \(example)")
      }
      // Rows may have their own times.
      if hasSpeeds && (departure ?? arrival) == nil && !task.rowsMayHaveTimes { throw speedsWithoutHoursError }
      if hasSpeeds && (departure ?? arrival) != nil {
        try checkDirection("departureDate", "arrivalDate", isArrival: departure == nil)
      }
      if hours.clock != nil && !hasSpeeds && (departure ?? arrival) == nil && !task.rowsMayHaveTimes {
        throw hoursError("timeZone", "it is the time zone of hours; \(example)")
      }
      return
    }
    try checkDirection("departures", "arrivals", isArrival: hours.isArrival)
    if hours.week == nil && hours.date == nil {
      throw hoursError("the day is missing; add week: [\"Mo\"] for a typical one, or date: \"2026-11-23\"")
    }
    if hours.date == nil && !hasSpeeds {
      throw hoursError(
        "free-flow times of a typical week do not depend on the hour; add speeds or traffic, or use date instead of week "
          + "to apply the map's closures and speed limits at certain times")
    }
  }

  /// Checks the keys about hours for transit, which has departures or arrivals on a date.
  private func checkTransitHours() throws {
    let example = "departures: { from: \"07:00\", to: \"07:59\", every: \"1min\" } and a date, or departureDate"
    if hours.times != nil {
      try checkDirection("departures", "arrivals", isArrival: hours.isArrival)
    } else if (departure ?? arrival) != nil {
      try checkDirection("departureDate", "arrivalDate", isArrival: departure == nil)
    }
    if task.summarizesWaits {
      throw hoursError(
        "summary", "waiting applies to closed streets, which transit trips do not wait for; leave it out")
    }
    guard hours.times != nil else {
      // Rows may have their own times.
      guard (departure ?? arrival) != nil || task.rowsMayHaveTimes else {
        throw hoursError("departures", "a transit trip needs a departure or an arrival; add \(example)")
      }
      for (key, isSet) in [("date", hours.date != nil), ("hours", task.summarizesHours)] where isSet {
        throw hoursError(key, "it belongs to departures; add \(example)")
      }
      return
    }
    if hours.date == nil { throw hoursError("the day is missing; add date: \"2026-11-23\"") }
  }

  var speedsWithoutHoursError: OdometerError {
    let key = speeds.files.isEmpty ? "traffic" : "speeds"
    return .settings(
      file: file,
      problem: "\(key): the hours are missing; add departures: [\"07:00\"] with week: [\"Mo\"] or a date, "
        + "or a departureDate")
  }

  /// Checks that areas around a place have matching times: departures for trips from it, or arrivals for trips to it.
  private func checkDirection(_ departing: String, _ arriving: String, isArrival: Bool) throws {
    guard let areas = task.areas, (areas.direction == .toTargets) != isArrival else { return }
    throw .settings(
      file: file,
      problem: isArrival
        ? "\(arriving): areas from a place are computed by departure; use \(departing)"
        : "\(departing): areas to a place are computed by arrival; use \(arriving)")
  }

  /// A note on a stock traffic table, all of which are of cars, in jobs by other means, without a full stop.
  var trafficNotes: [String] {
    guard let traffic = speeds.traffic, speeds.trafficFile == nil, transportType != .automobile else { return [] }
    return ["traffic: \(traffic) is the slowness of cars; the job applies it to \(transportType.rawValue)"]
  }

  /// Returns notes about the job's hours, without full stops.
  func hoursNotes(on network: StreetNetwork) -> [String] {
    let key = departure != nil ? "departureDate" : arrival != nil ? "arrivalDate" : hours.key
    guard transit == nil else { return departures?.clockChangeNotes ?? [] }
    let freeFlow = hasSpeeds || departures == nil && tripTime == nil ? [] : ["\(key): \(Job.freeFlowNote)"]
    guard let departures else {
      return freeFlow + [departure ?? arrival].compactMap(\.self).flatMap { dateNotes(of: [$0], on: network) }
    }
    guard let date = departures.date else {
      return freeFlow
        + (network.conditions.isEmpty ? [] : ["week: closures at certain times are ignored; use date to apply them"])
    }
    let isUnchanged = !hasSpeeds && !network.changes(on: departures).differ
    return freeFlow + departures.notes
      + (isUnchanged ? ["nothing on the map opens or closes on \(date.text): the date has no effect"] : [])
      + holidayNotes(on: network)
  }

  /// Returns notes about the local dates of trips without `departures` or `arrivals`.
  func dateNotes(of moments: [Timestamp], on network: StreetNetwork) -> [String] {
    guard let clock else { return holidayNotes(on: network) }
    let days = Set(moments.map { clock.day(at: Int($0.date.timeIntervalSince1970.rounded(.down))) })
    return days.sorted { $0.number < $1.number }.flatMap {
      Departures([], on: $0, .none, isArrival: false, by: clock).notes
    } + holidayNotes(on: network)
  }

  private func holidayNotes(on network: StreetNetwork) -> [String] {
    let count = network.conditions.holidayCount
    guard holidays == nil, count > 0 else { return [] }
    return [
      "\(count.counted("condition")) of the map \(count == 1 ? "depends" : "depend") on holidays, but no day counts as "
        + "one: the job has no key holidays"
    ]
  }

  /// The note for trips that have a time, but no speeds or traffic.
  static let freeFlowNote =
    "no speeds or traffic: travel times are free-flow, apart from the map's time-dependent speed limits"

  private func hoursError(_ problem: String) -> OdometerError {
    .settings(file: file, problem: "\(hours.key): \(problem)")
  }

  private func hoursError(_ key: String, _ problem: String) -> OdometerError {
    .settings(file: file, problem: "\(key): \(problem)")
  }
}

extension StreetNetwork {
  /// Returns whether anything opens or closes on the date of the departures, and whether the network then differs from
  /// the network of a trip without a date; checks every five minutes.
  fileprivate func changes(on departures: Departures) -> (opensOrCloses: Bool, differ: Bool) {
    let keys = Set(departures.moments(every: 300).map { conditions.key(at: $0) })
    // Conditional speed limits depend on the hour.
    let hasLimits = !conditionalLimits.isEmpty
    return (keys.count > 1 || hasLimits, keys != [closure(at: nil)?.key] || hasLimits)
  }
}
