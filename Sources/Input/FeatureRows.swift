import Foundation
import Geography

extension RowProblem {
  /// Returns the reason why text is not a valid GeoJSON feature.
  fileprivate static func ofFeature(_ text: Data) -> RowProblem {
    guard let value = try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed) else {
      return RowProblem("invalid JSON: \(RowProblem.excerpt(String(decoding: text, as: UTF8.self)))")
    }
    guard let feature = value as? [String: Any], feature["type"] as? String == "Feature" else {
      let type = (value as? [String: Any]).map { "an object of type \(json($0["type"]))" } ?? json(value)
      return RowProblem("got \(type) among the features, expected a Feature")
    }
    guard let geometry = feature["geometry"] as? [String: Any], geometry["type"] is String else {
      return RowProblem("the feature has no geometry")
    }
    guard geometry["coordinates"] != nil else { return RowProblem("the geometry has no coordinates") }
    let got = firstNonNumber(in: geometry["coordinates"]).map(json) ?? json(geometry["coordinates"])
    return RowProblem(
      "coordinates: got \(got), expected numbers, longitude first, as in a \(json(geometry["type"]))")
  }

  /// Returns the reason why tables cannot store the strings of a feature; nil if they can. The decoder accepts invalid
  /// UTF-8 and NUL, and drops strings with half of a surrogate pair.
  fileprivate static func ofStrings(in text: Data) -> RowProblem? {
    guard String(validating: text, as: UTF8.self) != nil else { return RowProblem("not UTF-8 text") }
    func codeUnit(_ bytes: Data) -> UInt16? {
      guard bytes.count >= 6, bytes.starts(with: "\\u".utf8) else { return nil }
      return UInt16(String(decoding: bytes.dropFirst(2).prefix(4), as: UTF8.self), radix: 16)
    }
    guard text.withUnsafeBytes({ $0.contains(UInt8(ascii: "\\")) }) else { return nil }
    var rest = text
    while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
      rest = rest[escape...]
      let unit = codeUnit(rest)
      if unit == 0 { return RowProblem("got a NUL, \\u0000, expected text") }
      guard let unit, UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit) else {
        rest = rest.dropFirst(2)
        continue
      }
      guard UTF16.isLeadSurrogate(unit), codeUnit(rest.dropFirst(6)).map(UTF16.isTrailSurrogate) == true else {
        let half = String(decoding: rest.prefix(6), as: UTF8.self)
        return RowProblem("got half of a character, \(half), expected both surrogates, the high one first")
      }
      rest = rest.dropFirst(12)
    }
    return nil
  }

  /// Returns the first coordinate that is not a number; nil if all are.
  private static func firstNonNumber(in value: Any?) -> Any? {
    if let list = value as? [Any] { return list.lazy.compactMap(firstNonNumber).first }
    return value is NSNumber ? nil : value
  }

  /// Returns a value as JSON, truncated.
  private static func json(_ value: Any?) -> String {
    guard let value, let data = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed) else {
      return "none"
    }
    return RowProblem.excerpt(String(decoding: data, as: UTF8.self))
  }
}

extension JSONDecoder {
  /// Returns a feature. *Throws*: the reason why it is invalid.
  func feature<Feature: Decodable>(from text: Data) throws(RowProblem) -> Feature {
    if let problem = RowProblem.ofStrings(in: text) { throw problem }
    guard let feature = try? decode(Feature.self, from: text) else { throw RowProblem.ofFeature(text) }
    return feature
  }
}

/// The features of a GeoJSON file as rows, numbered from 1; an invalid one does not affect the others.
///
///     let features = try FeatureRows("zones.geojson")
///     while let row = try features.next(.own) { row.content }
package final class FeatureRows {
  private let splitter: FeatureSplitter
  private let decoder = JSONDecoder()

  /// Returns whether a file with these first bytes is JSON rather than CSV.
  package static func isJSON(_ start: [UInt8]) -> Bool {
    let text = start.lazy.filter { $0 > 0x20 }.prefix(2)
    return text.first == UInt8(ascii: "{") || text.elementsEqual("[{".utf8)
  }

  /// *Throws*: `OdometerError` if there are no features.
  init(_ path: String) throws { splitter = try FeatureSplitter(path) }

  /// Returns the next feature; nil at the end. *Throws*: `OdometerError`.
  func next(_ ids: FeatureIDs) throws -> InputRow<GeoJSONFeature>? {
    guard let text = try splitter.feature() else { return nil }
    let content = Result { () throws(RowProblem) -> GeoJSONFeature in try decoder.feature(from: text) }
    let id =
      switch content {
      case .success(let feature): ids.id(feature.properties, own: feature.id, number: feature.number)
      case .failure: ids.id(ofInvalid: text)
      }
    return InputRow(
      line: splitter.count, id: id, content: content, source: .text(String(decoding: text, as: UTF8.self)))
  }
}
