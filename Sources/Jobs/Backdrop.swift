import Geography
import Results
import StreetNetwork

/// The streets around some places, to draw results upon: the important ones first, as many as a picture bears, and no
/// finer than it shows.
///
/// - Parameter reach: How far results go beyond the places, in metres.
func backdrop(of network: StreetNetwork, around places: [SnappedPlace], reach: Double = 0) -> [StreetRow] {
  // A place with a slip in its coordinates, far from all streets, must not make a map of the earth.
  let box = BoundingBox(around: places.compactMap(\.usableEnd?.place))
  guard !box.isEmpty else { return [] }
  let wider = Int32(min(reach / Coordinate.metresPerDegree, 1) * 1e7)
  let (width, height) = (
    Double(box.maxLongitude) - Double(box.minLongitude), Double(box.maxLatitude) - Double(box.minLatitude)
  )
  let extent = max(max(width, height) + 2 * Double(wider), 20_000)
  let margin = wider + Int32(min(extent * 0.1, 10_000_000))
  // Points closer than this fall together.
  let grain = max(1, Int32(extent / 1500))

  var streets: [RoadClass: [StreetRow]] = [:]
  var pointCounts: [RoadClass: Int] = [:]
  for number in 0..<network.streetCount {
    let attributes = network.attributes(of: StreetID(number))
    let shape = network.points[network.shape(of: StreetID(number))]
    guard !network.street(StreetID(number)).flags.contains(.gate),
      shape.contains(where: { box.contains($0, margin: margin) })
    else {
      continue
    }
    let points = thinned(Array(shape), grain: grain)
    guard points.count > 1 else { continue }
    streets[attributes.roadClass, default: []].append(StreetRow(roadClass: "\(attributes.roadClass)", points: points))
    pointCounts[attributes.roadClass, default: 0] += points.count
  }
  var (chosen, count): ([StreetRow], Int) = ([], 0)
  for roadClass in streets.keys.sorted() {
    count += pointCounts[roadClass]!
    guard chosen.isEmpty || count <= mostPoints else { break }
    chosen += streets[roadClass]!
  }
  return chosen
}

/// More than this make a page heavy, and the picture grey.
private let mostPoints = 40_000

/// The first and the last point, and of those between no two in one cell of a grid.
private func thinned(_ points: [FixedCoordinate], grain: Int32) -> [FixedCoordinate] {
  func cell(_ point: FixedCoordinate) -> FixedCoordinate {
    FixedCoordinate(longitude: point.longitude / grain, latitude: point.latitude / grain)
  }
  var thinned = [points[0]]
  for point in points.dropFirst().dropLast() where cell(point) != cell(thinned.last!) { thinned.append(point) }
  if points.count > 1 && (thinned.count > 1 || cell(points.last!) != cell(points[0])) { thinned.append(points.last!) }
  return thinned
}
