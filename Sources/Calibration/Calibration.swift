import Foundation
import Geography
import Hierarchy
import Input
import Jobs
import StreetNetwork
import Tables

/// A calibration of speeds by road class and hour from observed trips: a traffic table, and its errors on held-out
/// trips.
///
/// The table takes effect only in jobs that name it.
package struct Calibration {
  /// Whether the table predicts held-out trips better than the previous one, in at least one band of hours.
  package let isBetter: Bool
  /// The table, as the text of a file for the key `traffic`.
  package let traffic: String
  /// A report on the trips, and on the errors before and after calibration.
  package let report: String
  package let rejected: [RejectedRow]

  package struct Options: Sendable {
    /// The groups of hours with one slowness each; nil for hours of the day, merged where trips are few.
    package var bands: [String]?
    /// The existing table; nil for free flow at all hours.
    package var traffic: TrafficTable?
    /// Seconds between the positions of a polyline.
    package var interval = 15.0
    package var workers = 1
    package init() {}
  }

  /// The minimum sample size.
  private static let minimumTrips = 20

  /// *Throws*: `OdometerError`, also if the bands are invalid.
  package init(_ path: String, on network: StreetNetwork, _ options: Options) throws {
    var format = TraceFormat()
    format.clock = LocalClock(timeZone: network.timeZone)
    format.area = network.box
    format.interval = options.interval
    let file = [WatchedFile(path: path)]
    let table = try ObservedTrips(path: path, format, network.profile.transportType)
    try file.check(\.isSame)
    rejected = table.rejected
    let given = try options.bands.map { try HourBands(parsing: $0) }
    var sample = try TripSample(table.trips, on: network, workers: options.workers)
    let bands = given ?? HourBands(of: sample.members.map(\.time))
    sample.keep(bands)
    guard sample.members.count >= Calibration.minimumTrips else {
      throw .input(
        path,
        "got \(sample.members.count) usable trips, expected \(Calibration.minimumTrips) or more"
          + "; left out: \(TripSummary.omissions(sample))")
    }
    let prior = PriorTraffic(options.traffic)
    let first = Calibration.observations(sample, sample.members.map(\.route), bands, prior)
    let validation = CrossValidation(first, workers: options.workers)
    let models = SlownessModel.Shape.allCases.map { SlownessModel(shape: $0, bandCount: bands.bands.count) }
    let tried = try models.map { (model: $0, heldOut: try validation.heldOut($0)) }
    let chosen = Calibration.simplest(of: tried)
    // One iteration: a second one changes almost nothing.
    let routes = try sample.routes(at: CalibratedSpeeds(chosen, first, bands).slownessByBand, bands)
    let observations = Calibration.observations(sample, routes, bands, prior)
    let (before, after) = (
      validation.before, try CrossValidation(observations, workers: options.workers).heldOut(chosen)
    )
    let better = Set(bands.bands.indices.filter { after.lowersMedian(of: before, in: $0) })
    isBetter = !better.isEmpty
    let summary = TripSummary(path: path, table, sample, network, interval: options.interval)
    traffic =
      TrafficText(
        summary: summary, prior: prior, speeds: CalibratedSpeeds(chosen, observations, bands), written: better,
        before: before, after: after
      ).description
    report =
      (summary.lines + Calibration.errors(before, tried, chosen)
      + [Calibration.verdict(before, after, better, bands.bands)]).joined(separator: "\n")
  }

  private static func observations(
    _ sample: TripSample, _ routes: [TripTimes], _ bands: HourBands, _ prior: PriorTraffic
  ) -> [Observation] {
    zip(sample.members, routes).map { member, route in
      Observation(
        route, band: bands.band(of: member.time)!, day: member.day, observed: member.trip.duration,
        before: prior.seconds(member.route, at: member.time))
    }
  }

  private typealias Tried = (model: SlownessModel, heldOut: CrossValidation.HeldOut)

  /// Returns the simplest model whose mean error is within 1 % of the lowest, or within 0.1 s, to which errors are printed.
  private static func simplest(of tried: [Tried]) -> SlownessModel {
    let means = tried.map { $0.heldOut.errors()?.mean ?? .infinity }
    let best = means.min() ?? .infinity
    let limit = max(best * 1.01, best + 0.1)
    return tried[means.firstIndex { $0 <= limit } ?? 0].model
  }

  // MARK: The report

  /// Returns a table with the errors before calibration and with each model.
  private static func errors(
    _ before: CrossValidation.HeldOut, _ tried: [Tried], _ chosen: SlownessModel
  ) -> [String] {
    var table = TextTable(["held-out trips, 20 random halves", "mean error, s", "median, %", ""], hasNotes: true)
    let rows =
      [("before", before, "")]
      + tried.map { model, heldOut in
        (
          model.shape.name, heldOut,
          model.shape == chosen.shape ? "chosen: the simplest within 1 % or 0.1 s of the best" : ""
        )
      }
    for (name, heldOut, note) in rows {
      guard let errors = heldOut.errors() else { continue }
      table.append([name, Format.decimal(errors.mean, 1), Format.decimal(errors.median * 100, 1), note])
    }
    return [table.description]
  }

  private static func verdict(
    _ before: CrossValidation.HeldOut, _ after: CrossValidation.HeldOut, _ better: Set<Int>, _ bands: [HourBand]
  ) -> String {
    guard !better.isEmpty, let before = before.errors(in: better), let after = after.errors(in: better) else {
      return "not better: nothing is written; the existing speeds predict held-out trips no worse"
    }
    let medians = [before, after].map { Format.decimal($0.median * 100, 1) }
    let sentence = "better: the median error of held-out trips falls from \(medians[0]) to \(medians[1]) %"
    let others = bands.indices.filter { !better.contains($0) }.map { bands[$0].text }
    guard !others.isEmpty else { return sentence }
    return
      "\(sentence) at the hours that are written, but not at \(others.joined(separator: ", ")), which stay unchanged"
  }
}

