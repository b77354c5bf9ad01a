import Geography
import Testing

struct VisibleAreaTests {
  private func point(_ x: Int, _ y: Int) -> FixedCoordinate { FixedCoordinate(longitude: Int32(x), latitude: Int32(y)) }

  private func ring(_ points: (Int, Int)...) -> [FixedCoordinate] { points.map { point($0.0, $0.1) } }

  /// Returns the sorted lines as "0,0-4,4".
  private func lines(_ rings: [[FixedCoordinate]], ends: (Int, Int)..., limit: Int = 200) throws -> [String] {
    let areas = try #require(RingedArea.areas(of: rings))
    let ends = Set(ends.map { point($0.0, $0.1) })
    return try areas.flatMap { area in
      try VisibleArea(area, ends: ends).linesOfSight(limit: limit).map { line in
        [line.from, line.to].map { "\($0.longitude),\($0.latitude)" }.sorted().joined(separator: "-")
      }
    }.sorted()
  }

  @Test func oppositeCornersOfASquareAreVisible() throws {
    let square = ring((0, 0), (4, 0), (4, 4), (0, 4))
    #expect(try lines([square], ends: (0, 0), (4, 4)) == ["0,0-4,4"])
    #expect(try lines([square.reversed()], ends: (0, 0), (4, 4)) == ["0,0-4,4"])
    #expect(try lines([square], ends: (0, 0), (4, 0)) == [])
  }

  @Test func linesGoAroundAConcaveCorner() throws {
    let notched = ring((0, 0), (8, 0), (8, 8), (4, 8), (4, 4), (0, 4))
    #expect(try lines([notched], ends: (0, 0), (8, 8)) == ["0,0-4,4", "4,4-8,8"])
  }

  @Test func pointsOnEdgesCanBeEnds() throws {
    let notched = ring((0, 0), (8, 0), (8, 8), (6, 8), (4, 8), (4, 4), (0, 4), (0, 2))
    #expect(try lines([notched], ends: (0, 2), (6, 8)) == ["0,2-4,4", "4,4-6,8"])
  }

