import Results
import Routing
import Settings
import StreetNetwork

/// The hours of finished results, and their network at them.
struct HoursToVerify: Sendable {
  let departures: Departures
  /// Nil for free flow.
  let speeds: StreetSpeeds?
  let timed: TimedNetwork

  /// Nil where the results have no hours. Speeds are read as the job file says, where it has not changed.
  ///
  /// - Throws: `ResultsError`, and what reading speeds throws.
  init?(_ database: ResultsDatabase, on network: StreetNetwork, _ holidays: Holidays) throws {
    let rows = try database.departures()
    guard let departures = Departures(rows, holidays, timeZone: database.record.identity.text(.timeZone)) else {
      return nil
    }
    self.departures = departures
    speeds = try HoursToVerify.speeds(of: database, on: network, departures)
    timed = TimedNetwork(
      network, speeds, on: departures.day, waitLimit: database.record.identity.options.waitMilliseconds)
  }

  /// The speeds that results were computed with; nil for free flow.
  static func speeds(
    of database: ResultsDatabase, on network: StreetNetwork, _ departures: Departures?
  ) throws -> StreetSpeeds? {
    try speeds(of: database).speeds(on: network, for: departures)?.speeds
  }

  private static func speeds(of database: ResultsDatabase) throws -> SpeedsTask {
    let identity = database.record.identity
    guard identity.text(.speeds) != nil || identity.text(.traffic) != nil else { return SpeedsTask() }
    let file = database.record.run[.jobFile] ?? ""
    guard let job = try? Job(of: database.record, in: database.path, output: "-"), case let known = job.identity,
      [IdentityKey.speeds, .speedsSHA256, .traffic, .trafficSHA256].allSatisfy({ identity[$0] == known[$0] })
    else {
      throw ResultsError(
        path: database.path,
        problem:
          "the speeds of these results are needed to verify them, but \(file) no longer says which they were, or "
          + "one of its files has changed", cause: .input)
    }
    return job.speeds
  }
}

extension SpeedsTask {
  /// The speeds that count at a job's hours; nil for free flow.
  func speeds(on network: StreetNetwork, for departures: Departures?) throws -> JobSpeeds? {
    try isEmpty ? nil : speeds(on: network, week: departures?.day)
  }
}
