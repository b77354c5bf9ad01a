import Foundation
import Geography

/// The outline of an area: the rings of its parts and of its holes.
struct Outline: Sendable {
  let rings: [[FixedCoordinate]]
  let boxes: [BoundingBox]
  /// The sum of the areas of all rings in square degrees; holes are added, not subtracted.
  let area: Double

  init(rings: [[FixedCoordinate]]) {
    self.rings = rings
    boxes = rings.map { BoundingBox(around: $0) }
    area = rings.reduce(0) { $0 + abs($1.signedArea) }
  }

  /// Decodes rings in the format of `data/countries/outlines.json5`.
  init(encoded rings: [String]) { self.init(rings: rings.map(Outline.ring)) }

  private static func ring(_ text: String) -> [FixedCoordinate] {
    var numbers: [Int32] = []
    var (number, shift) = (Int32(0), Int32(0))
    for letter in text.utf8 {
      let digit = value(of: letter)
      number |= (digit & 31) << shift
      shift += 5
      guard digit < 32 else { continue }
      numbers.append(number & 1 == 0 ? number >> 1 : -(number >> 1) - 1)
      (number, shift) = (0, 0)
    }
    var point = FixedCoordinate(longitude: 0, latitude: 0)
    return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
      point.longitude += numbers[index] * 10_000
      point.latitude += numbers[index + 1] * 10_000
      return point
    }
  }

  /// Returns the value of a digit: 0-9 A-Z a-z - _
  private static func value(of letter: UInt8) -> Int32 {
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int32(letter - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int32(letter - UInt8(ascii: "A")) + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int32(letter - UInt8(ascii: "a")) + 36
    case UInt8(ascii: "-"): 62
    default: 63
    }
  }

  /// Returns whether the area contains a point, that is, whether the point is within an odd number of rings.
  func contains(_ point: FixedCoordinate) -> Bool {
    zip(rings, boxes).count { ring, box in box.contains(point) && ring.surrounds(point) } % 2 == 1
  }

  /// Returns the distance to the nearest border in metres.
  func distance(to point: FixedCoordinate) -> Double { rings.map { $0.distance(to: point) }.min() ?? .infinity }
}

extension [FixedCoordinate] {
  /// The ring's area in square degrees; negative if clockwise.
  fileprivate var signedArea: Double {
    var sum = 0.0
    for index in indices {
      let (a, b) = (self[index], self[index + 1 < count ? index + 1 : 0])
      sum += Double(a.longitude) * Double(b.latitude) - Double(b.longitude) * Double(a.latitude)
    }
    return sum / 2e14
  }

  /// Returns whether a ray to the east crosses the ring an odd number of times.
  fileprivate func surrounds(_ point: FixedCoordinate) -> Bool {
    guard var last = last else { return false }
    var isInside = false
    for next in self {
      if (next.latitude > point.latitude) != (last.latitude > point.latitude) {
        let share = Double(point.latitude - last.latitude) / Double(next.latitude - last.latitude)
        let longitude = Double(last.longitude) + share * (Double(next.longitude) - Double(last.longitude))
        if Double(point.longitude) < longitude { isInside.toggle() }
      }
      last = next
    }
    return isInside
  }

  /// Returns the distance from a point to the ring in metres.
  fileprivate func distance(to point: FixedCoordinate) -> Double {
    guard var last = last else { return .infinity }
    // On a plane around the point, with degrees of longitude scaled by the cosine of the latitude.
    let xScale = cos(Double(point.latitude) / 1e7 * .pi / 180)
    func relative(_ other: FixedCoordinate) -> SIMD2<Double> {
      SIMD2(
        (Double(other.longitude) - Double(point.longitude)) * xScale,
        Double(other.latitude) - Double(point.latitude))
    }
    var minimum = Double.infinity
    for next in self {
      let (a, b) = (relative(last), relative(next))
      minimum = Swift.min(minimum, a.nearest(along: b - a).square)
      last = next
    }
    return minimum.squareRoot() / 1e7 * Coordinate.metresPerDegree
  }
}
