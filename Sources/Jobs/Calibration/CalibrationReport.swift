/// What a calibration found, as tables for a person.
struct CalibrationReport: CustomStringConvertible {
  let facts: TripFacts
  let prior: PriorTraffic
  let ladder: ModelLadder
  /// What the chosen model predicts along the ways of its own speeds.
  let heldOut: CrossValidation.HeldOut
  let speeds: CalibratedSpeeds
  let intervals: CalibratedSpeeds.Intervals
  /// The bands in which the median error of held-out trips falls.
  let better: Set<Int>
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
    var table = TextTable(
      ["held-out trips by hours", "trips", "mean, s", "median, %", "predicted/observed", "R2", ""], hasNotes: true)
    for (band, hours) in speeds.bands.bands.enumerated() {
      guard let before = ladder.before.errors(in: [band]), let after = heldOut.errors(in: [band]) else { continue }
      let cells = zip(CalibrationReport.cells(before), CalibrationReport.cells(after)).map { "\($0) -> \($1)" }
      let note = better.contains(band) ? "" : "not written: no significant improvement"
      table.append([hours.text, "\(ladder.observations.count { $0.band == band })"] + cells + [note])
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
    return table.description
  }

  private func range(_ range: ClosedRange<Double>, _ places: Int) -> String {
    "\(FixedDecimal(range.lowerBound, places))-\(FixedDecimal(range.upperBound, places))"
  }

  private var verdict: String {
    guard isBetter, let before = ladder.before.errors(in: better), let after = heldOut.errors(in: better) else {
      return "not better: nothing is written; held-out trips are predicted as well by what there is"
    }
    let medians = [before, after].map { "\(FixedDecimal($0.median * 100, 1))" }
    let sentence = "better: the median error of held-out trips falls from \(medians[0]) to \(medians[1]) %"
    let rest = speeds.bands.bands.indices.filter { !better.contains($0) }.map { speeds.bands.bands[$0].text }
    guard !rest.isEmpty else { return sentence }
    return
      "\(sentence) at the hours that are written; it does not at \(rest.joined(separator: ", ")), which stay as they are"
  }
}
