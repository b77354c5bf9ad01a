import Foundation
import Geography
import Testing

struct CoordinateTests {
  @Test func degreesOfLatitudeAre111Kilometres() {
    let a = Coordinate(latitude: 10, longitude: 20)
    #expect(abs(a.distance(to: Coordinate(latitude: 11, longitude: 20)) - 111_195.08) < 0.01)
  }

  @Test func degreesOfLongitudeShrinkTowardThePole() {
    let a = Coordinate(latitude: 60, longitude: 20)
    #expect(abs(a.distance(to: Coordinate(latitude: 60, longitude: 21)) - 55_597.5) < 5)
  }

  @Test func antipodesAreHalfTheCircumferenceApart() {
    let a = Coordinate(latitude: 0, longitude: 0)
    #expect(abs(a.distance(to: Coordinate(latitude: 0, longitude: 180)) - .pi * Coordinate.earthRadius) < 1)
    #expect(a.distance(to: a) == 0)
  }

  @Test(arguments: [(1.0, 0.0, 0.0), (0, 1, 90), (-1, 0, 180), (0, -1, 270), (1, 1, 45)])
  func headingsAreClockwiseFromNorth(north: Double, east: Double, expected: Double) {
    let a = Coordinate(latitude: 0, longitude: 0)
    let b = Coordinate(latitude: north * 0.001, longitude: east * 0.001)
    #expect(abs(a.heading(to: b) - expected) < 0.01)
  }

  @Test func rejectsCoordinatesOutOfRange() {
    #expect(Coordinate(latitude: -90, longitude: 180).isValid)
    #expect(!Coordinate(latitude: 90.1, longitude: 0).isValid)
    #expect(!Coordinate(latitude: 0, longitude: -180.1).isValid)
    #expect(!Coordinate(latitude: .nan, longitude: 0).isValid)
  }

  @Test func keepsSevenDecimals() {
    let coordinate = Coordinate(latitude: -33.1234567, longitude: 179.7654321)
    #expect(FixedCoordinate(coordinate).coordinate == coordinate)
  }

  @Test func hilbertCurveVisitsQuadrantsInOrder() {
    let box = BoundingBox(minLongitude: 0, minLatitude: 0, maxLongitude: 4, maxLatitude: 4)
    let corners = [(0, 0), (0, 4), (4, 4), (4, 0)].map { FixedCoordinate(longitude: $0.0, latitude: $0.1) }
    let indices = corners.map { HilbertIndex($0, in: box).value }
    #expect(indices[0] == 0 && indices == indices.sorted() && Set(indices).count == 4)
  }

  /// Computing all levels at once gives the same result as descending through the quadrants.
  @Test func hilbertIndicesEqualTheDescent() {
    let earth = BoundingBox(minLongitude: 0, minLatitude: 0, maxLongitude: 65_535, maxLatitude: 65_535)
    var random = SeededGenerator(seed: 12)
    for _ in 0..<20_000 {
      let (x, y) = (Int32.random(in: 0...65_535, using: &random), Int32.random(in: 0...65_535, using: &random))
      let walked = walk(UInt32(x), UInt32(y))
      #expect(HilbertIndex(FixedCoordinate(longitude: x, latitude: y), in: earth).value == walked)
    }
  }

  private func walk(_ x: UInt32, _ y: UInt32) -> UInt32 {
    var (x, y, index) = (x, y, UInt32(0))
    for level in (0..<16).reversed() {
      let (right, upper) = (x >> level & 1, y >> level & 1)
      index = index << 2 | ((3 * right) ^ upper)
      if upper == 0 {
        if right == 1 { (x, y) = (65_535 - x, 65_535 - y) }
        swap(&x, &y)
      }
    }
    return index
  }

  /// Short distances are computed by functions of our own.
  @Test func sineAndArcSineEqualTheCLibrarysToTheLastBit() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<200_000 {
      let angle = Double.random(in: -1...1, using: &random) * exp2(.random(in: -40...0, using: &random))
      #expect(SmallAngle.sine(angle) == sin(angle) && SmallAngle.arcSine(angle) == asin(angle), "\(angle)")
    }
  }

  @Test func orderContainsEveryPointOnce() {
    let points = (0..<100).map { $0 % 7 == 0 ? nil : FixedCoordinate(longitude: $0 * 37 % 10, latitude: $0) }
    #expect(HilbertIndex.order(of: points).sorted() == Array(0..<100))
    #expect(HilbertIndex.order(of: [nil, nil]) == [0, 1] && HilbertIndex.order(of: []).isEmpty)
  }
}
