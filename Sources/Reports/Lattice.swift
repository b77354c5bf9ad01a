import Foundation

/// Points on a regular grid that are drawn as whole cells: hexagons if each point has six neighbours, rectangles if it
/// has four.
///
/// A sample of points is checked for the distance and direction to the nearest neighbour: on a grid, the quartiles of
/// the distances agree within 8 %, and the directions are multiples of 60 or 90 degrees. `cells.js` does the same.
struct Lattice {
  /// The corners of a cell, relative to its centre.
  let corners: [(x: Double, y: Double)]

  /// Finds the grid; nil if the points are not on one.
  init?(of points: [(x: Double, y: Double)]) {
    guard points.count >= 12 else { return nil }
    var distances: [Double] = []
    var angles: [Double] = []
    let every = max(1, points.count / 300)
    for point in stride(from: 0, to: points.count, by: every).map({ points[$0] }) {
      var (nearest, least) = (point, Double.infinity)
      for other in points {
        let square = (other.x - point.x) * (other.x - point.x) + (other.y - point.y) * (other.y - point.y)
        if square > 0, square < least { (nearest, least) = (other, square) }
      }
      guard least.isFinite else { return nil }
      distances.append(least.squareRoot())
      angles.append(atan2(nearest.y - point.y, nearest.x - point.x))
    }
    distances.sort()
    func quantile(_ part: Double) -> Double { distances[Int(Double(distances.count - 1) * part)] }
    guard quantile(0.75) <= quantile(0.25) * 1.08 else { return nil }
    /// Returns how well the directions agree, modulo a sixth or a quarter of a turn.
    func agreement(_ fold: Double) -> (fold: Double, strength: Double, angle: Double) {
      let x = angles.reduce(0) { $0 + cos($1 * fold) } / Double(angles.count)
      let y = angles.reduce(0) { $0 + sin($1 * fold) } / Double(angles.count)
      return (fold, hypot(x, y), atan2(y, x) / fold)
    }
    // Both grids fit if all nearest neighbours are in one direction.
    let fitting = [agreement(6), agreement(4)].filter { $0.strength >= 0.8 }.lazy.compactMap {
      Lattice.corners(of: points, by: every, quantile(0.5), Int($0.fold), $0.angle)
    }
    guard let corners = fitting.first else { return nil }
    self.corners = corners
  }

  /// Returns the corners of a cell, each equidistant from the cell's centre and two neighbours; nil if no point has a
  /// neighbour on one of the sides.
  private static func corners(
    of points: [(x: Double, y: Double)], by every: Int, _ distance: Double, _ fold: Int, _ angle: Double
  ) -> [(x: Double, y: Double)]? {
    var sums = [(x: Double, y: Double, count: Double)](repeating: (0, 0, 0), count: fold)
    // Some sides of a cell may be up to 2.4 times as long as others, as on a grid in degrees at 65° of latitude.
    let reach = distance * (fold == 6 ? 1.4 : 2.4)
    for start in stride(from: 0, to: points.count, by: every) {
      // The nearest neighbour on each side.
      var nearest = [(x: Double, y: Double, square: Double)](repeating: (0, 0, reach * reach), count: fold)
      for other in points {
        let (x, y) = (other.x - points[start].x, other.y - points[start].y)
        let square = x * x + y * y
        guard square > 0, square <= reach * reach else { continue }
        let direction = (atan2(y, x) - angle) * Double(fold) / (2 * .pi)
        let turn = Int(direction.rounded())
        let side = (turn % fold + fold) % fold
        if abs(direction - Double(turn)) < 0.24, square < nearest[side].square { nearest[side] = (x, y, square) }
      }
      // The cell is symmetric.
      for (side, found) in nearest.enumerated() where found.square < reach * reach {
        for (index, sign) in [(side, 1.0), ((side + fold / 2) % fold, -1.0)] {
          sums[index] = (sums[index].x + sign * found.x, sums[index].y + sign * found.y, sums[index].count + 1)
        }
      }
    }
    guard sums.allSatisfy({ $0.count > 0 }) else { return nil }
    let sides = sums.map { (x: $0.x / $0.count, y: $0.y / $0.count) }
    // Without neighbours at suitable distances and angles, the sides would not meet.
    let areas = sides.indices.map { index in
      sides[index].x * sides[(index + 1) % fold].y - sides[index].y * sides[(index + 1) % fold].x
    }
    guard areas.allSatisfy({ $0 > distance * distance / 2 }) else { return nil }
    return sides.indices.map { index in
      let (a, b) = (sides[index], sides[(index + 1) % fold])
      let (first, second) = ((a.x * a.x + a.y * a.y) / 2, (b.x * b.x + b.y * b.y) / 2)
      return ((first * b.y - second * a.y) / areas[index], (second * a.x - first * b.x) / areas[index])
    }
  }
}
