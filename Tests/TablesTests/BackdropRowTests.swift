import Foundation
import Geography
import Tables
import TestMaps
import Testing

struct BackdropRowTests {
  /// Random names and lines, with all characters that must be escaped in JSON strings.
  @Test func decodesNamesAndLines() throws {
    var random = SeededGenerator(seed: 3)
    let letters = Array(#"ab "\</é道,\\""#)
    for _ in 0..<200 {
      let features = (0..<4).map { _ -> (name: String, lines: [[FixedCoordinate]]) in
        let name = String((0..<6).map { _ in letters.randomElement(using: &random)! })
        let lines = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          (0..<Int.random(in: 1...5, using: &random)).map { _ in
            FixedCoordinate(
              longitude: Int32.random(in: -18_000_000...18_000_000, using: &random) * 100,
              latitude: Int32.random(in: -9_000_000...9_000_000, using: &random) * 100)
          }
        }
        return (name, lines)
      }
      let texts = features.flatMap { [$0.name, EncodedPolyline.text(of: $0.lines)] }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      let json = String(String(decoding: try encoder.encode(texts), as: UTF8.self).dropFirst().dropLast())
      let row = BackdropRow(
        layer: "place", kind: "city", minZoom: 5, box: .empty, features: json.replacing("<", with: "\\u003c"))
      #expect(row.shapes == features.map(\.lines))
      #expect(row.places.map(\.name) == features.map(\.name))
      #expect(row.places.map(\.point) == features.map { $0.lines[0][0] })
    }
  }

  @Test func emptyFeaturesHaveNoShapesOrPlaces() {
    let row = BackdropRow(layer: "street", kind: "path", minZoom: 0, box: .empty, features: "")
    #expect(row.shapes.isEmpty && row.places.isEmpty)
  }
}
