import Hierarchy
import StreetNetwork

/// A slowness for each class of road.
struct ClassSlowness: Hashable, Sendable {
  /// By `RoadClass`'s raw value.
  private var values = [Double](repeating: 1, count: TripTimes.classCount)

  subscript(roadClass: RoadClass) -> Double {
    get { values[Int(roadClass.rawValue)] }
    set { values[Int(roadClass.rawValue)] = newValue }
  }

  /// A weight in free flow as it is at this slowness.
  func weight(_ weight: Weight, _ roadClass: RoadClass) -> Weight {
    let time = (Double(weight.milliseconds) * self[roadClass]).rounded()
    // What takes time takes at least a millisecond.
    let least = Double(min(1, weight.milliseconds))
    return Weight(
      milliseconds: UInt32(min(max(least, time), Double(Weight.arcTimeLimit))), centimetres: weight.centimetres)
  }
}

/// The arcs of a network where each class of road has a slowness.
struct SlowedGraph: Sendable {
  let slowness: ClassSlowness
  let arcs: ArcGraph

  init(_ network: StreetNetwork, _ slowness: ClassSlowness) {
    self.slowness = slowness
    let arcs = network.states.arcs
    let weights = (0..<arcs.arcCount).map { arc in
      let (street, weight) = network.travelled(by: ArcID(arc))
      return slowness.weight(weight, network.attributes(of: street.street).roadClass)
    }
    self.arcs = ArcGraph(firstArc: arcs.firstArc, heads: arcs.heads, weights: Column(weights))
  }
}
