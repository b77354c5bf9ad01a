import Geography
import Hierarchy

extension MapStreets {
  /// Where a trip starts or ends.
  package enum Spot: Sendable {
    /// On a street of the network.
    case snap(Snap)
    /// A place that nothing of the network is near to: on the nearest way of the map.
    case place(FixedCoordinate)
    /// Anywhere on the streets that places are snapped to.
    case main
  }

  /// The fewest things that would have to be open for a trip to lead from one spot to another, where no time is given; of
  /// equally few those of the shortest trip. Ways that a class closes (a footway, to a car) count as a kilometre longer. Nil
  /// where none would do; empty where a trip leads there as it is.
  package func obstacles(from origin: Spot, to destination: Spot) -> Obstacles? {
    var search = ObstacleSearch(self, to: destination)
    return search.run(from: origin)
  }
}
