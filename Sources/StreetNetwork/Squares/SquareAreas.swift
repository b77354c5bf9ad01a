import Foundation
import Geography
import Hierarchy
import Synchronization

/// The areas of a network that are walked across, with the points visible from a place x inside:
///
///     ──a─────────b──     x sees the entrances a and b and the hole's corners h and i, along straight lines
///       │ `. ┌h  .'│      that end on a street of the square
///       │   x└i.'  │
///       └──────────┘
final class SquareAreas: Sendable {
  /// The areas, followed by a record that marks the end.
  private let areas: Column<Record>
  private let rings: Column<UInt32>
  private let points: Column<FixedCoordinate>
  private let corners: Column<Corner>
  private let index: StreetIndex
  private let cache = Mutex<[UInt32: SquareArea]>([:])
  private let knownFans = Mutex<[SquareFan: [SquareRay]]>([:])
  private let knownCorners = Mutex<[DirectedStreet: [SquareCorner]]?>(nil)

  /// An area. The record has no padding, since it is written as bytes.
  struct Record: BitwiseCopyable, Sendable {
    /// The street that represents the area, with its speed and its name. Records are sorted by street.
    var street: UInt32
    var firstRing: UInt32
    var firstCorner: UInt32
  }

  /// A corner or an entrance; one record for each street that ends there.
  struct Corner: BitwiseCopyable, Sendable {
    var point: FixedCoordinate
    /// A `DirectedStreet` that ends there.
    var street: UInt32
    var isEntrance: UInt32
  }

  init(
    areas: Column<Record>, rings: Column<UInt32>, points: Column<FixedCoordinate>, corners: Column<Corner>,
    index: StreetIndex
  ) { (self.areas, self.rings, self.points, self.corners, self.index) = (areas, rings, points, corners, index) }

  /// Returns the areas whose boxes contain a point, in the order of their streets.
  func areas(around point: FixedCoordinate) -> [SquareArea] {
    guard areas.count > 1 else { return [] }
    var found: [UInt32] = []
    index.forEachRun(around: point) { found.append($0.segment) }
    return found.sorted().map { area($0) }
  }

  func hasArea(of street: StreetID) -> Bool { areas.count > 1 && areas[index(of: street)].street == street.index }

  func area(of street: StreetID) -> SquareArea { area(UInt32(index(of: street))) }

  private func index(of street: StreetID) -> Int {
    // The final record only marks the end of the previous one.
    (1..<areas.count - 1).partitionPoint { areas[$0].street > street.index } - 1
  }

  /// The corners and entrances by the streets that end there; computed on first use.
  var cornersByStreet: [DirectedStreet: [SquareCorner]] {
    knownCorners.value {
      var found: [DirectedStreet: [SquareCorner]] = [:]
      for index in 0..<max(0, areas.count - 1) {
        for corner in corners[Int(areas[index].firstCorner)..<Int(areas[index + 1].firstCorner)] {
          found[DirectedStreet(index: corner.street), default: []].append(
            SquareCorner(square: StreetID(areas[index].street), point: corner.point))
        }
      }
      return found
    }
  }

  /// The maximum number of cached fans, of at most 9 KB each.
  private static let maximumFans = 4096

  /// Returns the lines of a fan; computed by `make` if they are not cached.
  func rays(of fan: SquareFan, _ make: () -> [SquareRay]) -> [SquareRay] {
    if let rays = knownFans.withLock({ $0[fan] }) { return rays }
    let rays = make()
    knownFans.withLock { fans in
      if fans.count >= SquareAreas.maximumFans { fans.removeAll() }
      fans[fan] = rays
    }
    return rays
  }

  private func area(_ index: UInt32) -> SquareArea {
    cache.value(for: index) {
      let (record, next) = (areas[Int(index)], areas[Int(index) + 1])
      let outlines = (record.firstRing..<next.firstRing).map { ring in
        Array(points[Int(rings[Int(ring)])..<Int(rings[Int(ring) + 1])])
      }
      var (approaches, ends): ([FixedCoordinate: [DirectedStreet]], Set<FixedCoordinate>) = ([:], [])
      for corner in corners[Int(record.firstCorner)..<Int(next.firstCorner)] {
        approaches[corner.point, default: []].append(DirectedStreet(index: corner.street))
        if corner.isEntrance != 0 { ends.insert(corner.point) }
      }
      return SquareArea(
        street: StreetID(record.street), area: VisibleArea(RingedArea(rings: outlines), ends: ends),
        approaches: approaches)
    }
  }
}

