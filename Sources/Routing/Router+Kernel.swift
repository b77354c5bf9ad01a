import Geography
import StreetNetwork

extension Router {
  /// Snaps many places as `end(at:)` does, but in map order, so that each search has a bound from the previous one and
  /// warm caches.
  package func ends(at places: [Coordinate]) -> [TripEnd?] {
    let points = places.map { $0.isValid ? FixedCoordinate($0) : nil }
    // Initialized in place: an assignment would first read the old end.
    return [TripEnd?](unsafeUninitializedCapacity: points.count) { ends, count in
      for index in HilbertIndex.order(of: points) {
        ends.initializeElement(at: index, to: points[index].flatMap { end(at: $0) })
      }
      count = points.count
    }
  }
}
