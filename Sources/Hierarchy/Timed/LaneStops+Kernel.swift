/// The stopping condition of lane searches: the times of some places are final, or a time limit is exceeded.
public struct LaneStops: Sendable {
  /// The states of each place's seeds.
  private let first: [Int]
  private let states: [UInt32]
  /// Whether a place is final only when all of its seeds are, since waits may exceed any travel time.
  private let needsAll: [Bool]
  /// The maximum free-flow milliseconds from a state to its place, on streets and on straight lines.
  private let street: UInt32
  private let leg: UInt32
  private let limit: UInt32

  /// Stops when all states within `limit` milliseconds are final.
  public init(within limit: UInt32) {
    (first, states, needsAll, street, leg) = ([0], [], [], 0, 0)
    self.limit = limit
  }

  /// Stops when the places with these seeds on `graph` are final.
  public init(_ places: [[TimedSeed]], on graph: LaneGraph) {
    var (first, states, needsAll): ([Int], [UInt32], [Bool]) = ([0], [], [])
    for place in places where !place.isEmpty {
      states += place.map(\.state.index)
      first.append(states.count)
      needsAll.append(place.contains { graph.isScalar($0.street) })
    }
    (self.first, self.states, self.needsAll, limit) = (first, states, needsAll, 0)
    street = places.joined().map(\.street.weight.milliseconds).max() ?? 0
    leg = places.joined().map(\.leg.milliseconds).max() ?? 0
  }

  /// Returns whether all places are final in the used lanes, given that labels before `bucket` no longer change;
  /// `finalCount` is the number of places already found to be final.
  @inline(__always)
  func areFinal(
    before bucket: Int, _ finalCount: inout Int, _ labels: PagedLabels<LaneVector>, _ table: LaneTable,
    in lanes: SIMDMask<SIMD16<Int32>>
  ) -> Bool {
    let slack = Double(street) * table.slowest + Double(leg) + 1
    let bound = Double(bucket << Int(LaneBuckets.shift)) - slack
    guard bound > Double(self.limit) + 1 else { return false }
    let limit = LaneVector(repeating: UInt32(min(bound, Double(Weight.infinity.milliseconds))))
    while finalCount < first.count - 1 {
      let seeds = first[finalCount]..<first[finalCount + 1]
      var best = labels[states[seeds.lowerBound]]
      for index in seeds.dropFirst() {
        let label = labels[states[index]]
        best.replace(with: label, where: needsAll[finalCount] ? label .> best : label .< best)
      }
      guard !LaneClock.isAny((best .>= limit) .& lanes) else { return false }
      finalCount += 1
    }
    return true
  }
}
