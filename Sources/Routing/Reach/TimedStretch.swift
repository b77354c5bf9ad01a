import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// A section of a street along which trips lead from or to a place, with travel times.
package struct TimedStretch: Sendable {
  package var street: StreetID
  /// Fractions of the street's shape from its tail: the end nearer to the place, and the other end.
  package var from: Double
  package var to: Double
  /// The milliseconds between the place and each end; `UInt32.max` if no trip passes the whole section.
  package var start: UInt32
  package var end: UInt32
}

/// The points of sections of streets and of lines across squares, with the times at which trips pass them.
package struct TimedLines: Sendable {
  package struct Point: Sendable {
    package var point: FixedCoordinate
    package var milliseconds: Double
  }

  package private(set) var points: [Point] = []
  /// For each line, a section or a ray, the index after its last point.
  package private(set) var ends: [Int] = []
  /// The length of a degree of longitude relative to a degree of latitude.
  private var shrink = 1.0

  /// - Parameters:
  ///   - rays: Lines across squares.
  ///   - limit: The time in milliseconds at which sections are cut.
  package init(_ stretches: [TimedStretch], _ rays: [TimedRay], within limit: UInt32, on network: StreetNetwork) {
    for stretch in stretches
    where stretch.start <= limit && stretch.end != .max && stretch.from != stretch.to {
      let all = Double(stretch.end) - Double(stretch.start)
      let part = stretch.end > limit && all > 0 ? (Double(limit) - Double(stretch.start)) / all : 1
      let cut = stretch.from + (stretch.to - stretch.from) * part
      let isReversed = cut < stretch.from
      let piece = StreetPiece(street: stretch.street, from: min(stretch.from, cut), to: max(stretch.from, cut))
      let first = points.count
      if piece.isWhole {
        let shape = network.shape(of: piece.street)
        append(UnsafeBufferPointer(start: network.points.base + shape.lowerBound, count: shape.count), isReversed)
      } else {
        network.points(of: piece).withUnsafeBufferPointer { append($0, isReversed) }
      }
      guard points.count > first else { continue }
      ends.append(points.count)
      points.withUnsafeMutableBufferPointer { points in
        let length = points[points.count - 1].milliseconds
        for index in first..<points.count {
          // Multiplied in this order, so that rounding does not make the last point later than the limit.
          points[index].milliseconds =
            Double(stretch.start) + (length > 0 ? all * part * points[index].milliseconds / length : 0)
        }
      }
    }
    for ray in rays where ray.start < limit && ray.end != .max {
      let part = min(1, Double(limit - ray.start) / Double(max(1, ray.end - ray.start)))
      points.append(Point(point: ray.point(at: 0), milliseconds: Double(ray.start)))
      points.append(Point(point: ray.point(at: part), milliseconds: Double(min(ray.end, limit))))
      ends.append(points.count)
    }
  }

  /// Appends points in forward or reverse order; instead of a time, each point gets the length of the line up to that
  /// point, in units of latitude. A plane is precise enough, since only the ratios of lengths within a street matter.
  private mutating func append(_ line: UnsafeBufferPointer<FixedCoordinate>, _ isReversed: Bool) {
    guard let (first, end) = line.first.map({ ($0, line[line.count - 1]) }) else { return }
    if points.isEmpty { shrink = cos(first.coordinate.latitude * .pi / 180) }
    var (last, length) = (isReversed ? end : first, 0.0)
    for index in line.indices {
      let point = line[isReversed ? line.count - 1 - index : index]
      let dx = (Double(point.longitude) - Double(last.longitude)) * shrink
      let dy = Double(point.latitude) - Double(last.latitude)
      length += (dx * dx + dy * dy).squareRoot()
      points.append(Point(point: point, milliseconds: length))
      last = point
    }
  }
}

/// The sections that a search finds: for each street and direction, only the earliest. Reusable; each thread needs its
/// own object.
final class StretchList {
  /// For each street, from its tail and then from its head: the milliseconds to both ends; `none` between uses.
  private let whole: UnsafeMutablePointer<SIMD2<UInt32>>
  private var touched: [UInt32] = []
  private var own: [TimedStretch] = []

  private static let none = SIMD2<UInt32>(repeating: .max)

  init(streetCount: Int) {
    whole = .allocate(capacity: max(1, streetCount * 2))
    whole.initialize(repeating: StretchList.none, count: streetCount * 2)
  }

  /// Returns the bytes for `streetCount` streets.
  static func memory(streetCount: Int) -> Int { streetCount * 2 * MemoryLayout<SIMD2<UInt32>>.stride }

  deinit { whole.deallocate() }

  /// Adds a whole street, from its start in its direction, or from its end.
  func add(_ directed: DirectedStreet, isFromEnd: Bool, start: UInt32, end: UInt32) {
    let key = directed.street.index << 1 | (directed.isReversed == isFromEnd ? 0 : 1)
    let known = whole[Int(key)]
    if known == StretchList.none {
      touched.append(key)
    } else if known.y == .max || end == .max, known.y != end {
      // A section that a trip passes says more than one that no trip passes as a whole.
      guard known.y == .max else { return }
    } else if known.x <= start {
      return
    }
    whole[Int(key)] = SIMD2(start, end)
  }

  /// Adds the part of a street on one side of a place; the whole street takes `milliseconds`. Trips from the place lead
  /// to the street's end in its direction; trips to the place come from its start.
  func add(_ directed: DirectedStreet, at fraction: Double, isLeaving: Bool, start: UInt32, _ milliseconds: UInt32) {
    let to = directed.isReversed == isLeaving ? 0.0 : 1.0
    let end = start + UInt32(Double(milliseconds) * abs(to - fraction))
    own.append(TimedStretch(street: directed.street, from: fraction, to: to, start: start, end: end))
  }

  /// Returns all sections, and clears them.
  func takeStretches() -> [TimedStretch] {
    defer {
      for key in touched { whole[Int(key)] = StretchList.none }
      touched.removeAll(keepingCapacity: true)
      own.removeAll(keepingCapacity: true)
    }
    return own
      + touched.compactMap { key in
        let (isFromTail, times, others) = (key & 1 == 0, whole[Int(key)], whole[Int(key ^ 1)])
        // A trip that has already passed the whole street from its other end was earlier at every point.
        guard others.y > times.x || others.x == times.y && isFromTail else { return nil }
        return TimedStretch(
          street: StreetID(key >> 1), from: isFromTail ? 0 : 1, to: isFromTail ? 1 : 0, start: times.x, end: times.y)
      }
  }
}
