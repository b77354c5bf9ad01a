import Geography
import Routing
import Tables

/// Consecutive places on their streets, each different point looked up once.
struct SnappedChunk: Sendable {
  private let points: Interner<FixedCoordinate>
  private let found: [SnappedPlace]
  /// The point of each place; nil where none is needed.
  private let indices: [Int?]

  /// - Parameter places: Nil where nothing depends on a place's street.
  init(_ places: [FixedCoordinate?], _ router: Router) {
    var points = Interner<FixedCoordinate>()
    indices = places.map { $0.map { points.index(of: $0) } }
    self.points = points
    let coordinates = points.values.map(\.coordinate)
    found = zip(coordinates, router.ends(at: coordinates)).map { place, end in
      SnappedPlace(end: end, passedSize: router.passedIsland(at: place, end)?.size)
    }
  }

  /// Appends the places, in their order.
  func append(to snapped: inout SnappedPlaces, _ coverage: Coverage?) {
    let isInside = coverage?.area.contains(points.values.map(\.coordinate))
    for index in indices {
      var place = index.map { found[$0] } ?? SnappedPlace()
      if let isInside, let index { place.isOutside = !isInside[index] }
      snapped.append(place)
    }
  }
}
