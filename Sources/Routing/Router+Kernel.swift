import Geography
import StreetNetwork

extension Router {
  /// Many places, each as `end(at:)` snaps it; in the order of the map, so that each search has a bound from the one
  /// before, and finds the caches warm.
  package func ends(at places: [Coordinate]) -> [TripEnd?] {
    let points = places.map { $0.isValid ? FixedCoordinate($0) : nil }
    // Written to fresh memory: replacing an end waits until it is read.
    return [TripEnd?](unsafeUninitializedCapacity: points.count) { ends, count in
      for index in HilbertIndex.order(of: points) {
        ends.initializeElement(at: index, to: points[index].flatMap { end(at: $0) })
      }
      count = points.count
    }
  }
}
