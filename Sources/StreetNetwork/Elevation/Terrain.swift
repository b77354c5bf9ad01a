import Foundation
import Geography

/// The elevation of streets: ground level at each node, but interpolated between the ends of bridges and tunnels.
struct Terrain {
  private let ground: any HeightField
  /// Metres above sea level by node; NaN if unknown.
  private var heights: [Float]
  private let hills: Hills?
  /// The maximum spacing of elevation samples along a segment, in metres.
  private static let step = 25.0

  /// Returns the number of sections between the elevation samples of a segment.
  static func sections(of metres: Double) -> Int { max(1, Int((metres / step).rounded(.up))) }

  /// *Throws*: `OdometerError` if the rasters cannot be read, or cover no street.
  init(_ map: OSMImport, _ elevation: Elevation, hills: Hills?) throws {
    ground = try elevation.heights()
    self.hills = hills
    heights = Array(repeating: .nan, count: map.points.count)
    var isKnown = [Bool](repeating: false, count: map.points.count)
    for way in map.ways {
      for node in map.wayNodes[way.nodes] where !isKnown[Int(node)] {
        isKnown[Int(node)] = true
        guard let point = map.points[Int(node)], let height = try height(at: point.coordinate) else { continue }
        heights[Int(node)] = Float(height)
      }
    }
    guard heights.contains(where: { !$0.isNaN }) else {
      throw .input(elevation.path, "elevation: the DEM covers no street of the map; is it for another area?")
    }
    interpolateOffGround(map)
  }

  private func height(at place: Coordinate) throws -> Double? {
    try ground.height(longitude: place.longitude, latitude: place.latitude)
  }

  /// Returns the elevation of a node in centimetres above sea level; the minimum value if unknown.
  func centimetres(at node: UInt32) -> Int32 { Terrain.centimetres(Double(heights[Int(node)])) }

  private static func centimetres(_ height: Double) -> Int32 {
    height.isNaN ? .min : Int32((height * 100).rounded())
  }

  // MARK: Slopes

  /// The factors by which the slopes along a street change the travel time on level ground, forward and backward, the
  /// street's climb, and its elevation between its points, in centimetres.
  typealias Slopes = (forward: Double, backward: Double, climb: Climb, samples: [Int32])

  /// Returns the slopes along the nodes of consecutive `parts`. *Throws*: `OdometerError`.
  func slopes(along nodes: [UInt32], _ parts: [PiecePart], of map: OSMImport) throws -> Slopes {
    var ground = [centimetres(at: nodes[0])]
    var samples: [Int32] = []
    var (flat, forward, backward) = (0.0, 0.0, 0.0)
    var at = 0
    for part in parts {
      let rules = map.ways[Int(part.way)].rules
      for _ in 0..<part.segments {
        let (tail, head) = (nodes[at], nodes[at + 1])
        at += 1
        let (from, to) = (map.points[Int(tail)]!.coordinate, map.points[Int(head)]!.coordinate)
        let metres = from.distance(to: to)
        let (start, end) = (Double(heights[Int(tail)]), Double(heights[Int(head)]))
        flat += metres
        let count = Terrain.sections(of: metres)
        let length = metres / Double(count)
        var low = start
        for index in 1...count {
          let share = Double(index) / Double(count)
          let high =
            if index == count {
              end
            } else if rules.isOffGround {
              start + (end - start) * share
            } else {
              try height(
                at: Coordinate(
                  latitude: from.latitude + (to.latitude - from.latitude) * share,
                  longitude: from.longitude + (to.longitude - from.longitude) * share)) ?? .nan
            }
          let rise = low.isNaN || high.isNaN ? 0 : high - low
          low = high
          ground.append(Terrain.centimetres(high))
          if index < count { samples.append(Terrain.centimetres(high)) }
          guard metres > 0 else { continue }
          let slope = rise / length
          guard rules.isAffectedBySlopes, let hills else {
            forward += length
            backward += length
            continue
          }
          forward += length / hills.factor(onSlope: slope)
          backward += length / hills.factor(onSlope: -slope)
        }
      }
    }
    let climb = Climb(along: ground)
    return (flat > 0 ? forward / flat : 1, flat > 0 ? backward / flat : 1, climb, samples)
  }

