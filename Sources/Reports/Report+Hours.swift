import Foundation
import Geography
import Jobs
import Tables

/// Hours of a job on its page: a map with a slider, a curve over the day, and what differs most from hour to hour.
extension Report {
  /// A page draws a map for so many hours at most, and so many points on all of them.
  private static let (mostHours, mostPoints) = (48, 150_000)

  /// The hours that maps show, by their index, evenly chosen.
  func shownHours(of count: Int, points: Int) -> [Int] {
    let most = max(2, min(Report.mostHours, Report.mostPoints / max(1, points)))
    let interval = max(1, (count + most - 1) / most)
    return stride(from: 0, to: count, by: interval).map(\.self)
  }

  /// Origins by their mean travel time at each hour, in the same colours at all.
  func hoursMap(_ hours: MatrixHours, _ places: [ReportedPlace]) throws -> String {
    let origins = places.filter { $0.role == .origin }
    let departures = try database.departures()
    guard var picture = MapPicture(around: places.filter { $0.status == .ok }.map(\.point)) else { return "" }
    picture.draw(backdrop)
    let scale = ColorScale(times: hours.means.joined().compactMap(\.self))
    let shown = shownHours(of: departures.count, points: origins.count)
    for hour in shown {
      picture.draw(at: departures[hour].text) { layer in
        layer.draw(zip(origins, hours.means).map { ($0.point, $1[hour].map(scale.shade)) })
      }
    }
    picture.mark(places.filter { $0.role == .destination && $0.status == .ok }.map { ($0.point, $0.label) })
    picture.explain(scale.minutesLegend(word: "up to") + [("--station", "destination"), ("--none", "nothing reached")])
    let note = shown.count < departures.count ? ", \(shown.count) of \(departures.count) hours" : ""
    return picture.html(
      title: "Mean travel time to all destinations by hour", unit: "origins coloured by travel time, minutes\(note)")
  }

  /// The mean over all origins at each hour, a curve for each day.
  func hoursChart(_ hours: MatrixHours) throws -> String {
    let departures = try database.departures()
    var curves: [(name: String, points: [(x: Double, y: Double)])] = []
    for (index, departure) in departures.enumerated() {
      let means = hours.means.compactMap { $0[index] }
      guard !means.isEmpty else { continue }
      let point = (x: Report.hourOfDay(departure.time), y: means.reduce(0, +) / Double(means.count) / 60)
      if curves.last?.name != departure.weekday { curves.append((departure.weekday, [])) }
      curves[curves.count - 1].points.append(point)
    }
    let isArrival = departures.first?.departure == nil
    return Chart(
      curves, title: "Mean travel time by hour", x: "hour of \(isArrival ? "arrival" : "departure")", y: "minutes"
    ).html
  }

  /// "07:30" as 7.5.
  static func hourOfDay(_ time: String) -> Double {
    let parts = time.split(separator: ":").compactMap { Double($0) }
    return zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
  }

  /// Cells that the hour changes most.
  func swingTable(_ hours: MatrixHours, _ places: [ReportedPlace]) throws -> String {
    let origins = places.filter { $0.role == .origin }
    let destinations = places.filter { $0.role == .destination }
    let departures = try database.departures()
    return ReportTable(
      "Cells that the hour changes most", note: "table matrix_row",
      heads: ["from", "to", "slowest at", "#time then, min", "fastest at", "#time then, min", "#slowest / fastest"],
      rows: hours.swings.map { swing in
        [
          .text(origins[swing.origin].label), .text(destinations[swing.destination].label),
          .text(departures[swing.slowest.hour].text),
          .number(swing.slowest.seconds / 60) { Format.decimal($0, 1) }, .text(departures[swing.fastest.hour].text),
          .number(swing.fastest.seconds / 60) { Format.decimal($0, 1) },
          .number(swing.fastest.seconds > 0 ? swing.slowest.seconds / swing.fastest.seconds : nil) {
            Format.decimal($0, 2)
          },
        ]
      }
    ).html
  }
}
