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

extension PageData {
  /// Adds streets with values by direction, and the limits of the classes.
  ///
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
