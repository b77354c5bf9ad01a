import Geography
import Testing

/// Seas around drawn land. Coordinates are hundredths of a degree; the map extends from 0 to 20 on both axes, in four
/// squares.
struct SeaAreasTests {
  private func line(_ points: [(Double, Double)]) -> [FixedCoordinate] {
    points.map { FixedCoordinate(longitude: Int32($0.0 * 100_000), latitude: Int32($0.1 * 100_000)) }
  }

  private func ring(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [FixedCoordinate] {
    line([(west, south), (east, south), (east, north), (west, north), (west, south)])
  }

  private func sea(_ coast: [[FixedCoordinate]], streets: [(Double, Double)] = []) -> SeaAreas {
    SeaAreas(coast: coast, around: BoundingBox(around: ring(0, 0, 20, 20)), streets: line(streets))
  }

  @Test func landIsToTheLeftOfTheCoast() {
    let sea = sea([line([(-9, 12), (30, 12)])])
    #expect(sea.has(5, 11) && sea.has(15, 1) && !sea.has(5, 13) && !sea.has(15, 19))
    #expect(sea.brokenCoast.isEmpty)
  }

  @Test func surroundsAnIsland() {
    let sea = sea([ring(4, 4, 16, 16)])
    #expect(sea.has(2, 2) && sea.has(18, 10) && sea.has(10, 18))
    #expect(!sea.has(5, 5) && !sea.has(15, 5) && !sea.has(10.5, 10.5))
  }

  @Test func surroundsAnIslandWithinOneSquare() {
    let sea = sea([ring(4, 4, 6, 6)])
    #expect(sea.has(2, 2) && sea.has(8, 5) && !sea.has(5, 5))
  }

  /// A clockwise coastline has water inside.
  @Test func fillsTheInsideOfClockwiseCoasts() {
    let sea = sea([ring(4, 4, 6, 6).reversed()])
    #expect(sea.has(5, 5) && !sea.has(3, 5) && !sea.has(15, 15))
  }

  /// There is no gap at the border between squares.
  @Test func acceptsACoastAlongTheBorderOfSquares() {
    let sea = sea([line([(-9, 10), (30, 10)])])
    #expect(sea.has(5, 9) && !sea.has(5, 11))
  }

  @Test func continuesIntoSquaresWithoutACoast() {
    let sea = sea([ring(2, 2, 4, 4)])
    #expect(sea.has(15, 5) && sea.has(5, 15) && sea.has(15, 15))
  }

  @Test func doesNotContinueIntoSquaresOfLand() {
    let sea = sea([ring(2, 2, 4, 4)], streets: [(15, 5)])
    #expect(sea.has(8, 5) && !sea.has(15, 5) && sea.has(5, 15))
  }

  @Test func brokenCoastsDoNotFloodLand() {
    let sea = sea([line([(2, 3), (8, 3)])])
    #expect(sea.areas.isEmpty && sea.brokenCoast.count == 1)
  }

  /// The other squares keep their sea.
  @Test func brokenSquaresHaveNoSea() {
    let sea = sea([line([(-9, 5), (14, 5)]), line([(17, 5), (30, 5)])])
    #expect(sea.has(5, 4) && !sea.has(5, 6) && !sea.has(15, 4) && !sea.has(15, 6))
    #expect(!sea.brokenCoast.isEmpty)
  }

  /// Extracts end at their bounding boxes, where ways are cut.
  @Test func extendsACoastThatEndsAtTheEdge() {
    let sea = sea([line([(0.1, 5), (10, 6), (19.9, 5)])])
    #expect(sea.has(10, 3) && sea.has(1, 3) && sea.has(19, 3) && !sea.has(10, 8))
    #expect(sea.brokenCoast.isEmpty)
  }

  /// The sea reaches up a river to the corner of the extract. If extended straight outward, one bank to the north and
  /// the other to the east, the banks would cross.
  @Test func joinsTheBanksOfACutRiver() {
    let banks = [line([(19.85, 19.9), (15, 5), (-9, 5)]), line([(-9, 6), (13, 6), (19.6, 19.5)])]
    let sea = sea(banks)
    #expect(sea.brokenCoast.isEmpty)
    #expect(sea.has(5, 5.5) && sea.has(18, 15) && !sea.has(18, 5) && !sea.has(5, 15) && !sea.has(21, 15))
  }

  /// The edge of the sea remains out of view however the map is panned.
  @Test func continuesBeyondTheExtract() {
    let sea = sea([line([(-9, 12), (30, 12)])])
    #expect(sea.has(5, -30) && sea.has(-30, 5) && sea.has(45, 11.9) && sea.has(-30, -30))
    #expect(!sea.has(5, 50) && !sea.has(-30, 12.1) && !sea.has(45, 30))
  }

  @Test func squaresFarFromIslandsAreMerged() {
    let box = BoundingBox(around: ring(0, 0, 100, 100))
    let sea = SeaAreas(coast: [ring(2, 2, 4, 4)], around: box, streets: [])
    #expect(sea.has(95, 95) && sea.has(50, 95) && sea.has(99, 1) && sea.areas.count < 20)
  }

  /// The coast near a town may be missing except for an islet; a bridge has a shore on both sides.
  @Test func seaDoesNotFloodManyStreets() {
    let streets = (0..<30).map { (6 + Double($0) / 10, 8.0) }
    #expect(!sea([ring(2, 2, 3, 3)], streets: streets).has(8, 8))
    #expect(sea([ring(2, 2, 3, 3)], streets: Array(streets[..<9])).has(8, 8))
    #expect(sea([ring(2, 2, 7, 9)], streets: streets).has(8, 8))
  }

  @Test func thereIsNoSeaWithoutACoast() { #expect(sea([]).areas.isEmpty) }

  /// Islands with random corners that do not overlap: everything outside them is sea.
  @Test func coversEverythingExceptIslands() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let islands = (0..<16).map { index -> [FixedCoordinate] in
        let (x, y) = (Double(index % 4) * 5, Double(index / 4) * 5)
        func near(_ value: Double) -> Double { value + Double.random(in: 0.1...1.8, using: &random) }
        return ring(near(x), near(y), near(x + 2.5), near(y + 2.5))
      }
      let sea = sea(islands)
      let places = (0..<100).map { _ in
        (Double.random(in: 0...20, using: &random), Double.random(in: 0...20, using: &random))
      }
      #expect(places.allSatisfy { x, y in sea.has(x, y) != islands.contains { isInside(x, y, [$0]) } })
    }
  }
}

extension SeaAreas {
  fileprivate func has(_ x: Double, _ y: Double) -> Bool { areas.contains { isInside(x, y, $0) } }
}

/// Returns whether a place lies within an odd number of rings.
private func isInside(_ x: Double, _ y: Double, _ rings: [[FixedCoordinate]]) -> Bool {
  let (x, y) = (x * 100_000, y * 100_000)
  var isInside = false
  for ring in rings {
    for (a, b) in zip(ring, ring.dropFirst()) where (Double(a.latitude) > y) != (Double(b.latitude) > y) {
      let along = (y - Double(a.latitude)) / (Double(b.latitude) - Double(a.latitude))
      if x < Double(a.longitude) + along * (Double(b.longitude) - Double(a.longitude)) { isInside.toggle() }
    }
  }
  return isInside
}