/// A model fitted to random halves of the trips, and its predictions for the other halves.
///
/// Trips on the same day share weather and roadworks. With enough days, the halves therefore consist of whole days.
struct CrossValidation: Sendable {
  private let observations: [Observation]
  private let workers: Int
  /// Indices of the fitted observations, and of the held-out ones, by split.
  private let halves: [(fitted: [Int], heldOut: [Int])]
  private static let splits = 20
  /// With fewer days, the halves would differ too much.
  private static let minimumDays = 10

  init(_ observations: [Observation], workers: Int) {
    (self.observations, self.workers) = (observations, workers)
    halves = CrossValidation.halves(CrossValidation.groups(observations))
  }

  func heldOut(_ model: SlownessModel) throws -> HeldOut {
    var heldOut = HeldOut()
    let observations = observations
    try Pipeline.run(
      halves, workers: workers,
      makeWorker: {
        { half in
          let parameters = model.fit(observations, half.fitted)
          return half.heldOut.map { Self.prediction($0, observations[$0], model.seconds(observations[$0], parameters)) }
        }
      }, write: { heldOut.splits += $0 })
    return heldOut
  }

  /// The predictions with the previous table, in the same splits.
  var before: HeldOut {
    HeldOut(splits: halves.map { $0.heldOut.map { Self.prediction($0, observations[$0], observations[$0].before) } })
  }

  /// The errors of a prediction for a held-out trip, which is an index into the observations: the absolute error in
  /// seconds, and divided by the observed time.
  typealias Prediction = (trip: Int, band: Int, error: Double, ratio: Double)

  private static func prediction(_ trip: Int, _ observation: Observation, _ predicted: Double) -> Prediction {
    let error = abs(predicted - observation.observed)
    return (trip, observation.band, error, error / observation.observed)
  }

  /// Returns the groups to hold out together: the trips of a day, or single trips.
  private static func groups(_ observations: [Observation]) -> [[Int]] {
    let days = Dictionary(grouping: observations.indices) { observations[$0].day }
    return days.count < minimumDays ? observations.indices.map { [$0] } : days.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Splits the groups into random halves. Deterministic: the same groups give the same splits on every machine.
  private static func halves(_ groups: [[Int]]) -> [(fitted: [Int], heldOut: [Int])] {
    (0..<splits).map { split in
      var random = SeededGenerator(seed: UInt64(split) &+ 1)
      let order = groups.shuffled(using: &random)
      return (order[..<(groups.count / 2)].joined().sorted(), order[(groups.count / 2)...].joined().sorted())
    }
  }
}

extension CrossValidation {
  /// Predictions for the held-out trips: a list per split.
  struct HeldOut: Sendable {
    fileprivate var splits: [[Prediction]] = []

