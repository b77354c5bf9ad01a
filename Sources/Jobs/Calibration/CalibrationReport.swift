/// What a calibration found, as tables for a person.
struct CalibrationReport: CustomStringConvertible {
  let facts: TripFacts
  let prior: PriorTraffic
  let ladder: ModelLadder
  /// What the chosen model predicts along the ways of its own speeds.
  let heldOut: CrossValidation.HeldOut
  let speeds: CalibratedSpeeds
  let intervals: CalibratedSpeeds.Intervals
  let isBetter: Bool
  /// Trips whose fastest way is another one at these speeds.
  let changedWays: Int

  var description: String {
    [head, errors, hours, numbers, verdict].joined(separator: "\n\n")
  }

  private var head: String {
    var lines = [
      "\(facts.used) of \(facts.rows) trips, \(facts.first) to \(facts.last) (\(facts.timeZone))",
      "left out: \(facts.omissions)",
    ]
    if facts.rejected > 0 { lines.append("rejected: \(facts.rejected)") }
    if let interval = facts.interval {
      lines.append("their polylines have a position every \(FixedDecimal(interval, 0)) s (--interval)")
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Errors

  private var errors: String {
    var table = TextTable(
      ["held-out trips, 20 random halves", "numbers", "mean, s", "median, %", "predicted/observed", "R2", ""],
      hasNotes: true)
    func add(_ name: String, _ numbers: Int, _ heldOut: CrossValidation.HeldOut, _ note: String) {
      guard let errors = heldOut.errors() else { return }
      table.append([name, "\(numbers)"] + CalibrationReport.cells(errors) + [note])
    }
    add("before", 0, ladder.before, "")
    for (model, heldOut) in ladder.rungs {
      let note =
        model.shape == ladder.chosen.shape
        ? "the least within 1 % of the best"
        : model.shape.isWritable ? "" : "no traffic table holds it"
      add(model.shape.name, model.parameterCount, heldOut, note)
    }
    let share = FixedDecimal(100 * Double(changedWays) / Double(max(1, facts.used)), 0)
    add("its own fastest ways", ladder.chosen.parameterCount, heldOut, "written; \(share) % of ways are others")
    return table.description
  }

  private static func cells(_ errors: PredictionErrors) -> [String] {
    [
      "\(FixedDecimal(errors.mean, 1))", "\(FixedDecimal(errors.median * 100, 1))", "\(FixedDecimal(errors.ratio, 2))",
      "\(FixedDecimal(errors.explained, 2))",
    ]
  }

  private var hours: String {
    var table = TextTable([
      "held-out trips by hours", "trips", "mean, s", "median, %", "predicted/observed", "R2",
    ])
    for (band, hours) in speeds.bands.bands.enumerated() {
      guard let before = ladder.before.errors(in: band), let after = heldOut.errors(in: band) else { continue }
      let cells = zip(CalibrationReport.cells(before), CalibrationReport.cells(after)).map { "\($0) -> \($1)" }
      table.append([hours.text, "\(ladder.observations.count { $0.band == band })"] + cells)
    }
    return table.description
  }

  // MARK: Numbers

  private var numbers: String {
    var table = TextTable(["slowness, before -> after (90 %)"] + RoadGroup.allCases.map(\.name))
    for (band, hours) in speeds.bands.bands.enumerated() {
      table.append(
        [hours.text]
          + RoadGroup.allCases.map { group in
            let interval = intervals.slowness[group.rawValue][band]
            let before = FixedDecimal(prior.slowness(group, in: hours), 2)
            return "\(before) -> \(FixedDecimal(speeds.slowness(group, band), 2)) (\(range(interval, 2)))"
          })
    }
    let (before, after) = (FixedDecimal(prior.terminalSeconds, 0), FixedDecimal(speeds.terminalSeconds, 0))
    return "\(table)\nseconds at the ends: \(before) -> \(after) (\(range(intervals.terminalSeconds, 0)))"
  }

  private func range(_ range: ClosedRange<Double>, _ places: Int) -> String {
    "\(FixedDecimal(range.lowerBound, places))-\(FixedDecimal(range.upperBound, places))"
  }

  private var verdict: String {
    guard let before = ladder.before.errors(), let after = heldOut.errors() else { return "" }
    let change = FixedDecimal(abs(after.mean - before.mean), 1)
    return isBetter
      ? "better: the mean error of held-out trips falls by \(change) s"
      : "not better: nothing is written; held-out trips are predicted as well by what there is"
  }
}
