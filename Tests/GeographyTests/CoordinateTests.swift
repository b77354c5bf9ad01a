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

  @Test func nearbyPointsAreCloseOnTheHilbertCurve() {
    let box = BoundingBox(minLongitude: 0, minLatitude: 0, maxLongitude: 4, maxLatitude: 4)
    let corners = [(0, 0), (0, 4), (4, 4), (4, 0)].map { FixedCoordinate(longitude: $0.0, latitude: $0.1) }
    let indices = corners.map { HilbertIndex($0, in: box).value }
    #expect(indices[0] == 0 && indices == indices.sorted() && Set(indices).count == 4)
  }
}