  // MARK: Bridges and tunnels

  /// Interpolates the nodes of bridges and tunnels between their ends, weighted by the inverse distance along them
  /// (with two ends, the slope is constant).
  private mutating func interpolateOffGround(_ map: OSMImport) {
    var neighbours: [UInt32: [(node: UInt32, metres: Double)]] = [:]
    for way in map.ways where way.rules.isOffGround {
      let nodes = map.wayNodes[way.nodes]
      for (from, to) in zip(nodes, nodes.dropFirst()) {
        guard from != to, let a = map.points[Int(from)], let b = map.points[Int(to)] else { continue }
        let metres = max(a.distance(to: b), 0.01)
        neighbours[from, default: []].append((to, metres))
        neighbours[to, default: []].append((from, metres))
      }
    }
    let onGround = nodesOnGround(map, among: neighbours)
    var seen: Set<UInt32> = []
    for start in neighbours.keys.sorted() where !seen.contains(start) {
      var component = [start]
      seen.insert(start)
      var next = 0
      while next < component.count {
        for (node, _) in neighbours[component[next]]! where seen.insert(node).inserted { component.append(node) }
        next += 1
      }
      let ends = component.filter { node in
        (onGround.contains(node) || Set(neighbours[node]!.map(\.node)).count == 1) && !heights[Int(node)].isNaN
      }.sorted()
      guard !ends.isEmpty, component.count > ends.count else { continue }
      var sums: [UInt32: (height: Double, weight: Double)] = [:]
      for end in ends {
        for (node, metres) in distances(from: end, neighbours) where node != end {
          sums[node, default: (0, 0)].height += Double(heights[Int(end)]) / metres
          sums[node]!.weight += 1 / metres
        }
      }
      let endSet = Set(ends)
      for node in component where !endSet.contains(node) {
        guard let sum = sums[node] else { continue }
        heights[Int(node)] = Float(sum.height / sum.weight)
      }
    }
  }

  /// Returns the ends of bridges and tunnels, where they meet the ground. Stairs and lifts do not count: they lead up
  /// to the deck of a bridge.
  private func nodesOnGround(
    _ map: OSMImport, among neighbours: [UInt32: [(node: UInt32, metres: Double)]]
  ) -> Set<UInt32> {
    var found: Set<UInt32> = []
    for way in map.ways where !way.rules.isOffGround && !way.rules.kind.isStairs && way.rules.kind != .elevator {
      for node in map.wayNodes[way.nodes] where neighbours[node] != nil { found.insert(node) }
    }
    return found
  }

  /// Returns the distance in metres along a bridge or tunnel to each node (Dijkstra 1959, without a heap, since there
  /// are few nodes).
  private func distances(
    from start: UInt32, _ neighbours: [UInt32: [(node: UInt32, metres: Double)]]
  ) -> [UInt32: Double] {
    var found: [UInt32: Double] = [:]
    var open: [UInt32: Double] = [start: 0]
    while let (node, metres) = open.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      open[node] = nil
      found[node] = metres
      for (next, length) in neighbours[node]! where found[next] == nil {
        open[next] = min(open[next] ?? .infinity, metres + length)
      }
    }
    return found
  }
}