/// An area that is walked across.
struct SquareArea: Sendable {
  let street: StreetID
  let area: VisibleArea
  /// The streets of the square that end at each of its corners.
  let approaches: [FixedCoordinate: [DirectedStreet]]

  /// Returns the point itself if it is inside, or a nearby point inside if it is on the outline up to rounding (a few
  /// centimetres). Nil for other points.
  func inside(_ point: FixedCoordinate) -> FixedCoordinate? {
    if area.contains(point) { return point }
    guard area.mayTouch(point, within: 2) else { return nil }
    for reach in Int32(1)...2 {
      for (x, y) in [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)] as [(Int32, Int32)] {
        let next = FixedCoordinate(longitude: point.longitude &+ x * reach, latitude: point.latitude &+ y * reach)
        if area.contains(next) { return next }
      }
    }
    return nil
  }
}

extension StreetNetwork {
  /// Returns whether a street represents an area that is walked across.
  package func isSquare(_ street: StreetID) -> Bool { squareAreas.hasArea(of: street) }

  /// Snaps a place inside a square, or on its outline, by straight lines to all visible corners and entrances, and to
  /// the nearest street if that may cross the square without a common node; if no trip reaches a corner, only to the
  /// nearest street. Returns nil if the place is not on a square, or there is no street.
  func snapOnSquare(_ place: FixedCoordinate, near street: Snap?) -> Snap? {
    for square in squareAreas.areas(around: place) {
      guard let inside = square.inside(place) else { continue }
      var positions = corners(of: square, seenFrom: inside, at: place)
      let isReached = !positions.isEmpty
      if let street {
        positions += street.positions.filter { !isReached || mayCross($0.street) }.map { position in
          var position = position
          position.line = lineWeight(over: square.street, metres: street.distance)
          return position
        }
      }
      guard let nearest = positions.first else { continue }
      return Snap(
        position: nearest, twins: Array(positions.dropFirst()), point: place,
        distance: isReached ? 0 : street?.distance ?? 0, square: square.street)
    }
    return nil
  }

  /// Adds the straight lines to all visible corners to the snap of a place next to a square, if the snap is on the
  /// square's outline.
  func snapOnOutline(_ snap: Snap) -> Snap {
    guard attributes(of: snap.street).traits.contains(.square) else { return snap }
    for square in squareAreas.areas(around: snap.point) {
      guard let inside = square.inside(snap.point) else { continue }
      let positions = corners(of: square, seenFrom: inside, at: snap.point)
      guard !positions.isEmpty else { continue }
      var snap = snap
      snap.square = square.street
      snap.twins += positions
      return snap
    }
    return snap
  }

  /// Returns the corners and entrances visible from a point inside, as ends of lines from `place`, which is next to
  /// that point.
  private func corners(
    of square: SquareArea, seenFrom inside: FixedCoordinate, at place: FixedCoordinate
  ) -> [StreetPosition] {
    square.area.corners(seenFrom: inside).compactMap { approach(to: $0, of: square, from: place) }
      .sorted { ($0.line, $0.street) < ($1.line, $1.street) }
  }

  /// Returns whether a street next to a place on a square may also be on the square: it is neither an outline nor below
  /// the square.
  private func mayCross(_ street: StreetID) -> Bool {
    let attributes = attributes(of: street)
    return !attributes.traits.contains(.square) && attributes.snapPenalty == 0
  }

  /// Returns the end of the square's street that arrives at a corner in the direction closest to the line from a place.
  private func approach(
    to corner: FixedCoordinate, of square: SquareArea, from place: FixedCoordinate
  ) -> StreetPosition? {
    let heading = place.coordinate.heading(to: corner.coordinate)
    func turn(_ directed: DirectedStreet) -> Double {
      let angle = abs(street(directed.street).arrivingHeading(isReversed: directed.isReversed) - heading)
      return min(angle, 360 - angle)
    }
    let usable = (square.approaches[corner] ?? []).filter {
      let street = street($0.street)
      return street.flags.contains(.snappable) && street.isOpen(isReversed: $0.isReversed)
    }
    guard let directed = usable.min(by: { (turn($0), $0.index) < (turn($1), $1.index) }) else { return nil }
    return StreetPosition(
      street: directed.street, fraction: directed.isReversed ? 0 : 1,
      segment: directed.isReversed ? 0 : shape(of: directed.street).count - 2,
      line: lineWeight(over: square.street, metres: place.distance(to: corner)))
  }

