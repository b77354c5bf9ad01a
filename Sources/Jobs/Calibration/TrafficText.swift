import Geography
import Hierarchy
import StreetNetwork

/// Calibrated speeds as a traffic file: JSON5 that says what it was made of.
struct TrafficText: CustomStringConvertible {
  let facts: TripFacts
  let speeds: CalibratedSpeeds
  let before: CrossValidation.HeldOut
  let after: CrossValidation.HeldOut

  var description: String {
    (comments.map { "// \($0)" } + ["{", "  periods: \"\(speeds.bands.period)min\",", "  classes: {"] + classes + [
      "  },"
    ]
      + ["  // \(TrafficText.terminal)", "  terminalSeconds: \(FixedDecimal(speeds.terminalSeconds, 1)),", "}"])
      .joined(separator: "\n")
  }

  private static let terminal = "Parking and waiting at both ends of a trip: told here, added to no result."

  private var comments: [String] {
    var comments = [
      "Slowness of streets, by class and hours: time over free flow. Made by odometer calibrate.",
      "Trips: \(facts.used) of \(facts.rows) of \(printable(facts.file)), by \(facts.transportType), "
        + "from \(facts.first) to \(facts.last).",
      facts.mapDate.isEmpty ? "The map does not say how old its data are." : "Map data of \(printable(facts.mapDate)).",
      "Hours are those of \(facts.timeZone). Those without trips, and ferries, are as in free flow: slowness 1.",
    ]
    if let before = before.errors(), let after = after.errors() {
      func text(_ errors: PredictionErrors) -> String {
        "\(FixedDecimal(errors.median * 100, 1)) % (\(FixedDecimal(errors.mean, 0)) s on average)"
      }
      comments.append("Median error for trips that were held out: \(text(before)) before, \(text(after)) with it.")
    }
    return comments
  }

  private var classes: [String] {
    RoadGroup.allCases.flatMap { group in
      group.classes.map { roadClass in
        let hours = speeds.bands.bands.enumerated().map { band, hours in
          "\"\(hours.text)\": \(FixedDecimal(Slowness(speeds.slowness(group, band)).value, 3))"
        }
        return "    \(roadClass.name): { \(hours.joined(separator: ", ")) },"
      }
    }
  }
}
