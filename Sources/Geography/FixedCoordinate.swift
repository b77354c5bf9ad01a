import Foundation

/// A point in units of 1e-7 degrees, as in OpenStreetMap: exact, 8 bytes, bitwise comparable.
@usableFromInline package struct FixedCoordinate: Hashable, Sendable, BitwiseCopyable {
  package var longitude: Int32
  package var latitude: Int32

  package init(longitude: Int32, latitude: Int32) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// Creates the nearest representable point. `coordinate` must be valid.
  package init(_ coordinate: Coordinate) {
    precondition(coordinate.isValid, "coordinate out of range")
    longitude = Int32((coordinate.longitude * 1e7).rounded())
    latitude = Int32((coordinate.latitude * 1e7).rounded())
  }

  package var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
  }

  package func distance(to other: FixedCoordinate) -> Double { coordinate.distance(to: other.coordinate) }

  /// Returns the point that is the fraction `part` (0 to 1) of the way along a straight line to another point.
  package func towards(_ other: FixedCoordinate, _ part: Double) -> FixedCoordinate {
    func between(_ a: Int32, _ b: Int32) -> Int32 {
      let (a, b) = (Double(a), Double(b))
      return Int32((a + part * (b - a)).rounded())
    }
    return FixedCoordinate(
      longitude: between(longitude, other.longitude), latitude: between(latitude, other.latitude))
  }
}

/// Lines joined end to end into strokes where they meet at a bend of at most 60 degrees (R. C. Thomson, R. Brooks
/// 2002).
///
/// This gives fewer and longer lines: two crossing streets become two lines instead of four with a common end.
package struct Strokes {
  private let lines: [[FixedCoordinate]]
  /// The end joined to each end, or -1. End `line * 2` is a line's first point, and `line * 2 + 1` its last.
  private var continuations: [Int]

  /// The sharpest bend at which lines are joined, in degrees.
  private static let sharpestBend = 60.0

  package init(_ lines: [[FixedCoordinate]]) {
    self.lines = lines
    continuations = Array(repeating: -1, count: lines.count * 2)
    var ends: [(point: FixedCoordinate, end: Int)] = []
    ends.reserveCapacity(lines.count * 2)
    for (index, line) in lines.enumerated() where line.first != line.last {
      ends.append((line.first!, index * 2))
      ends.append((line.last!, index * 2 + 1))
    }
    ends.sort { ($0.point.longitude, $0.point.latitude, $0.end) < ($1.point.longitude, $1.point.latitude, $1.end) }
    var start = 0
    while start < ends.count {
      let stop = ends[start...].firstIndex { $0.point != ends[start].point } ?? ends.count
      pair(ends[start..<stop].map(\.end))
      start = stop
    }
  }

  /// Pairs ends that meet, straightest continuations first.
  private mutating func pair(_ ends: [Int]) {
    guard ends.count > 1 else { return }
    let headings = ends.map(heading)
    var bends: [(bend: Double, a: Int, b: Int)] = []
    for a in ends.indices {
      for b in (a + 1)..<ends.count {
        let between = abs(headings[a] - headings[b])
        let bend = 180 - min(between, 360 - between)
        if bend <= Strokes.sharpestBend { bends.append((bend, ends[a], ends[b])) }
      }
    }
    for (_, a, b) in bends.sorted(by: { $0 < $1 }) where continuations[a] < 0 && continuations[b] < 0 {
      continuations[a] = b
      continuations[b] = a
    }
  }

  /// Returns the heading in which a line leaves one of its ends, in degrees.
  private func heading(_ end: Int) -> Double {
    let line = lines[end / 2]
    let (from, to) = end % 2 == 0 ? (line[0], line[1]) : (line[line.count - 1], line[line.count - 2])
    return from.coordinate.heading(to: to.coordinate)
  }

  package func joined() -> [[FixedCoordinate]] {
    var isDrawn = [Bool](repeating: false, count: lines.count)
    var strokes: [[FixedCoordinate]] = []
    func draw(from end: Int) {
      var (stroke, next): ([FixedCoordinate], Int) = ([], end)
      while next >= 0 && !isDrawn[next / 2] {
        isDrawn[next / 2] = true
        let line = lines[next / 2]
        stroke += (next % 2 == 0 ? line : line.reversed()).dropFirst(stroke.isEmpty ? 0 : 1)
        next = continuations[next ^ 1]
      }
      strokes.append(stroke)
    }
    // Lines with a free end first, then rings.
    for end in continuations.indices where continuations[end] < 0 && !isDrawn[end / 2] { draw(from: end) }
    for line in lines.indices where !isDrawn[line] { draw(from: line * 2) }
    return strokes
  }
}
