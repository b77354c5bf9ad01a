import Foundation
import Geography
import Hierarchy

extension StateGraph {
  /// The rank of each state in all hierarchies: an order by the states' places on the map, which no weight changes.
  func ranks(_ streets: [Street], points: [FixedCoordinate], workers: Int) -> [UInt32] {
    let box = BoundingBox(around: points)
    // Degrees east are shorter than degrees north.
    let eastward = Int64((cos(box.centre.coordinate.latitude * .pi / 180) * 1024).rounded())
    var places = [SIMD2<Int32>](repeating: SIMD2(0, 0), count: arcs.stateCount)
    for (index, street) in streets.enumerated() {
      let end = index + 1 < streets.count ? Int(streets[index + 1].firstPoint) : points.count
      for (junction, point) in [(street.tail, points[Int(street.firstPoint)]), (street.head, points[end - 1])] {
        let place = SIMD2(Int32(truncatingIfNeeded: Int64(point.longitude) * eastward / 1024), point.latitude)
        for state in junctions[Int(junction)].first..<junctions[Int(junction) + 1].first { places[Int(state)] = place }
      }
    }
    return CustomizableHierarchy.ranks(of: arcs, at: places, workers: workers)
  }
}
