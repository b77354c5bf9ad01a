import Foundation

/// Points of a lattice, which are drawn as whole cells: hexagons where each has six neighbours, squares where it has four.
///
/// Of some points the distance to the nearest neighbour and its direction: of a lattice the quartiles of the distances agree
/// within 8 %, and the directions are 60, or 90, degrees apart. `cells.js` does the same.
struct Lattice {
  /// From a cell's middle.
  let corners: [(x: Double, y: Double)]

  /// Nil where the points lie as they like.
  init?(of points: [(x: Double, y: Double)]) {
    guard points.count >= 12 else { return nil }
    var distances: [Double] = []
    var angles: [Double] = []
    for point in stride(from: 0, to: points.count, by: max(1, points.count / 300)).map({ points[$0] }) {
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
    /// As far as directions agree but for turns of a full one's sixth, or fourth.
    func agreement(_ fold: Double) -> (fold: Double, strength: Double, angle: Double) {
      let x = angles.reduce(0) { $0 + cos($1 * fold) } / Double(angles.count)
      let y = angles.reduce(0) { $0 + sin($1 * fold) } / Double(angles.count)
      return (fold, hypot(x, y), atan2(y, x) / fold)
    }
    let (hexagons, squares) = (agreement(6), agreement(4))
    let best = squares.strength > hexagons.strength ? squares : hexagons
    guard best.strength >= 0.8 else { return nil }
    let radius = quantile(0.5) / (2 * cos(.pi / best.fold))
    corners = (0..<Int(best.fold)).map { corner in
      let angle = best.angle + Double(2 * corner + 1) * .pi / best.fold
      return (radius * cos(angle), radius * sin(angle))
    }
  }
}
