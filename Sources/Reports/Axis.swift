import Foundation

/// A numeric range with four to six round ticks: round in the units of the numbers.
package struct Axis {
  /// The unit of the numbers.
  package enum Unit {
    case number, minutes, hours

    /// Steps other than decimal ones, ascending.
    fileprivate var steps: [Double] {
      switch self {
      case .number: []
      case .minutes: [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440]
      case .hours: [1, 2, 3, 4, 6, 12, 24]
      }
    }
  }

  package let start: Double
  package let end: Double
  package let ticks: [Double]

  package init(from low: Double, to high: Double, in unit: Unit = .number) {
    // Edges from corrupt results may be infinite, or so large that adding a step does not change them.
    let (low, high) = low.isFinite && high.isFinite ? (low, high) : (0, 1)
    let span = max(high - low, max(abs(low), abs(high)) * 1e-6, 1e-9)
    let rough = span / 5
    let power = pow(10, log10(rough).rounded(.down))
    let decimal = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999 } ?? 10 * power
    let step = rough < (unit.steps.first ?? .infinity) / 2 ? decimal : unit.steps.first { $0 >= rough * 0.8 } ?? decimal
    start = low
    end = low + span
    var ticks: [Double] = []
    var number = (low / step).rounded(.up)
    while number * step <= low + span * 1.0001 {
      ticks.append(number * step)
      number += 1
    }
    self.ticks = ticks
  }
}
