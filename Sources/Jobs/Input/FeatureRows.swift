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
    let content: Result<GeoJSONFeature, RowProblem>
    do {
      content = .success(try decoder.decode(GeoJSONFeature.self, from: text))
    } catch {
      content = .failure(FeatureProblem.row(text))
    }
    return InputRow(line: texts.count, content: content, source: .text(String(decoding: text, as: UTF8.self)))
  }
}
