import Foundation
import Hierarchy
import StreetNetwork

/// A graph at sixteen hours of a Monday's morning, with speeds that are made up: slow at the peaks around 8:24 and 18:12,
/// the main roads the most. The same for every run.
struct BenchmarkHours {
  let timed: TimedGraph
  /// Milliseconds on the clock: quarter hours from 7:00 on.
  let departures = (0..<16).map { UInt32(7 * 3600 + $0 * 900) * 1000 }

  /// Minutes.
  private static let period = 15
  /// The most by which speeds fall.
  private static let depths = [0.18, 0.22, 0.26, 0.30, 0.34, 0.38, 0.42]

  init(_ subject: BenchmarkSubject) {
    let graph = subject.graph
    // What takes no time has no hours: the clock wants a millisecond.
    let weights = graph.weights.map { weight in
      Weight(milliseconds: max(1, weight.milliseconds), centimetres: weight.centimetres)
    }
    let arcs = ArcGraph(firstArc: graph.firstArc, heads: graph.heads, weights: Column(weights))
    let profiles = weights.map { UInt32(1 + BenchmarkHours.level(of: $0)) }
    let clock = StreetClock(
      SpeedProfiles(
        period: UInt32(BenchmarkHours.period) * 60_000,
        [Array(repeating: .one, count: BenchmarkHours.periodCount)] + BenchmarkHours.depths.map(BenchmarkHours.profile))
    )
    timed = TimedGraph(
      arcs, profiles: Column(profiles), closings: Column(Array(repeating: UInt32(0), count: arcs.arcCount)),
      clock: clock)
  }

  private static var periodCount: Int { 7 * 24 * 60 / period }

  /// Fast streets are main ones: a level for every 15 km/h.
  private static func level(of weight: Weight) -> Int {
    let speed = Double(weight.centimetres) / Double(weight.milliseconds) * 36
    return min(depths.count - 1, Int(speed / 15))
  }

  private static func profile(depth: Double) -> [Slowness] {
    (0..<periodCount).map { index in
      let (day, minute) = (index * period / 1440, Double(index * period % 1440 + period / 2))
      guard day < 5 else { return .one }
      func peak(_ middle: Double, _ deviation: Double) -> Double {
        exp(-(minute - middle) * (minute - middle) / (2 * deviation * deviation))
      }
      return Slowness(1 / (1 - depth * min(1, peak(504, 45) + peak(1092, 60))))
    }
  }
}