  /// Returns the straight line between two places on a square; nil if it leaves the area, or the square is closed.
  func line(over square: StreetID, from a: FixedCoordinate, to b: FixedCoordinate, _ closed: Closure?) -> DirectTrip? {
    let street = DirectedStreet(square, isReversed: false)
    let area = squareAreas.area(of: square)
    guard isOpen(street, closed), let from = area.inside(a), let to = area.inside(b),
      area.area.isFree(from: from, to: to)
    else { return nil }
    let start = StreetPosition(street: square, fraction: 0, segment: 0)
    return DirectTrip(
      weight: lineWeight(over: square, metres: a.distance(to: b)), street: street, fromJunction: false, from: start,
      to: start)
  }

  /// Returns the time and length of a straight line across a square.
  func lineWeight(over square: StreetID, metres: Double) -> Weight {
    let street = street(square)
    let centimetres = metres * 100
    let pace = Double(street.milliseconds(isReversed: false)) / Double(street.centimetres)
    return Weight(
      milliseconds: UInt32(min(centimetres * pace, Double(Weight.arcTimeLimit)).rounded()),
      centimetres: UInt32(min(centimetres, Double(Weight.arcLimit)).rounded()))
  }
}

/// The areas to which places snap, as stored in the network; built from the map's areas and the streets along and
/// across them.
struct SquareTable {
  private(set) var areas: [SquareAreas.Record] = []
  private(set) var rings: [UInt32] = []
  private(set) var points: [FixedCoordinate] = []
  private(set) var corners: [SquareAreas.Corner] = []
  private(set) var index = StreetIndex([])

  /// The maximum number of streets recorded for each corner: enough for all directions.
  private static let maximumApproaches = 8

  init(_ map: OSMImport, _ table: StreetTable) {
    guard !map.squareAreas.isEmpty else {
      finish()
      return
    }
    // The index of the corner in its area; nil for other nodes of the outline.
    var nodes: [Int64: [(area: Int, corner: Int?)]] = [:]
    for (areaIndex, square) in map.squareAreas.enumerated() {
      let corners = Dictionary(
        square.area.corners.enumerated().map { ($1.node, $0) }, uniquingKeysWith: { first, _ in first })
      for node in square.area.nodes { nodes[map.nodeIDs[Int(node)], default: []].append((areaIndex, corners[node])) }
    }
    var approaches = map.squareAreas.map { [[DirectedStreet]](repeating: [], count: $0.area.corners.count) }
    var streets = [[UInt32]](repeating: [], count: map.squareAreas.count)
    for (index, street) in table.streets.enumerated() where !street.flags.contains(.gate) {
      let nodesAlong = table.pointNodes[table.streets.shape(of: index, table.pointNodes.count)]
      let ways = table.ways[index]
      for (node, way, isReversed) in [
        (nodesAlong.first!, Int(ways.tail), true), (nodesAlong.last!, Int(ways.head), false),
      ] {
        for (area, corner) in nodes[node] ?? [] {
          let isOfArea =
            map.areasOfLines[way].map { $0 == area } ?? map.squareAreas[area].ways.contains(map.ways[way].id)
          guard isOfArea else { continue }
          streets[area].append(UInt32(index))
          if let corner { approaches[area][corner].append(DirectedStreet(StreetID(index), isReversed: isReversed)) }
        }
      }
    }
    var taken: Set<UInt32> = []
    var representatives: [(street: UInt32, area: Int)] = []
    for (areaIndex, streets) in streets.enumerated() {
      // The longest line has the most accurate speed; no street represents two areas.
      func rank(_ street: UInt32) -> (Int, UInt32, UInt32) {
        let isLine = map.areasOfLines[Int(table.ways[Int(street)].tail)] != nil
        return (isLine ? 1 : 0, table.streets[Int(street)].centimetres, .max - street)
      }
      let best = streets.lazy.filter { !taken.contains($0) }.max { rank($0) < rank($1) }
      guard let best, table.streets[Int(best)].centimetres > 0 else { continue }
      taken.insert(best)
      representatives.append((best, areaIndex))
    }
    var runs: [(run: StreetIndex.Run, box: BoundingBox)] = []
    for (street, areaIndex) in representatives.sorted(by: { $0.street < $1.street }) {
      let area = map.squareAreas[areaIndex].area
      runs.append((.init(street: street, segment: UInt32(areas.count)), BoundingBox(around: area.rings.joined())))
      areas.append(.init(street: street, firstRing: UInt32(rings.count), firstCorner: UInt32(corners.count)))
      for ring in area.rings {
        rings.append(UInt32(points.count))
        points += ring
      }
      for (corner, streets) in zip(area.corners, approaches[areaIndex]) {
        let step = max(1, (streets.count + SquareTable.maximumApproaches - 1) / SquareTable.maximumApproaches)
        for index in stride(from: 0, to: streets.count, by: step) {
          corners.append(
            .init(point: corner.point, street: streets[index].index, isEntrance: corner.isEntrance ? 1 : 0))
        }
      }
    }
    index = StreetIndex(runs)
    finish()
  }

