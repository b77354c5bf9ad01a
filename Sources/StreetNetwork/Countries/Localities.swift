import Foundation
import Geography

/// The locality of each way of a map.
struct Localities {
  private var finder: CountryFinder
  private let builtUp: BuiltUpAreas
  private let wayNodes: [UInt32]
  private let points: [FixedCoordinate?]

  init(_ raw: RawWays, wayNodes: [UInt32], points: [FixedCoordinate?], territories: [Territory]) {
    self.wayNodes = wayNodes
    self.points = points
    let box = BoundingBox(around: points.lazy.compactMap(\.self))
    finder = CountryFinder(territories, table: .stock, box: box)
    builtUp = BuiltUpAreas(raw, box) { way in wayNodes[way.nodes].lazy.compactMap { points[Int($0)] } }
  }

  /// Returns the locality at the middle node of each way. Where no outline contains the node, the nearest country
  /// applies; the finder then uses the country of the first node in a cell for the cell's other nodes.
  mutating func atMiddleNodes(of ways: [RawWays.Way]) -> [Locality] {
    ways.map { way in
      let count = wayNodes[way.nodes].count { points[Int($0)] != nil }
      var remaining = count / 2
      for node in wayNodes[way.nodes] {
        guard let point = points[Int(node)] else { continue }
        if remaining == 0 { return finder.locality(at: point) }
        remaining -= 1
      }
      return Locality()
    }
  }

  /// Returns the locality of a way whose middle node is at `middle`; adds whether the way is in a built-up area.
  func locality(of way: RawWays.Way, _ middle: Locality) -> Locality {
    let isKnown = wayNodes[way.nodes].contains { points[Int($0)] != nil }
    let line = wayNodes[way.nodes].lazy.compactMap { points[Int($0)] }
    var locality = middle
    locality.isBuiltUp = isKnown && builtUp.containsMost(of: line)
    return locality
  }
}

/// Built-up areas, derived from the map's streets: a cell is built-up if there are at least 1.5 km of residential
/// streets within the surrounding 3 x 3 cells of 250 m.
///
/// That is 2.7 km per square kilometre: suburbs have 8 or more, a village of a few lanes 3, farmland and forest less
/// than 1. Town boundaries would be more accurate, but most street extracts lack them.
struct BuiltUpAreas {
  /// The size of cells in 1e-7 degrees: 250 m by 250 m at the latitude of the map's centre.
  private let height: Double
  private let width: Double
  private var cells: Set<Int64> = []

  init(_ raw: RawWays, _ box: BoundingBox, line: (RawWays.Way) -> some Sequence<FixedCoordinate>) {
    height = 250 / Coordinate.metresPerDegree * 1e7
    let latitude = box.isEmpty ? 0 : box.centre.coordinate.latitude
    width = height / max(0.01, cos(latitude * .pi / 180))
    var metres: [Double] = []
    /// The index in `metres` of each cell with residential streets.
    var slots: [Int64: Int] = [:]
    raw.forEach { way, tags in
      guard let highway = tags["highway"], highway == "residential" || highway == "living_street" else { return }
      var last: FixedCoordinate?
      // Most lines stay within one cell.
      var known: (cell: Int64, slot: Int)?
      for point in line(way) {
        if let last {
          let cell = cell(point)
          if known?.cell != cell {
            let slot = slots[cell] ?? metres.count
            if slot == metres.count {
              slots[cell] = slot
              metres.append(0)
            }
            known = (cell, slot)
          }
          metres[known!.slot] += last.distance(to: point)
        }
        last = point
      }
    }
    for cell in slots.keys { forEachAround(cell) { cells.insert($0) } }
    cells = cells.filter { cell in
      var sum = 0.0
      forEachAround(cell) { sum += slots[$0].map { metres[$0] } ?? 0 }
      return sum >= 1500
    }
  }

  private func cell(_ point: FixedCoordinate) -> Int64 {
    let x = Int64((Double(point.longitude) / width).rounded(.down))
    let y = Int64((Double(point.latitude) / height).rounded(.down))
    return x << 32 + (y + 1 << 31)
  }

  /// Returns whether at least half of a line's points lie in built-up areas.
  func containsMost(of line: some Sequence<FixedCoordinate>) -> Bool {
    var known: (cell: Int64, isBuiltUp: Bool)?
    var (all, within) = (0, 0)
    for point in line {
      let cell = cell(point)
      if known?.cell != cell { known = (cell, cells.contains(cell)) }
      all += 1
      within += known!.isBuiltUp ? 1 : 0
    }
    return 2 * within >= all
  }
}

/// Calls `body` with a cell and its neighbours.
private func forEachAround(_ cell: Int64, _ body: (Int64) -> Void) {
  for y: Int64 in -1...1 {
    for x: Int64 in -1...1 { body(cell + x << 32 + y) }
  }
}

/// The location of a way, for locality-dependent rules.
struct Locality: Sendable {
  var country: Country?
  /// The driving side; nil if neither the map nor the table of countries states it.
  var drivesOnLeft: Bool?
  /// Whether the way is in a town or village, where different speed limits apply.
  var isBuiltUp = false
}
