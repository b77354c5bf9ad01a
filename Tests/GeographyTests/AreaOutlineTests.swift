import Geography
import Testing

/// Areas around random streets near 49° N, as drawn by `AreaOutline`.
struct AreaOutlineTests {
  private typealias Line = [FixedCoordinate]
  private let place = FixedCoordinate(longitude: 87_000_000, latitude: 494_000_000)
  private let context = Geos()

  /// Returns streets with random turns, about 130 m between corners, each starting on an earlier one.
  private func streets(_ count: Int, seed: UInt64) -> [Line] {
    var generator = SeededGenerator(seed: seed)
    var corners = [place]
    return (0..<count).map { _ in
      var line = [corners.randomElement(using: &generator)!]
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let (east, north) = (
          Int32.random(in: -22_000...22_000, using: &generator), Int32.random(in: -14_000...14_000, using: &generator)
        )
        line.append(FixedCoordinate(longitude: line.last!.longitude + east, latitude: line.last!.latitude + north))
      }
      corners += line
      return line
    }
  }

  /// Returns three nested areas: of the first streets, of twice as many, and of four times as many.
  private func areas(
    _ seed: UInt64, buffer: Double = 30, smooth: Double = 0
  ) -> (areas: [ReachedArea], bands: [ReachedArea]) {
    let all = streets(120, seed: seed)
    let builder = AreaBuilder(around: place, buffer: buffer, smooth: smooth, context)
    var bands: [ReachedArea] = []
    let areas = [0..<30, 30..<60, 60..<120].map { part in
      let area = builder.add(LineList(Array(all[part])))
      bands.append(builder.lastBand)
      return area
    }
    return (areas, bands)
  }

  private func polygons(_ area: ReachedArea) -> [RingedArea] {
    area.polygons.map { RingedArea(rings: $0.map { Array($0.dropLast()) }) }
  }

  private func edges(_ area: ReachedArea) -> [(FixedCoordinate, FixedCoordinate)] {
    area.polygons.joined().flatMap { Array(zip($0, $0.dropFirst())) }
  }

  /// Returns the distance from a point to a line in metres.
  private func distance(_ point: FixedCoordinate, _ line: Line) -> Double {
    zip(line, line.dropFirst()).map { a, b in
      let shrink = 0.6508
      let (x, y) = (Double(point.longitude - a.longitude) * shrink, Double(point.latitude - a.latitude))
      let (dx, dy) = (Double(b.longitude - a.longitude) * shrink, Double(b.latitude - a.latitude))
      let part = min(1, max(0, (x * dx + y * dy) / max(1, dx * dx + dy * dy)))
      let (awayX, awayY) = (x - part * dx, y - part * dy)
      return (awayX * awayX + awayY * awayY).squareRoot() / 1e7 * Coordinate.metresPerDegree
    }.min()!
  }

  /// Returns whether two edges share a point that is not an end of either.
  private func cross(_ a: (FixedCoordinate, FixedCoordinate), _ b: (FixedCoordinate, FixedCoordinate)) -> Bool {
    let (first, second) = (Edge(from: a.0, to: a.1), Edge(from: b.0, to: b.1))
    return first.side(of: b.0).signum() * first.side(of: b.1).signum() == -1
      && second.side(of: a.0).signum() * second.side(of: a.1).signum() == -1
  }

  @Test(arguments: 1...12) func ringsAreValid(seed: UInt64) {
    for area in areas(seed).areas {
      for rings in area.polygons {
        #expect(rings.allSatisfy { $0.count >= 4 && $0.first == $0.last })
        let points = rings.joined().map(\.self)
        #expect(Set(points).count == points.count - rings.count, "a ring touches itself or another")
      }
      let edges = edges(area)
      for (index, edge) in edges.enumerated() {
        #expect(!edges[..<index].contains { cross($0, edge) })
      }
    }
  }

  @Test(arguments: 1...12) func holesAreInsideTheirPolygon(seed: UInt64) {
    let polygons = areas(seed).areas.flatMap(polygons)
    #expect(polygons.contains { $0.rings.count > 3 })
    for polygon in polygons {
      let outer = RingedArea(rings: [polygon.rings[0]])
      for hole in polygon.rings.dropFirst() { #expect(hole.allSatisfy(outer.contains)) }
    }
  }

  @Test(arguments: 1...12) func anAreaContainsItsStreets(seed: UInt64) {
    let polygons = polygons(areas(seed).areas[2])
    for line in streets(120, seed: seed) {
      for (a, b) in zip(line, line.dropFirst()) {
        for part in 0...9 {
          let point = FixedCoordinate(
            longitude: a.longitude + (b.longitude - a.longitude) / 9 * Int32(part),
            latitude: a.latitude + (b.latitude - a.latitude) / 9 * Int32(part))
          #expect(polygons.contains { $0.contains(point) })
        }
      }
    }
  }

  /// Lattice points are 0.69 of the buffer apart: the farthest corners are in closed gaps between two of them.
  @Test(arguments: 1...12) func cornersAreAtMostHalfAStepOfTheLatticeBeyondTheBuffer(seed: UInt64) {
    let (area, lines) = (areas(seed).areas[2], streets(120, seed: seed))
    for corner in area.polygons.joined().joined() {
      let metres = lines.map { distance(corner, $0) }.min()!
      #expect(metres <= 30 * 1.345, "\(metres) m")
    }
  }

  /// Corners of the inner area are inside the outer one, or are also its corners.
  @Test(arguments: 1...12) func anAreaContainsThePreviousOne(seed: UInt64) {
    let areas = areas(seed).areas
    for (inner, outer) in zip(areas, areas.dropFirst()) {
      let (polygons, corners) = (polygons(outer), Set(outer.polygons.joined().joined()))
      for corner in Set(inner.polygons.joined().joined()).subtracting(corners) {
        #expect(polygons.contains { $0.contains(corner) })
      }
      let edges = edges(inner)
      for edge in self.edges(outer) { #expect(!edges.contains { cross($0, edge) }) }
    }
  }

  /// With a narrower buffer, GEOS unites the buffers.
  @Test(arguments: 1...12) func isAsLargeAsTheUnionOfBuffers(seed: UInt64) {
    for (area, union) in zip(areas(seed, buffer: 5).areas, areas(seed, buffer: 4.999).areas) {
      #expect(abs(area.squareMetres / union.squareMetres - 1) < 0.03)
    }
  }

  @Test(arguments: [(4.0, 0.03), (5.0, 0.03), (30.0, 0.03), (100.0, 0.01), (300.0, 0.01), (1000.0, 0.01)])
  func aStreetHasTheWholeBuffer(buffer: Double, tolerance: Double) {
    let street = [place, FixedCoordinate(longitude: place.longitude + 130_000, latitude: place.latitude + 100_000)]
    let area = AreaBuilder(around: place, buffer: buffer, context).add(LineList([street]))
    let exact = 2 * buffer * street[0].distance(to: street[1]) + .pi * buffer * buffer
    #expect(abs(area.squareMetres / exact - 1) < tolerance, "\(area.squareMetres) instead of \(exact)")
  }

  @Test(arguments: 1...12) func bandsAddUpToTheArea(seed: UInt64) {
    let (areas, bands) = areas(seed)
    #expect(abs(bands.reduce(0) { $0 + $1.squareMetres } / areas[2].squareMetres - 1) < 0.0005)
  }

  @Test func aStraightStreetHasFewCorners() {
    let street = [place, FixedCoordinate(longitude: place.longitude + 300_000, latitude: place.latitude + 130_000)]
    let area = AreaBuilder(around: place, buffer: 30, context).add(LineList([street]))
    #expect(area.polygons.count == 1 && area.polygons[0][0].count <= 16, "\(area.polygons[0][0].count)")
  }

  /// Unchanged parts keep their corners, so there are no slivers between areas.
  @Test func streetsFarAwayDoNotMoveCorners() {
    let builder = AreaBuilder(around: place, buffer: 30, context)
    let before = builder.add(LineList(streets(20, seed: 7)))
    let far = streets(20, seed: 8).map { line in
      line.map { FixedCoordinate(longitude: $0.longitude + 9_000_000, latitude: $0.latitude) }
    }
    let after = builder.add(LineList(far))
    #expect(Set(after.polygons.joined()).isSuperset(of: before.polygons.joined()))
  }

  @Test func emptyPartsHaveEmptyBands() {
    let builder = AreaBuilder(around: place, buffer: 30, context)
    let before = builder.add(LineList(streets(20, seed: 7)))
    #expect(builder.add(LineList()).polygons == before.polygons)
    #expect(builder.lastBand.polygons.isEmpty && builder.lastBand.squareMetres == 0)
  }

  @Test func closesGapsOnRequest() {
    let (plain, smooth) = (areas(3).areas, areas(3, smooth: 40).areas)
    for (area, closed) in zip(plain, smooth) {
      #expect(closed.squareMetres > area.squareMetres)
      #expect(closed.polygons.joined().count < area.polygons.joined().count)
    }
  }
}
