import Foundation
import Geography

/// Finds the segments of ways that run along a given line nearby: a grid, as a sorted list of cells.
struct SegmentGrid {
  struct Segment {
    /// The caller's index.
    var way: UInt32
    var from: FixedCoordinate
    var to: FixedCoordinate
  }

  /// A point of a line, and the direction of the line there.
  struct Probe {
    var point: FixedCoordinate
    var from: FixedCoordinate
    var to: FixedCoordinate
    /// The metres of the line that it stands for.
    var metres: Double
  }

  private let segments: [Segment]
  private let entries: [(cell: UInt64, segment: UInt32)]

  /// In 1e-7 degrees: 55 m along a meridian.
  private static let cellSize = 5000.0
  /// How far behind a segment's end, in metres, a line may still run along it: in bends.
  private static let overshoot = 5.0
  /// Longer segments are left out: no street has them.
  private static let mostCells = 2000.0

  init(_ segments: [Segment]) {
    self.segments = segments
    var entries: [(cell: UInt64, segment: UInt32)] = []
    for (index, segment) in segments.enumerated() {
      let (x, y) = (Double(segment.from.longitude), Double(segment.from.latitude))
      let (dx, dy) = (Double(segment.to.longitude) - x, Double(segment.to.latitude) - y)
      let steps = (max(abs(dx), abs(dy)) / SegmentGrid.cellSize).rounded(.up)
      guard steps <= SegmentGrid.mostCells else { continue }
      var last: UInt64?
      for step in 0...Int(steps) {
        let along = steps > 0 ? Double(step) / steps : 0
        let cell = SegmentGrid.cell(SegmentGrid.column(x + along * dx), SegmentGrid.column(y + along * dy))
        if cell != last { entries.append((cell, UInt32(index))) }
        last = cell
      }
    }
    self.entries = entries.sorted { ($0.cell, $0.segment) < ($1.cell, $1.segment) }
  }

  private static func column(_ value: Double) -> Int { Int((value / cellSize).rounded(.down)) }

  private static func cell(_ x: Int, _ y: Int) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: x)) << 32 | UInt64(UInt32(truncatingIfNeeded: y))
  }

  /// The nearest of the segments within `reach` metres that run in the probe's direction, or against, within 30 degrees,
  /// and are accepted: `isAlong` tells whether the segment is drawn in that direction.
  func nearest(to probe: Probe, reach: Double, where accepts: (_ way: UInt32, _ isAlong: Bool) -> Bool) -> Segment? {
    let (x, y) = (Double(probe.point.longitude), Double(probe.point.latitude))
    let north = Coordinate.metresPerDegree / 1e7
    let east = north * max(0.01, cos(y / 1e7 * .pi / 180))
    let direction = (
      x: (Double(probe.to.longitude) - Double(probe.from.longitude)) * east,
      y: (Double(probe.to.latitude) - Double(probe.from.latitude)) * north
    )
    var nearest: (distance: Double, segment: UInt32)?
    // One cell more on each side: segments are in the cells of points that are up to a cell apart.
    let columns = SegmentGrid.column(x - reach / east) - 1...SegmentGrid.column(x + reach / east) + 1
    let rows = SegmentGrid.column(y - reach / north) - 1...SegmentGrid.column(y + reach / north) + 1
    for column in columns {
      for row in rows {
        for segment in self.segments(in: SegmentGrid.cell(column, row)) {
          let other = segments[Int(segment)]
          let ax = (Double(other.from.longitude) - x) * east
          let ay = (Double(other.from.latitude) - y) * north
          let dx = (Double(other.to.longitude) - x) * east - ax
          let dy = (Double(other.to.latitude) - y) * north - ay
          let squared = dx * dx + dy * dy
          let dot = dx * direction.x + dy * direction.y
          let cross = dx * direction.y - dy * direction.x
          // The tangent of 30 degrees.
          guard squared > 0, abs(cross) <= abs(dot) * 0.577 else { continue }
          let foot = -(ax * dx + ay * dy) / squared
          let along = min(1, max(0, foot))
          // A street that ends where the line goes on does not run along it.
          guard abs(foot - along) * squared.squareRoot() <= SegmentGrid.overshoot else { continue }
          let distance = ((ax + along * dx) * (ax + along * dx) + (ay + along * dy) * (ay + along * dy)).squareRoot()
          guard distance <= reach, nearest.map({ (distance, segment) < $0 }) ?? true, accepts(other.way, dot > 0) else {
            continue
          }
          nearest = (distance, segment)
        }
      }
    }
    return nearest.map { segments[Int($0.segment)] }
  }

  private func segments(in cell: UInt64) -> some Sequence<UInt32> {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].cell < cell { low = middle + 1 } else { high = middle }
    }
    return entries[low...].lazy.prefix { $0.cell == cell }.map(\.segment)
  }
}
