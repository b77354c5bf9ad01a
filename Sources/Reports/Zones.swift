import Foundation
import Geography
import Jobs
import Tables

/// A dozen zones that many places lie in, for tables that a person can read: each the surroundings of a place that the
/// map names; where it names too few, the nine parts of the places' box.
struct Zones {
  private static let (most, mostNamed) = (12, 60)

  let names: [String]
  private let centres: [FixedCoordinate]
  /// A degree of longitude in degrees of latitude.
  private let shrinking: Double

  /// - Parameter named: Places of the backdrop, the important ones first.
  init(of points: [FixedCoordinate], named: [BackdropRow.Place]) {
    var box = BoundingBox.empty
    for point in points { box.extend(to: point) }
    let middle = (Double(box.minLatitude) + Double(box.maxLatitude)) / 2e7
    let shrinking = cos(middle * .pi / 180)
    var seen: Set<String> = []
    let candidates = named.prefix(Zones.mostNamed).filter { seen.insert($0.name).inserted }
    var counts = [Int](repeating: 0, count: candidates.count)
    for point in points {
      Zones.nearest(to: point, of: candidates.map(\.point), shrinking).map { counts[$0] += 1 }
    }
    let inhabited = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$1], $0) < (counts[$0], $1) }
    let chosen = inhabited.prefix(Zones.most).map { candidates[$0] }.sorted { $0.name < $1.name }
    self.shrinking = shrinking
    (names, centres) =
      chosen.count > 2 ? (chosen.map(\.name), chosen.map(\.point)) : (Zones.parts, Zones.centres(of: box))
  }

  /// The zone of a point, by its index.
  func zone(of point: FixedCoordinate) -> Int { Zones.nearest(to: point, of: centres, shrinking) ?? 0 }

  private static let parts = [
    "north-west", "north", "north-east", "west", "centre", "east", "south-west", "south", "south-east",
  ]

  private static func centres(of box: BoundingBox) -> [FixedCoordinate] {
    func part(_ sixths: Int32, _ least: Int32, _ most: Int32) -> Int32 {
      least + Int32((Int64(most) - Int64(least)) * Int64(sixths) / 6)
    }
    return [5, 3, 1].flatMap { north in
      [1, 3, 5].map { east in
        FixedCoordinate(
          longitude: part(east, box.minLongitude, box.maxLongitude),
          latitude: part(north, box.minLatitude, box.maxLatitude))
      }
    }
  }

  private static func nearest(to point: FixedCoordinate, of centres: [FixedCoordinate], _ shrinking: Double) -> Int? {
    func distance(_ centre: FixedCoordinate) -> Double {
      let x = (Double(centre.longitude) - Double(point.longitude)) * shrinking
      let y = Double(centre.latitude) - Double(point.latitude)
      return x * x + y * y
    }
    return centres.indices.min { distance(centres[$0]) < distance(centres[$1]) }
  }
}
