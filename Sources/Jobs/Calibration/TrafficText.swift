import Geography
import Hierarchy
import StreetNetwork

/// Calibrated speeds as a traffic file: JSON5 that says what it was made of.
struct TrafficText: CustomStringConvertible {
  let facts: TripFacts
  let prior: PriorTraffic
  let speeds: CalibratedSpeeds
  /// The bands whose slowness is written; at all other hours it is that of before.
  let written: Set<Int>
  let before: CrossValidation.HeldOut
  let after: CrossValidation.HeldOut

  var description: String {
    let hours = RoadGroup.allCases.flatMap(\.classes).map { ($0.name, self.hours(of: $0)) }
    let period = HourBands(bands: hours.flatMap(\.1).map(\.hours)).period
    let lines = hours.map { name, hours in
      let entries = hours.map { "\"\($0.hours.text)\": \(FixedDecimal(Slowness($0.slowness).value, 3))" }
      return "    \(name): { \(entries.joined(separator: ", ")) },"
    }
    return
      (comments.map { "// \($0)" } + ["{", "  periods: \"\(period)min\",", "  classes: {"] + lines + ["  },", "}"])
      .joined(separator: "\n")
  }

  private var comments: [String] {
    var comments = [
      "Slowness of streets, by class and hours: time over free flow. Made by odometer calibrate.",
      "Trips: \(facts.used) of \(facts.rows) of \(printable(facts.file)), by \(facts.transportType), "
        + "from \(facts.first) to \(facts.last).",
      facts.mapDate.isEmpty ? "The map does not say how old its data are." : "Map data of \(printable(facts.mapDate)).",
      "Hours are those of \(facts.timeZone). Those that are not here, and ferries, are as in free flow: slowness 1.",
    ]
    if let before = before.errors(in: written), let after = after.errors(in: written) {
      func text(_ errors: PredictionErrors) -> String {
        "\(FixedDecimal(errors.median * 100, 1)) % (\(FixedDecimal(errors.mean, 0)) s on average)"
      }
      comments.append(
        "Median error for trips that were held out, at these hours: \(text(before)) before, \(text(after)) with it.")
    }
    return comments
  }

  private func hours(of roadClass: RoadClass) -> [(hours: HourBand, slowness: Double)] {
    let group = RoadGroup.allCases.first { $0.classes.contains(roadClass) }!
    let bands = speeds.bands.bands
    let fitted = written.sorted().map { (hours: bands[$0], slowness: speeds.slowness(group, $0)) }
    return fitted + prior.hours(of: roadClass, outside: fitted.map(\.hours))
  }
}
