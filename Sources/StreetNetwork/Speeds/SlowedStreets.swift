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
      let slow = (Double(milliseconds) * slowness.value).rounded()
      return UInt32(min(max(slow, 1), Double(Weight.arcLimit / 2 - 1)))
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
        let (directed, weight) = (states.streets[arc], states.arcs.weights[arc])
        let usual = network.street(directed.street).milliseconds(isReversed: directed.isReversed)
        let now = streets[Int(directed.street.index)].milliseconds(isReversed: directed.isReversed)
        // An arc is a turn and a street.
        return Weight(milliseconds: weight.milliseconds - usual + now, centimetres: weight.centimetres)
      })
    let arcs = ArcGraph(firstArc: states.arcs.firstArc, heads: states.arcs.heads, weights: weights)
    let customizable = CustomizableHierarchy(arcs, ranks: network.hierarchy.ranks)
    hierarchy = customizable.hierarchy(without: network.closureWithoutDate?.arcs)
  }
}
