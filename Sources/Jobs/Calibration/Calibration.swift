import Foundation
import Geography
import StreetNetwork
import Tables

/// How slow streets are by class and hours, as observed trips say: a traffic table, and how well it predicts trips that it
/// was not made of.
///
/// Nothing is changed: whoever wants the table names it in a job.
package struct Calibration {
  /// Whether the table predicts held-out trips better than what there was before, at the hours it has.
  package let isBetter: Bool
  /// The table, as a file that a job's key `traffic` names.
  package let traffic: String
  /// The trips, and errors before and after, for a person: at most ten lines.
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
    let first = Calibration.observations(sample, sample.members.map(\.way), bands, prior)
    let validation = CrossValidation(first, workers: options.workers)
    let models = SlownessModel.Shape.allCases.map { SlownessModel(shape: $0, bandCount: bands.bands.count) }
    let tried = try models.map { (model: $0, heldOut: try validation.heldOut($0)) }
    let chosen = Calibration.least(of: tried)
    // Once: a second time changes next to nothing.
    let ways = try sample.ways(at: CalibratedSpeeds(chosen, first, bands).slownessByBand, bands)
    let observations = Calibration.observations(sample, ways, bands, prior)
    let (before, after) = (
      validation.before, try CrossValidation(observations, workers: options.workers).heldOut(chosen)
    )
    let better = Set(bands.bands.indices.filter { after.lowersMedian(of: before, in: $0) })
    isBetter = !better.isEmpty
    let facts = TripFacts(path: path, table, sample, network, interval: options.interval)
    traffic =
      TrafficText(
        facts: facts, prior: prior, speeds: CalibratedSpeeds(chosen, observations, bands), written: better,
        before: before, after: after
      ).description
    report =
      (facts.lines + Calibration.errors(before, tried, chosen)
      + [Calibration.verdict(before, after, better, bands.bands)]).joined(separator: "\n")
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

  private typealias Tried = (model: SlownessModel, heldOut: CrossValidation.HeldOut)

  /// The least model whose mean error is within a hundredth of the best one's, or a tenth of a second.
  private static func least(of tried: [Tried]) -> SlownessModel {
    let means = tried.map { $0.heldOut.errors()?.mean ?? .infinity }
    let limit = (means.min() ?? .infinity) * 1.01 + 0.1
    return tried[means.firstIndex { $0 <= limit } ?? 0].model
  }

  // MARK: The report

  /// Before, and by each model.
  private static func errors(
    _ before: CrossValidation.HeldOut, _ tried: [Tried], _ chosen: SlownessModel
  ) -> [String] {
    var table = TextTable(["held-out trips, 20 random halves", "mean error, s", "median, %", ""], hasNotes: true)
    let rows =
      [("before", before, "")]
      + tried.map { model, heldOut in
        (model.shape.name, heldOut, model.shape == chosen.shape ? "chosen: the least within 1 % of the best" : "")
      }
    for (name, heldOut, note) in rows {
      guard let errors = heldOut.errors() else { continue }
      table.append([name, "\(FixedDecimal(errors.mean, 1))", "\(FixedDecimal(errors.median * 100, 1))", note])
    }
    return [table.description]
  }

  private static func verdict(
    _ before: CrossValidation.HeldOut, _ after: CrossValidation.HeldOut, _ better: Set<Int>, _ bands: [HourBand]
  ) -> String {
    guard !better.isEmpty, let before = before.errors(in: better), let after = after.errors(in: better) else {
      return "not better: nothing is written; held-out trips are predicted as well by what there is"
    }
    let medians = [before, after].map { "\(FixedDecimal($0.median * 100, 1))" }
    let sentence = "better: the median error of held-out trips falls from \(medians[0]) to \(medians[1]) %"
    let rest = bands.indices.filter { !better.contains($0) }.map { bands[$0].text }
    guard !rest.isEmpty else { return sentence }
    return
      "\(sentence) at the hours that are written; it does not at \(rest.joined(separator: ", ")), which stay as they are"
  }
}

/// Why trips cannot be calibrated as it was asked for, as one sentence.
package struct CalibrationError: Error, CustomStringConvertible {
  package var description: String
}
