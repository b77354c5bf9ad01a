import TestMaps
import Testing

import Geography

struct EncodedPolylineTests {
  /// The example in the format's documentation.
  @Test func linesAreEncodedAsSpecified() {
    let line = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)].map {
      FixedCoordinate(Coordinate(latitude: $0.0, longitude: $0.1))
    }
    #expect(EncodedPolyline.text(of: [line]) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
    #expect(EncodedPolyline.text(of: [line, line]) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@ _p~iF~ps|U_ulLnnqC_mqNvxq`@")
    #expect(EncodedPolyline.lines(of: "_p~iF~ps|U_ulLnnqC_mqNvxq`@") == [line])
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func decodedLinesAreWithinAMetre(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lines = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      (0..<Int.random(in: 1...20, using: &random)).map { _ in
        FixedCoordinate(
          longitude: Int32.random(in: -1_800_000_000...1_800_000_000, using: &random),
          latitude: Int32.random(in: -900_000_000...900_000_000, using: &random))
      }
    }
    let found = EncodedPolyline.lines(of: EncodedPolyline.text(of: lines))
    #expect(found.map(\.count) == lines.map(\.count))
    for (a, b) in zip(found.joined(), lines.joined()) {
      #expect(abs(a.longitude - b.longitude) <= 50 && abs(a.latitude - b.latitude) <= 50)
    }
  }

  @Test(arguments: ["\u{1}", "é", "~~~~~~~~~~~~?", "_p~iF", "~~~~~^~~~~~^"])
  func invalidTextHasNoPoints(text: String) {
    #expect(EncodedPolyline.lines(of: text).joined().isEmpty)
  }
}