/// The ascent and descent of a street in centimetres, from its tail to its head.
package struct Climb: Sendable, BitwiseCopyable, Hashable, Codable {
  package var ascent: UInt32 = 0
  package var descent: UInt32 = 0

  package init(ascent: UInt32 = 0, descent: UInt32 = 0) { (self.ascent, self.descent) = (ascent, descent) }

  /// Sums the rises and falls along heights in centimetres, except those to or from unknown heights (the minimum
  /// value).
  init(along heights: [Int32]) {
    for (low, high) in zip(heights, heights.dropFirst()) where low != .min && high != .min {
      let rise = Int64(high) - Int64(low)
      self = self + Climb(ascent: UInt32(clamping: rise), descent: UInt32(clamping: -rise))
    }
  }

  /// Adds two climbs; sums are clamped to 42,949 km, which is more than any real climb.
  package static func + (a: Climb, b: Climb) -> Climb {
    func sum(_ a: UInt32, _ b: UInt32) -> UInt32 { UInt32(clamping: UInt64(a) + UInt64(b)) }
    return Climb(ascent: sum(a.ascent, b.ascent), descent: sum(a.descent, b.descent))
  }

  /// The same climb, from head to tail.
  package var reversed: Climb { Climb(ascent: descent, descent: ascent) }
}

/// Hill shading with light from the northwest, as a grid of cells.
package struct HillShade: Sendable {
  package private(set) var columns = 0
  package private(set) var rows = 0
  /// The light on each cell, row by row from the north: 0 in full shade, 255 in full light, 180 on level ground.
  package private(set) var light: [UInt8] = []

  /// The number of cells along the longer side, and the minimum cell size in metres.
  private static let (maximumCells, minimumCellMetres) = (200.0, 30.0)
  /// The vertical exaggeration of slopes.
  private static let exaggeration = 2.0

  /// Creates the hill shading of a box; nil if the elevation of half of the cells or more is unknown. *Throws*:
  /// `OdometerError` if a raster cannot be read.
  package init?(_ elevation: Elevation, in box: BoundingBox) throws {
    let heights = try elevation.heights()
    let xScale = max(0.01, cos(box.centre.coordinate.latitude * .pi / 180))
    let unit = Coordinate.metresPerDegree / 1e7
    let (wide, high) = (box.width * xScale * unit, box.height * unit)
    let metres = max(HillShade.minimumCellMetres, max(wide, high) / HillShade.maximumCells)
    (columns, rows) = (max(3, Int(wide / metres)), max(3, Int(high / metres)))
    let known = try (0..<columns * rows).map { index in
      let part = (
        x: (Double(index % columns) + 0.5) / Double(columns), y: (Double(index / columns) + 0.5) / Double(rows)
      )
      return try heights.height(
        longitude: (Double(box.minLongitude) + box.width * part.x) / 1e7,
        latitude: (Double(box.maxLatitude) - box.height * part.y) / 1e7)
    }
    guard known.count(where: { $0 != nil }) * 2 > known.count else { return nil }
    let cell = (wide: wide / Double(columns), high: high / Double(rows))
    light = known.indices.map { brightness(at: $0, of: known, cell) }
  }

  /// Returns the light on a cell (B. Horn 1981), with the sun at 45 degrees.
  private func brightness(at index: Int, of heights: [Double?], _ cell: (wide: Double, high: Double)) -> UInt8 {
    let (column, row) = (index % columns, index / columns)
    func height(_ right: Int, _ down: Int) -> Double? {
      heights[min(max(row + down, 0), rows - 1) * columns + min(max(column + right, 0), columns - 1)]
    }
    guard let west = height(-1, 0), let east = height(1, 0), let north = height(0, -1), let south = height(0, 1) else {
      return HillShade.level
    }
    let eastward = (east - west) / (2 * cell.wide) * HillShade.exaggeration
    let northward = (north - south) / (2 * cell.high) * HillShade.exaggeration
    // The normal (-eastward, -northward, 1) and the sun (-1/2, 1/2, √1/2).
    let sun = (eastward - northward) / 2 + 0.5.squareRoot()
    let value = sun / (eastward * eastward + northward * northward + 1).squareRoot()
    return UInt8(min(max(value, 0), 1) * 255 + 0.5)
  }

  private static let level = UInt8(0.5.squareRoot() * 255 + 0.5)
}
