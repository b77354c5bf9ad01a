import Hierarchy

/// The streets and arcs of a network with the speeds of a moment.
struct SlowedStreets {
  let streets: Column<Street>
  let weights: Column<Weight>
  let hierarchy: Hierarchy

  init(_ network: StreetNetwork, _ speeds: StreetSpeeds, at time: LocalTime) {
    let moment = Int(time.day.weekday * 1440 + time.minute) * 60_000
    let period = moment / Int(speeds.profiles.period)
    func slowed(_ milliseconds: UInt32, _ street: DirectedStreet) -> UInt32 {
      let slowness = speeds.profiles.slowness(speeds.profile(of: street), period)
      guard milliseconds > 0, slowness != .one, slowness != .closed else { return milliseconds }
      // As `FrozenClock` rounds.
      let slow = slowness.milliseconds(ofWork: UInt64(milliseconds) << 8)
      return UInt32(min(max(slow, 1), UInt64(Weight.arcTimeLimit - 1)))
    }
    var streets = Array(network.streets)
    for index in streets.indices {
      let id = StreetID(index)
      streets[index].slow(
        forward: slowed(streets[index].milliseconds(isReversed: false), DirectedStreet(id, isReversed: false)),
        backward: slowed(streets[index].milliseconds(isReversed: true), DirectedStreet(id, isReversed: true)))
    }
    self.streets = Column(streets)
    let states = network.states
    weights = Column(
      states.arcs.weights.indices.map { arc in
        // A turn is slowed with its street, as on the clock.
        let weight = states.arcs.weights[arc]
        return Weight(
          milliseconds: slowed(weight.milliseconds, states.streets[arc]), centimetres: weight.centimetres)
      })
    let arcs = ArcGraph(firstArc: states.arcs.firstArc, heads: states.arcs.heads, weights: weights)
    let customizable = CustomizableHierarchy(arcs, ranks: network.hierarchy.ranks)
    hierarchy = customizable.hierarchy(without: network.closureWithoutDate?.arcs)
  }
}
