import Testing

import Geography

/// Lines joined as a person would draw them. One unit is about 11 m.
struct StrokesTests {
  private func line(_ points: (Int32, Int32)...) -> [FixedCoordinate] {
    points.map { FixedCoordinate(longitude: $0.0 * 1000, latitude: $0.1 * 1000) }
  }

  @Test func crossingStreetsAreTwoLines() {
    let arms = [line((0, 0), (1, 0)), line((0, 0), (-1, 0)), line((0, 1), (0, 0)), line((0, -1), (0, 0))]
    let strokes = Strokes(arms).joined()
    #expect(strokes.count == 2 && strokes.allSatisfy { $0.count == 3 })
  }

  @Test func splitsLinesAtSharpBends() {
    #expect(Strokes([line((0, 0), (1, 0)), line((1, 0), (1, 1))]).joined().count == 2)
  }

  @Test func coversEveryLineOnce() {
    let ring = (0..<8).map { index -> [FixedCoordinate] in
      let corners: [(Int32, Int32)] = [(3, 0), (2, 2), (0, 3), (-2, 2), (-3, 0), (-2, -2), (0, -3), (2, -2)]
      return line(corners[index], corners[(index + 1) % 8])
    }
    let loop = line((9, 9), (10, 9), (9, 9))
    let strokes = Strokes(ring + [loop]).joined()
    #expect(strokes.map(\.count).sorted() == [3, 9])
  }
}