  @Test func linesDoNotCrossHoles() throws {
    let square = ring((0, 0), (8, 0), (8, 8), (0, 8))
    let hole = ring((3, 3), (5, 3), (5, 5), (3, 5))
    #expect(
      try lines([square, hole], ends: (0, 0), (8, 8)) == ["0,0-3,5", "0,0-5,3", "3,5-8,8", "5,3-8,8"])
  }

  @Test func linesDoNotCrossHolesTouchingTheOutline() throws {
    let square = ring((0, 0), (8, 0), (8, 8), (0, 8))
    let wall = ring((4, 0), (5, 4), (4, 8), (3, 4))  // touches edges at points that are not corners of the square
    #expect(
      try lines([square, wall], ends: (0, 0), (8, 0)) == ["0,0-4,0", "0,0-4,8", "4,0-8,0", "4,8-8,0"])
  }

  @Test func tooManyCornersAreRefused() throws {
    let square = ring((0, 0), (8, 0), (8, 8), (0, 8))
    let hole = ring((3, 3), (5, 3), (5, 5), (3, 5))
    #expect(throws: VisibleArea.Failure.tooManyCorners) {
      try lines([square, hole], ends: (0, 0), (8, 8), limit: 5)
    }
  }

  @Test func rejectsSelfIntersectingOutlines() throws {
    #expect(throws: VisibleArea.Failure.broken) {
      try lines([ring((0, 0), (8, 8), (8, 0), (0, 8))], ends: (0, 0), (8, 0))
    }
  }

  @Test func areasInHolesAreSeparate() throws {
    let rings = [1, 2, 3].map { n in ring((n, n), (20 - n, n), (20 - n, 20 - n), (n, 20 - n)) }
    let areas = try #require(RingedArea.areas(of: rings))
    #expect(areas.map(\.rings.count) == [2, 1])
    #expect(RingedArea.areas(of: [rings[0], rings[0]]) == nil)
  }

  /// Compares shortest distances along the lines of sight with those along all unobstructed lines between points of
  /// random areas.
  @Test func agreesWithBruteForceOnRandomAreas() throws {
    var random = SeededGenerator(seed: 8)
    var compared = 0
    for _ in 0..<300 {
      let outer = randomRing(centre: (0, 0), radii: 12...30, corners: Int.random(in: 3...10, using: &random), &random)
      let holes = [(-4, -3), (4, 2)].prefix(Int.random(in: 0...2, using: &random)).map { centre in
        randomRing(centre: centre, radii: 1...3, corners: Int.random(in: 3...5, using: &random), &random)
      }
      guard let area = RingedArea.areas(of: [outer] + holes)?.first, area.rings.count == holes.count + 1,
        area.rings.allSatisfy(isSimple)
      else { continue }
      let ends = Set(area.rings.joined().filter { _ in Bool.random(using: &random) })
      guard let sights = try? VisibleArea(area, ends: ends).linesOfSight(limit: 200) else { continue }
      let outline = area.rings.flatMap { ring in ring.indices.map { (ring[$0], ring[($0 + 1) % ring.count]) } }
      let points = Array(Set(area.rings.joined())).sorted { ($0.longitude, $0.latitude) < ($1.longitude, $1.latitude) }
      let ours = distances(points, outline + sights.map { ($0.from, $0.to) })
      let pairs = points.flatMap { a in points.filter { isOpen(a, $0, area) }.map { (a, $0) } }
      let expected = distances(points, outline + pairs)
      for (a, from) in points.enumerated() where ends.contains(from) {
        for (b, to) in points.enumerated() where ends.contains(to) {
          #expect(abs(ours[a][b] - expected[a][b]) < 1e-9)
          compared += 1
        }
      }
    }
    #expect(compared > 2000)
  }

  private func randomRing(
    centre: (Int, Int), radii: ClosedRange<Int>, corners: Int, _ random: inout SeededGenerator
  ) -> [FixedCoordinate] {
    // Ordered directions to the border of a box: the ring is star-shaped, with convex and concave corners, many of them
    // collinear.
    let directions = [
      (1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (-1, 2), (-1, 1), (-2, 1), (-1, 0), (-1, -1), (0, -1), (1, -1),
    ]
    let chosen = directions.indices.shuffled(using: &random).prefix(corners).sorted()
    return chosen.map { index in
      let (length, (x, y)) = (Int.random(in: radii, using: &random), directions[index])
      let scale = max(1, length / max(abs(x), abs(y)))
      return point(centre.0 + x * scale, centre.1 + y * scale)
    }
  }

  /// Returns whether a ring never doubles back along itself.
  private func isSimple(_ ring: [FixedCoordinate]) -> Bool {
    ring.indices.allSatisfy { index in
      let (from, to) = (ring[index], ring[(index + 1) % ring.count])
      return !ring.contains { point in
        let (x, y) = (Int(to.longitude - from.longitude), Int(to.latitude - from.latitude))
        let (px, py) = (Int(point.longitude - from.longitude), Int(point.latitude - from.latitude))
        // On the line, and between its ends.
        return x * py == y * px && (1..<max(1, x * x + y * y)).contains(x * px + y * py)
      }
    }
  }

  /// Returns the shortest distances between all points by the Floyd–Warshall algorithm.
  private func distances(_ points: [FixedCoordinate], _ lines: [(FixedCoordinate, FixedCoordinate)]) -> [[Double]] {
    let indices = Dictionary(uniqueKeysWithValues: points.enumerated().map { ($1, $0) })
    var table = points.indices.map { a in points.indices.map { $0 == a ? 0 : Double.infinity } }
    for (from, to) in lines {
      guard let a = indices[from], let b = indices[to] else { continue }
      let (x, y) = (Double(from.longitude - to.longitude), Double(from.latitude - to.latitude))
      table[a][b] = min(table[a][b], (x * x + y * y).squareRoot())
      table[b][a] = table[a][b]
    }
    for via in points.indices {
      for a in points.indices {
        for b in points.indices { table[a][b] = min(table[a][b], table[a][via] + table[via][b]) }
      }
    }
    return table
  }

  /// Returns whether every part of the line, divided at all edges, has its midpoint in the area or on its outline.
  private func isOpen(_ a: FixedCoordinate, _ b: FixedCoordinate, _ area: RingedArea) -> Bool {
    guard a != b else { return false }
    let (ax, ay) = (Double(a.longitude), Double(a.latitude))
    let (dx, dy) = (Double(b.longitude) - ax, Double(b.latitude) - ay)
    var cuts = [0.0, 1.0]
    let edges = area.rings.flatMap { ring in ring.indices.map { (ring[$0], ring[($0 + 1) % ring.count]) } }
    for (p, q) in edges {
      let (px, py) = (Double(p.longitude), Double(p.latitude))
      let (ex, ey) = (Double(q.longitude) - px, Double(q.latitude) - py)
      let cross = dx * ey - dy * ex
      if cross == 0 {
        for (x, y) in [(px, py), (px + ex, py + ey)] {
          cuts.append(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy))
        }
      } else {
        cuts.append(((px - ax) * ey - (py - ay) * ex) / cross)
      }
    }
    let inside = cuts.filter { $0 >= 0 && $0 <= 1 }.sorted()
    return zip(inside, inside.dropFirst()).allSatisfy { from, to in
      to - from < 1e-9 || isIn(ax + (from + to) / 2 * dx, ay + (from + to) / 2 * dy, edges)
    }
  }

  private func isIn(_ x: Double, _ y: Double, _ edges: [(FixedCoordinate, FixedCoordinate)]) -> Bool {
    var isIn = false
    for (p, q) in edges {
      let (px, py, qx, qy) = (Double(p.longitude), Double(p.latitude), Double(q.longitude), Double(q.latitude))
      let along = max(
        0, min(1, ((x - px) * (qx - px) + (y - py) * (qy - py)) / ((qx - px) * (qx - px) + (qy - py) * (qy - py))))
      let (fx, fy) = (x - px - along * (qx - px), y - py - along * (qy - py))
      if fx * fx + fy * fy < 1e-12 { return true }
      if (py > y) != (qy > y), x < px + (y - py) / (qy - py) * (qx - px) { isIn.toggle() }
    }
    return isIn
  }
}
