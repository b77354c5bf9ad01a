import Geography
import Hierarchy

/// The coordinates of a network's states and its maximum speed, for lower bounds of searches. Created once for all
/// threads, when the first trace is matched.
package struct StatePoints: Sendable {
  package let points: Column<FixedCoordinate>
  /// Milliseconds per centimetre of the fastest street.
  package let pace: Double

  init(_ network: StreetNetwork) {
    let states = network.states
    var points = [FixedCoordinate](repeating: FixedCoordinate(longitude: 0, latitude: 0), count: states.arcs.stateCount)
    var pace = Double.infinity
    for index in 0..<network.streetCount {
      let street = network.street(StreetID(index))
      let shape = network.shape(of: StreetID(index))
      for (junction, point) in [(street.tail, shape.lowerBound), (street.head, shape.upperBound - 1)] {
        for state in states.junctions[Int(junction)].first..<states.junctions[Int(junction) + 1].first {
          points[Int(state)] = network.points[point]
        }
      }
      // The speed of shorter streets mostly reflects rounding errors.
      guard street.centimetres >= 100 else { continue }
      for isReversed in [false, true] where street.isOpen(isReversed: isReversed) {
        pace = min(pace, Double(street.milliseconds(isReversed: isReversed)) / Double(street.centimetres))
      }
    }
    self.points = Column(points)
    self.pace = pace.isFinite ? pace : 0
  }
}
