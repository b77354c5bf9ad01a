import Hierarchy

extension TestGraph {
  /// Returns the arcs of a graph, each with one of four profiles and one of two lists of closings or none, and a wait limit. Periods
  /// are so short, and slowness varies so much, that trips of a few milliseconds cross many boundaries.
  package static func timed(_ graph: ArcGraph, _ random: inout SeededGenerator) -> TimedGraph {
    let period: UInt32 = [7_000, 60_480, 3_600_000].randomElement(using: &random)!
    // Long arcs, and some as short as a millisecond.
    let scale = UInt32.random(in: 1...period / 3, using: &random)
    let arcs = ArcGraph(
      firstArc: graph.firstArc, heads: graph.heads,
      weights: Column(
        graph.weights.map {
          Weight(
            milliseconds: max(1, $0.milliseconds * ($0.milliseconds % 3 == 0 ? 1 : scale)), centimetres: $0.centimetres)
        }))
    let count = Int(SpeedProfiles.week / period)
    // A few repeated values: a profile of 86,400 random values would be slow.
    func profile(_ values: [Slowness]) -> [Slowness] { (0..<count).map { values[$0 % values.count] } }
    // Either very different values, or values like speeds on a morning.
    let far: UInt32 = Bool.random(using: &random) ? 1 << 22 : 3 << 15
    var slow: [Slowness] {
      (0..<Int.random(in: 1...9, using: &random)).map { _ in
        Slowness(
          bits: far == 1 << 22
            ? [1 << 13, far, .random(in: 1 << 13...far, using: &random)].randomElement(using: &random)!
            : .random(in: 1 << 16...far, using: &random))
      }
    }
    var profiles = [Array(repeating: Slowness.one, count: count)]
    profiles += (0..<2).map { _ in profile(slow) }
    profiles.append(profile(slow + (Bool.random(using: &random) ? [.closed] : [])))
    let week = SpeedProfiles.week
    let reach = scale * 20
    let closings = (0..<2).map { _ in
      var moment = week + UInt32.random(in: 0..<period, using: &random)
      return (0..<Int.random(in: 0...4, using: &random)).map { _ in
        let start = moment + UInt32.random(in: 1...reach, using: &random)
        moment = start + UInt32.random(in: 1...reach, using: &random)
        return start..<(UInt8.random(in: 0..<20, using: &random) == 0 ? .max : moment)
      }
    }
    let closed = ClosedTimes(
      closings.map { list in
        Array(list.prefix((list.firstIndex { $0.upperBound == .max } ?? list.count - 1) + 1))
      }, kinds: [.street, [.street, .ride, .boarding].randomElement(using: &random)!])
    let waitLimit = [.max, 0, UInt32.random(in: 0...reach, using: &random)].randomElement(using: &random)!
    return TimedGraph(
      arcs, profiles: Column((0..<arcs.arcCount).map { _ in UInt32.random(in: 0...3, using: &random) }),
      closings: Column(
        (0..<arcs.arcCount).map { _ in
          UInt8.random(in: 0..<6, using: &random) == 0 ? UInt32.random(in: 1...2, using: &random) : 0
        }),
      clock: StreetClock(SpeedProfiles(period: period, profiles), closed, waitLimit: waitLimit))
  }
}
