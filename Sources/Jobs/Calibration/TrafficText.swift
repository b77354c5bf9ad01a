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
      func text(_ errors: (mean: Double, median: Double)) -> String {
        "\(FixedDecimal(errors.median * 100, 1)) % (\(FixedDecimal(errors.mean, 0)) s on average)"
      }
      comments.append(
        "Median error for trips that were held out, at these hours: \(text(before)) before, \(text(after)) with it.")
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

/// What is known of slowness before a calibration: a traffic table, or free flow at all hours.
struct PriorTraffic: Sendable {
  /// By `RoadClass`'s raw value, in slots of five minutes from Monday, midnight.
  private let slowness: [[Double]]

  private static let slotsPerDay = 24 * 12

  /// Free flow where there is no table.
  init(_ table: TrafficTable?) {
    slowness = RoadClass.allCases.map { roadClass in
      table?.slowness(of: roadClass, period: 1) ?? Array(repeating: 1, count: 7 * PriorTraffic.slotsPerDay)
    }
  }

  /// Seconds of a trip that leaves at a time.
  func seconds(_ way: TripTimes, at time: TimeOfWeek) -> Double {
    let slot = time.weekday * PriorTraffic.slotsPerDay + time.minute / 5
    return way.seconds { slowness[Int($0.rawValue)][slot] }
  }

  /// The hours of a class outside some bands at which it has a slowness other than 1.
  func hours(of roadClass: RoadClass, outside bands: [HourBand]) -> [(hours: HourBand, slowness: Double)] {
    let slowness = slowness[Int(roadClass.rawValue)]
    return (0..<7).flatMap { day in
      var runs: [(hours: HourBand, slowness: Double)] = []
      for slot in 0..<PriorTraffic.slotsPerDay {
        let (value, minute) = (slowness[day * PriorTraffic.slotsPerDay + slot], slot * 5)
        guard value != 1, !bands.contains(where: { $0.contains(TimeOfWeek(weekday: day, minute: minute)) }) else {
          continue
        }
        if let last = runs.last, last.slowness == value, last.hours.minutes.upperBound == minute {
          runs[runs.count - 1].hours.minutes = last.hours.minutes.lowerBound..<minute + 5
        } else {
          runs.append((HourBand(days: day...day, minutes: minute..<minute + 5), value))
        }
      }
      return runs
    }
  }
}

/// A number with as many decimals as it is to have, in no locale: columns stay in line.
struct FixedDecimal: CustomStringConvertible {
  let description: String

  init(_ value: Double, _ places: Int) {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    guard value.isFinite, abs(value) * scale < 9e15 else {
      description = "-"
      return
    }
    let rounded = Int64((value * scale).rounded())
    let digits = String(rounded.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let text = places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
    description = rounded < 0 ? "-" + text : text
  }
}
