import Foundation
import Geography

/// The features of a GeoJSON file as rows, counted from 1: one that is bad spoils no other.
///
///     let features = try FeatureRows("zones.geojson")
///     while let row = try features.next() { row.content }
final class FeatureRows {
  private let texts: FeatureTexts
  private let decoder = JSONDecoder()

  /// Whether a file that begins so is JSON rather than a CSV.
  static func isJSON(_ start: [UInt8]) -> Bool { start.first { $0 > 0x20 } == UInt8(ascii: "{") }

  /// *Throws*: `InputError` where there are no features.
  init(_ path: String) throws { texts = try FeatureTexts(path) }

  /// The next feature; nil where there is none. *Throws*: `InputError`.
  func next() throws -> InputRow<GeoJSONFeature>? {
    guard let text = try texts.feature() else { return nil }
    // The decoder takes any bytes for letters.
    let string = String(validating: text, as: UTF8.self)
    let feature = string == nil ? nil : try? decoder.decode(GeoJSONFeature.self, from: text)
    return InputRow(
      line: texts.count, content: feature.map { .success($0) } ?? .failure(FeatureProblem.row(text)),
      source: .text(string ?? String(decoding: text, as: UTF8.self)))
  }
}
