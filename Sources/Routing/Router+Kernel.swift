import Geography
import StreetNetwork

extension Router {
  /// Many places, each snapped as by `end(at:)`; in map order, so that each search has a bound from the previous one
  /// and warm caches.
  package func ends(at places: [Coordinate]) -> [TripEnd?] {
    let points = places.map { $0.isValid ? FixedCoordinate($0) : nil }
    // Written to fresh memory: replacing an end would read it first.
    return [TripEnd?](unsafeUninitializedCapacity: points.count) { ends, count in
      for index in HilbertIndex.order(of: points) {
        ends.initializeElement(at: index, to: points[index].flatMap { end(at: $0) })
      }
      count = points.count
    }
  }
}
