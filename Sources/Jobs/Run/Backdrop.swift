import Geography
import Results
import StreetNetwork

/// The streets in a box, to draw results upon: the important ones first, as many as a picture can show, and no
/// finer than it shows.
struct Backdrop {
  private let network: StreetNetwork
  private let box: BoundingBox
  private let margin: Int32
  /// Points closer than this fall together.
  private let grain: Int32

  /// More points than this make a page heavy, and the picture grey.
  private static let mostPoints = 40_000

  /// - Parameter reach: How far results go beyond the box, in metres.
  init(_ network: StreetNetwork, around box: BoundingBox, reach: Double) {
    self.network = network
    self.box = box
    let wider = Int32(min(reach / Coordinate.metresPerDegree, 1) * 1e7)
    let width = Double(box.maxLongitude) - Double(box.minLongitude)
    let height = Double(box.maxLatitude) - Double(box.minLatitude)
    let extent = max(max(width, height) + 2 * Double(wider), 20_000)
    margin = wider + Int32(min(extent * 0.1, 10_000_000))
    grain = max(1, Int32(min(extent / 1500, 1e9)))
  }

  /// The streets of the most important classes, class after class until a picture has enough.
  var streets: [StreetRow] {
    guard !box.isEmpty else { return [] }
    var idsOfClasses: [RoadClass: [StreetID]] = [:]
    for index in 0..<network.streetCount {
      let id = StreetID(index)
      guard !network.street(id).flags.contains(.gate) else { continue }
      idsOfClasses[network.attributes(of: id).roadClass, default: []].append(id)
    }
    var (chosen, count): ([StreetRow], Int) = ([], 0)
    for (roadClass, ids) in idsOfClasses.sorted(by: { $0.key < $1.key }) {
      let name = "\(roadClass)"
      var rows: [StreetRow] = []
      for id in ids {
        let shape = network.points[network.shape(of: id)]
        guard shape.contains(where: { box.contains($0, margin: margin) }) else { continue }
        let points = thinned(shape)
        guard points.count > 1 else { continue }
        rows.append(StreetRow(roadClass: name, points: points))
        count += points.count
        guard chosen.isEmpty || count <= Backdrop.mostPoints else { return chosen }
      }
      chosen += rows
    }
    return chosen
  }

  /// The first and the last point, and of those between no two in one cell of a grid.
  private func thinned(_ points: some BidirectionalCollection<FixedCoordinate>) -> [FixedCoordinate] {
    guard let first = points.first, let last = points.last else { return [] }
    var thinned = [first]
    var cell = cell(of: first)
    for point in points.dropFirst().dropLast() where self.cell(of: point) != cell {
      thinned.append(point)
      cell = self.cell(of: point)
    }
    if points.count > 1 && (thinned.count > 1 || self.cell(of: last) != cell) { thinned.append(last) }
    return thinned
  }

  private func cell(of point: FixedCoordinate) -> FixedCoordinate {
    FixedCoordinate(longitude: point.longitude / grain, latitude: point.latitude / grain)
  }
}

extension BoundingBox {
  /// Around the places that trips may start from or lead to: one with wrong coordinates, far from all streets, must not
  /// make a map of the earth.
  init(around places: some Sequence<SnappedPlace>) {
    self = .empty
    for place in places { if let end = place.usableEnd { extend(to: end.place) } }
  }
}
