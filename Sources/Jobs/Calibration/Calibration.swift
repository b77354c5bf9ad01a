import Foundation
import Geography
import Results
import StreetNetwork

/// How slow streets are by class and hours, as observed trips say: a traffic table, and how well it predicts trips that it
/// was not made of.
///
/// Nothing is changed: whoever wants the table names it in a job.
package struct Calibration {
  /// Whether the table predicts held-out trips better than what there was before, at the hours it has.
  package let isBetter: Bool
  /// The table, as a file that a job's key `traffic` names.
  package let traffic: String
  /// Trips, errors and numbers before and after, for a person.
  package let report: String
  package let rejected: [RejectedRow]

  package struct Options: Sendable {
    /// The hours that get a slowness each; nil: hours of the day, joined where trips are few.
    package var bands: [String]?
    /// What there is before; nil: free flow at all hours.
    package var traffic: TrafficTable?
    /// Seconds between the positions of a polyline.
    package var interval = 15.0
    package var workers = 1
    package init() {}
  }

  /// Fewer say nothing.
  private static let leastTrips = 20

  /// *Throws*: `InputError`; `CalibrationError` where the options do not fit the trips.
  package init(_ path: String, on network: StreetNetwork, _ options: Options) throws {
    var format = TraceFormat()
    format.clock = LocalClock(timeZone: network.timeZone)
    format.area = network.box
    format.interval = options.interval
    let file = [WatchedFile(path: path)]
    let table = try ObservedTrips(path: path, format, network.profile.transportType)
    try file.check(\.isSame)
    rejected = table.rejected
    let given = try options.bands.map { try HourBands(texts: $0) }
    var sample = try TripSample(table.trips, on: network, workers: options.workers)
    let bands = given ?? HourBands(of: sample.members.map(\.time))
    sample.keep(bands)
    guard sample.members.count >= Calibration.leastTrips else {
      throw InputError(
        file: path,
        problem: "got \(sample.members.count) trips that can be used, expected \(Calibration.leastTrips) or more"
          + "; left out: \(TripFacts.omissions(sample))")
    }
    let prior = PriorTraffic(options.traffic)
    let ladder = try ModelLadder(
      Calibration.observations(sample, sample.members.map(\.way), bands, prior), bandCount: bands.bands.count,
      workers: options.workers)
    let first = CalibratedSpeeds(ladder.chosen, ladder.observations, bands)
    // Once: a second time changes next to nothing.
    let ways = try sample.ways(at: first.slownessByBand, bands)
    let observations = Calibration.observations(sample, ways, bands, prior)
    let heldOut = try CrossValidation(observations, workers: options.workers).heldOut([ladder.chosen])[0]
    let speeds = CalibratedSpeeds(ladder.chosen, observations, bands)
    let better = Set(bands.bands.indices.filter { heldOut.lowersMedian(of: ladder.before, in: $0) })
    isBetter = !better.isEmpty
    let facts = TripFacts(path: path, table, sample, network, interval: options.interval)
    let intervals = try speeds.intervals(observations, workers: options.workers)
    traffic =
      TrafficText(
        facts: facts, prior: prior, speeds: speeds, written: better, before: ladder.before, after: heldOut
      ).description
    report =
      CalibrationReport(
        facts: facts, prior: prior, ladder: ladder, heldOut: heldOut, speeds: speeds, intervals: intervals,
        better: better, isBetter: isBetter,
        changedWays: zip(sample.members, ways).count { abs($0.way.freeFlow - $1.freeFlow) > 1e-6 }
      ).description
  }

  private static func observations(
    _ sample: TripSample, _ ways: [TripTimes], _ bands: HourBands, _ prior: PriorTraffic
  ) -> [Observation] {
    zip(sample.members, ways).map { member, way in
      Observation(
        way, band: bands.band(of: member.time)!, day: member.day, observed: member.trip.duration,
        before: prior.seconds(member.way, at: member.time))
    }
  }
}

/// Why trips cannot be calibrated as it was asked for, as one sentence.
package struct CalibrationError: Error, CustomStringConvertible {
  package var description: String
}
