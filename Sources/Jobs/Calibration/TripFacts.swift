import Foundation
import Routing
import StreetNetwork

/// What trips a calibration was made of.
struct TripFacts: Sendable {
  /// The file's name.
  let file: String
  /// When the map's data were current; empty where it does not say.
  let mapDate: String
  let transportType: String
  let rows: Int
  let rejected: Int
  let used: Int
  let timeZone: String
  /// `2013-07-01T01:07:38+01:00`.
  let first: String
  let last: String
  /// Why trips are left out, and how many: "44 shorter than 90 s (lines 3, 17, 20, …)".
  let omissions: String
  /// Seconds from one position of a polyline to the next, where that tells how long trips took.
  let interval: Double?

  init(path: String, _ table: ObservedTrips, _ sample: TripSample, _ network: StreetNetwork, interval: Double) {
    file = (path as NSString).lastPathComponent
    mapDate = network.mapDate
    transportType = network.profile.transportType.rawValue
    rows = table.trips.count + table.rejected.count
    rejected = table.rejected.count
    used = sample.members.count
    timeZone = network.timeZone
    let clock = LocalClock(timeZone: network.timeZone)
    func text(_ time: Double?) -> String {
      guard let time else { return "-" }
      let offset = clock?.secondsFromGMT(at: Int(time.rounded(.down))) ?? 0
      return Timestamp(Date(timeIntervalSince1970: time), secondsFromGMT: offset).text
    }
    let departures = sample.members.map(\.trip.departure)
    (first, last) = (text(departures.min()), text(departures.max()))
    omissions = TripFacts.omissions(sample)
    self.interval = table.countsPositions ? interval : nil
  }

  /// Reasons with their counts and first lines; "none" where every trip counts.
  static func omissions(_ sample: TripSample) -> String {
    let reasons = TripOmission.allCases.compactMap { omission -> String? in
      guard let lines = sample.omitted[omission] else { return nil }
      let shown = lines.prefix(3).map(String.init).joined(separator: ", ") + (lines.count > 3 ? ", …" : "")
      return "\(lines.count) \(omission.reason) (\(lines.count == 1 ? "line" : "lines") \(shown))"
    }
    return reasons.isEmpty ? "none" : reasons.joined(separator: "; ")
  }
}