    /// Returns the mean error in seconds and the median relative error, for all trips or the trips in `bands`, averaged
    /// over the splits; nil if there are no such trips.
    func errors(in bands: Set<Int>? = nil) -> (mean: Double, median: Double)? {
      let splits = splits.map { $0.filter { bands?.contains($0.band) != false } }.filter { !$0.isEmpty }
      guard !splits.isEmpty else { return nil }
      func average(_ value: ([Prediction]) -> Double) -> Double {
        splits.reduce(0) { $0 + value($1) } / Double(splits.count)
      }
      return (
        average { split in split.reduce(0) { $0 + $1.error } / Double(split.count) }, average { $0.map(\.ratio).median }
      )
    }

    /// Returns whether the median error in a band is at least 1 % below the previous one in at least 95 % of bootstrap
    /// samples of the band's trips (B. Efron 1979), to rule out chance.
    func lowersMedian(of before: HeldOut, in band: Int) -> Bool {
      let (after, before) = (ratioByTrip(in: band), before.ratioByTrip(in: band))
      let trips = after.keys.sorted()
      guard !trips.isEmpty else { return false }
      let draws = 200
      let lower = (0..<draws).count { draw in
        var random = SeededGenerator(seed: 2000 &+ UInt64(draw))
        let drawn = trips.map { _ in trips.randomElement(using: &random)! }
        return drawn.map { after[$0]! }.median < 0.99 * drawn.map { before[$0]! }.median
      }
      return lower * 20 >= draws * 19
    }

    /// Returns the mean relative error of each trip over the splits that hold it out.
    private func ratioByTrip(in band: Int) -> [Int: Double] {
      let held = Dictionary(grouping: splits.joined().filter { $0.band == band }, by: \.trip)
      return held.mapValues { $0.reduce(0) { $0 + $1.ratio } / Double($0.count) }
    }
  }
}

/// Calibrated speeds as a traffic file: JSON5 with a comment on their origin.
struct TrafficText: CustomStringConvertible {
  let summary: TripSummary
  let prior: PriorTraffic
  let speeds: CalibratedSpeeds
  /// The bands to write; all other hours keep the previous slowness.
  let written: Set<Int>
  let before: CrossValidation.HeldOut
  let after: CrossValidation.HeldOut

  var description: String {
    let hours = RoadGroup.allCases.flatMap(\.classes).map { ($0.name, self.hours(of: $0)) }
    let period = HourBands(bands: hours.flatMap(\.1).map(\.hours)).period
    let lines = hours.map { name, hours in
      let entries = hours.map { "\"\($0.hours.text)\": \(Format.decimal(Slowness($0.slowness).value, 3))" }
      return "    \(name): { \(entries.joined(separator: ", ")) },"
    }
    return
      (comments.map { "// \($0)" } + ["{", "  periods: \"\(period)min\",", "  classes: {"] + lines + ["  },", "}"])
      .joined(separator: "\n")
  }

  private var comments: [String] {
    var comments = [
      "Slowness of streets by class and hours: travel time / free-flow time. Generated by odometer calibrate.",
      "Trips: \(summary.used) of \(summary.rows) of \(printable(summary.file)), by \(summary.network.profile.transportType.rawValue), "
        + "from \(summary.first) to \(summary.last).",
      summary.network.mapDate.isEmpty
        ? "The map does not state the age of its data." : "Map data of \(printable(summary.network.mapDate)).",
      "Hours are in \(summary.network.timeZone). Hours not listed here, and ferries, are in free flow: slowness 1.",
    ]
    if let before = before.errors(in: written), let after = after.errors(in: written) {
      func text(_ errors: (mean: Double, median: Double)) -> String {
        "\(Format.decimal(errors.median * 100, 1)) % (\(Format.decimal(errors.mean)) s on average)"
      }
      comments.append(
        "Median error for held-out trips at these hours: \(text(before)) before calibration, \(text(after)) after it.")
    }
    return comments
  }

  private func hours(of roadClass: RoadClass) -> [(hours: HourBand, slowness: Double)] {
    let group = RoadGroup.allCases.first { $0.classes.contains(roadClass) }!
    let bands = speeds.bands
    let fitted = written.sorted().map { (hours: bands[$0], slowness: speeds.slowness(group, $0)) }
    return fitted + prior.hours(of: roadClass, outside: fitted.map(\.hours))
  }
}