  private mutating func finish() {
    areas.append(.init(street: .max, firstRing: UInt32(rings.count), firstCorner: UInt32(corners.count)))
    rings.append(UInt32(points.count))
  }
}

/// A corner or an entrance of a square; the square is identified by the street that represents it.
package struct SquareCorner: Hashable, Sendable {
  package let square: StreetID
  package let point: FixedCoordinate
}

/// A straight line across a square.
package struct SquareRay: Sendable {
  package let from: FixedCoordinate
  package let to: FixedCoordinate
  package let milliseconds: UInt32

  package init(from: FixedCoordinate, to: FixedCoordinate, milliseconds: UInt32) {
    (self.from, self.to, self.milliseconds) = (from, to, milliseconds)
  }
}

/// The key of cached lines from a corner of a square, for areas with a buffer in metres. Includes the time of the
/// square's street, which may differ between networks of one map.
struct SquareFan: Hashable {
  var corner: SquareCorner
  var buffer: Double
  var milliseconds: UInt32
}

extension StreetNetwork {
  /// The corners and entrances of squares by the streets that end there.
  package var squareCorners: [DirectedStreet: [SquareCorner]] { squareAreas.cornersByStreet }

  /// Returns straight lines from a corner of a square as far as they stay inside, so close together that the areas
  /// around them have no gaps:
  ///
  ///     ──a──────┐
  ///       │`·. `·│      Lines no longer than the buffer are left out.
  ///       │  `·. │
  ///       └──────┘
  ///
  /// Returns none if the outline reaches farther than a hundred buffers: the number of lines grows with the distance.
  package func rays(from corner: SquareCorner, buffer: Double) -> [SquareRay] {
    let milliseconds = street(corner.square).milliseconds(isReversed: false)
    return squareAreas.rays(of: SquareFan(corner: corner, buffer: buffer, milliseconds: milliseconds)) {
      rays(over: squareAreas.area(of: corner.square), from: corner.point, buffer: buffer)
    }
  }

  /// Returns the lines from a place on a square, like those from a corner; none for other places.
  package func rays(from snap: Snap, buffer: Double) -> [SquareRay] {
    guard let square = snap.square.map(squareAreas.area(of:)), let inside = square.inside(snap.point) else { return [] }
    return rays(over: square, from: inside, buffer: buffer)
  }

  private func rays(over square: SquareArea, from point: FixedCoordinate, buffer: Double) -> [SquareRay] {
    let metres = square.area.outline.reduce(0) { max($0, point.distance(to: $1)) }
    guard metres > buffer, metres <= 100 * buffer else { return [] }
    let height = 2 * metres / Coordinate.metresPerDegree * 1e7
    let width = height / max(0.01, cos(point.coordinate.latitude * .pi / 180))
    // At their ends, neighbours are one and a half buffers apart.
    let count = Int((2 * .pi * metres / (1.5 * buffer)).rounded(.up))
    return (0..<count).compactMap { index in
      let angle = 2 * .pi * Double(index) / Double(count)
      let far = FixedCoordinate(
        longitude: Int32(clamping: Int64(Double(point.longitude) + width * cos(angle))),
        latitude: Int32(clamping: Int64(Double(point.latitude) + height * sin(angle))))
      guard let end = square.area.end(of: Edge(from: point, to: far)) else { return nil }
      let length = point.distance(to: end)
      guard length > buffer else { return nil }
      return SquareRay(
        from: point, to: end, milliseconds: lineWeight(over: square.street, metres: length).milliseconds)
    }
  }
}
