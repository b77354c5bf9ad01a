import Foundation
import Geography

/// Lines as fine as a map shows them (D. Douglas, T. Peucker 1973).
enum LineSimplifier {
  /// A line that is drawn from some zoom on: no point of it moves by more than a metre and a half at street level, and
  /// by a third of a pixel two zooms nearer than where it begins.
  static func drawn(_ line: [FixedCoordinate], from minZoom: UInt8) -> [FixedCoordinate] {
    simplified(line, metres: max(1.5, 156_543 / Double(1 << (Int(minZoom) + 2)) / 3))
  }

  static func simplified(_ line: [FixedCoordinate], metres: Double) -> [FixedCoordinate] {
    guard line.count > 2 else { return line }
    let unit = Coordinate.metresPerDegree / 1e7
    let shrink = cos(line[0].coordinate.latitude * .pi / 180)
    let points = line.map { (x: Double($0.longitude) * unit * shrink, y: Double($0.latitude) * unit) }
    var isKept = [Bool](repeating: false, count: line.count)
    (isKept[0], isKept[line.count - 1]) = (true, true)
    var spans = [(0, line.count - 1)]
    while let (first, last) = spans.popLast() {
      var (farthest, greatest) = (-1, metres * metres)
      for index in (first + 1)..<max(first + 1, last) {
        let square = squaredDistance(points[index], points[first], points[last])
        if square > greatest { (farthest, greatest) = (index, square) }
      }
      guard farthest > 0 else { continue }
      isKept[farthest] = true
      spans.append((first, farthest))
      spans.append((farthest, last))
    }
    return line.indices.lazy.filter { isKept[$0] }.map { line[$0] }
  }

  private static func squaredDistance(
    _ point: (x: Double, y: Double), _ a: (x: Double, y: Double), _ b: (x: Double, y: Double)
  ) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let along = square > 0 ? min(1, max(0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / square)) : 0
    let (ex, ey) = (point.x - a.x - along * dx, point.y - a.y - along * dy)
    return ex * ex + ey * ey
  }
}
