import Foundation
import Geography
import Jobs
import Tables

/// The width classes for trips on streets: five widths, the same in the picture and in the script.
package struct FlowScale {
  /// The line widths, in tenths of a pixel.
  package static let widths = [10, 20, 30, 50, 70]
  /// The largest flow of each class except the last, ascending; there are fewer classes if flows differ little.
  package let limits: [Double]

  /// - Parameter most: The largest flow.
  package init(most: Double) {
    // Viewers compare the areas of lines, so class limits grow quadratically.
    let rounded = [0.04, 0.16, 0.36, 0.64].map { FlowScale.rounded(most * $0) }
    limits = rounded.enumerated().filter { $1 >= 1 && $1 < most && !rounded[..<$0].contains($1) }.map(\.element)
  }

  /// Rounds to 1, 2 or 5 times a power of ten.
  private static func rounded(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    let power = pow(10, log10(value).rounded(.down))
    return [1, 2, 5, 10].map { $0 * power }.last { $0 <= value * 1.0001 } ?? power
  }

  /// Returns the class of a flow; if there are few classes, they are the widest.
  package func shade(of flow: Double) -> Int {
    FlowScale.widths.count - 1 - limits.count + (limits.firstIndex { flow <= $0 } ?? limits.count)
  }

  package var legend: [(color: String, text: String)] {
    let first = FlowScale.widths.count - 1 - limits.count
    return limits.enumerated().map { ("--f\(first + $0)", "up to \(Format.decimal($1))") }
      + [("--f\(FlowScale.widths.count - 1)", limits.last.map { "over \(Format.decimal($0))" } ?? "trips on a street")]
  }
}

extension Report {
  /// The maximum number of streets: more are too many for a page, and too thin to be visible.
  private static let maximumFlows = 6000
  /// The minimum number of trips for drawing flows, each counted at one hour; fewer trips are drawn individually.
  static let minimumFlows = 50

  func flows() throws -> [DrawnFlow] {
    try database.drawnFlows(atMost: max(1, Report.maximumFlows / thinning))
  }

  /// The words after the unit in jobs with several hours: " at all hours together".
  func flowHours() throws -> String {
    let axis = try database.rowAxis()
    return axis.count > 1 ? " at all \(axis.unit) together" : ""
  }

  /// The unit that is counted: "trips", or the column with the pairs' weights.
  var flowUnit: String {
    database.record.figures.text(.weight(of: .pair)).map { $0 == "weight" ? "weighted trips" : $0 } ?? "trips"
  }
}

extension MapPicture {
  /// Draws streets with widths that show the number of trips, widest on top.
  mutating func draw(_ flows: [DrawnFlow], by scale: FlowScale) {
    for (shade, width) in FlowScale.widths.enumerated() {
      draw(flows.filter { scale.shade(of: $0.sum) == shade }.map(\.points), color: "--f\(shade)", width: width)
    }
  }
}

extension PageData {
  /// Adds streets with the number of trips on them, and the limits of the classes.
  mutating func add(_ flows: [DrawnFlow], by scale: FlowScale, unit: String, hours: String, isShown: Bool, isLeft: Bool)
  {
    guard !flows.isEmpty else { return }
    let unit = (flows.contains { $0.weight != nil } ? unit : "trips") + hours
    add(flowsOf: flows.map { ($0.name, $0.points) }, by: scale, unit: unit, isShown: isShown, isLeft: isLeft) { index in
      let flow = flows[index]
      let weights = flow.weight.map { [$0.forward, $0.backward].map { PageData.json($0, places: 2) } } ?? []
      return ["\(flow.trips.forward)", "\(flow.trips.backward)"] + weights
    }
  }

  /// - Parameters:
  ///   - isLeft: Whether traffic drives on the left.
  ///   - values: A function that returns the values of a street, given by its index, as JSON.
  mutating func add(
    flowsOf streets: [(name: String, points: [FixedCoordinate])], by scale: FlowScale, unit: String, isShown: Bool,
    isLeft: Bool, values: (Int) -> [String]
  ) {
    var names = Interner<String>()
    let streets = PageData.list(streets.enumerated()) { index, street in
      let line = PageData.json(line: street.points)
      return "[\(names.index(of: street.name)),\(line),\(values(index).joined(separator: ","))]"
    }
    add(
      "flows",
      PageData.object([
        ("unit", PageData.json(unit)), ("isShown", "\(isShown)"), ("isLeft", "\(isLeft)"),
        ("limits", PageData.list(scale.limits) { PageData.json($0, places: 3) }),
        ("widths", PageData.list(FlowScale.widths) { PageData.json(Double($0) / 10, places: 1) }),
        ("names", PageData.list(names.values) { PageData.json($0) }), ("streets", streets),
      ]))
  }
}
