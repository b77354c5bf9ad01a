import Foundation
import Settings

/// The effect of slopes on the speed of walkers and cyclists.
///
/// On foot: Tobler's hiking function (Tobler 1993), `exp(-3.5 |slope + 0.05|)`, relative to level ground. By bicycle:
/// the speed at which the rider's power balances drag, rolling resistance and climbing (Martin and others 1998),
/// relative to level ground.
struct Hills: Sendable {
  /// Factors at slopes of `-steepest…steepest` in steps of a thousandth.
  private let factors: [Double]
  private let steepest: Double
  private static let step = 0.001
  /// The limits of the factor: a hundredth and ten times the speed.
  private static let minimumFactor = 0.01, maximumFactor = 10.0

  init(_ settings: SettingsObject) throws {
    steepest = try settings.number("steepest", over: 0, unit: "a slope as metres per metre")
    guard steepest <= 1 else { throw settings.error("steepest", "got \(steepest), expected a slope of at most 1") }
    let factor = settings.has("power") ? try Hills.riding(settings) : try Hills.walking(settings)
    try settings.finish()
    let count = Int((steepest / Hills.step).rounded(.up))
    let factors = (-count...count).map { factor(Double($0) * Hills.step) }
    guard factors.allSatisfy({ !$0.isNaN }) else {
      throw settings.error("steepest", "these values yield no speed on some slopes within this limit")
    }
    self.factors = factors.map { min(max($0, Hills.minimumFactor), Hills.maximumFactor) }
  }

  /// Returns the speed factor for a slope in metres per metre, which is clamped to `-steepest…steepest`. *Complexity*:
  /// O(1).
  func factor(onSlope slope: Double) -> Double {
    let at = (min(max(slope, -steepest), steepest)) / Hills.step + Double(factors.count / 2)
    let low = min(max(Int(at), 0), factors.count - 2)
    let share = at - Double(low)
    return factors[low] * (1 - share) + factors[low + 1] * share
  }

  private static func walking(_ settings: SettingsObject) throws -> (Double) -> Double {
    let easiest = -(try settings.number("easiest", atLeast: 0, unit: "the downward gradient of the easiest slope"))
    let uphill = try settings.number("uphill", atLeast: 0, unit: "a number")
    let downhill = try settings.number("downhill", atLeast: 0, unit: "a number")
    return { slope in
      exp(-(slope > easiest ? uphill * (slope - easiest) : downhill * (easiest - slope)) + uphill * -easiest)
    }
  }

  private static func riding(_ settings: SettingsObject) throws -> (Double) -> Double {
    let power = try settings.object("power")
    let (flat, uphill) = (
      try power.number("flat", over: 0, unit: "watts"), try power.number("uphill", over: 0, unit: "watts")
    )
    try power.finish()
    let mass = try settings.number("mass", over: 0, unit: "kilograms")
    let drag = try settings.number("drag", over: 0, unit: "square metres")
    let rolling = try settings.number("rolling", over: 0, unit: "a number")
    let slowest = try settings.speed("slowest")
    let fastest = try settings.speed("fastest")
    let (air, gravity) = (1.2, 9.81)
    func speed(_ slope: Double) -> Double {
      // Full power is used on slopes of one in twenty or more.
      let watts = flat + (uphill - flat) * min(max(slope / 0.05, 0), 1)
      let along = mass * gravity * (rolling + slope) / (1 + slope * slope).squareRoot()
      var (low, high) = (0.0, fastest)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if (air / 2 * drag * middle * middle + along) * middle < watts { low = middle } else { high = middle }
      }
      return max(low, slowest)
    }
    let onTheFlat = speed(0)
    return { speed($0) / onTheFlat }
  }
}
