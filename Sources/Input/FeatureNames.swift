import Foundation
import Geography

/// The property names of a GeoJSON file in order of first appearance, and whether Features have ids.
struct FeatureNames {
  private(set) var properties: [String] = []
  private var known: Set<String> = []
  /// Whether any Feature has an id, and whether every id is its Feature's index in the file, from 0.
  private var (hasIDs, idsAreIndices) = (false, true)

  /// Whether the Features' own ids identify them.
  var hasOwnIDs: Bool { hasIDs && !idsAreIndices }

  /// *Throws*: `OdometerError`.
  init(_ path: String) throws {
    let splitter = try FeatureSplitter(path)
    while let text = try splitter.feature() { add([UInt8](text), index: splitter.count - 1) }
  }

  private mutating func add(_ bytes: [UInt8], index: Int) {
    var (at, depth, inProperties, key) = (0, 0, false, "")
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth == 2 { inProperties = key == "properties" && byte == UInt8(ascii: "{") }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 1 { inProperties = false }
      case UInt8(ascii: "\""):
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        let text = bytes[min(start, bytes.count)..<min(at, bytes.count)]
        at += 1
        guard depth == 1 || depth == 2 && inProperties else { continue }
        let isKey = bytes[min(at, bytes.count)...].first { $0 > 0x20 } == UInt8(ascii: ":")
        if isKey, depth == 1 {
          key = FeatureNames.string(text)
          if key == "id", let id = FeatureNames.scalar(bytes[min(at, bytes.count)...]) {
            hasIDs = true
            if id != String(index) { idsAreIndices = false }
          }
        } else if isKey, case let name = FeatureNames.string(text), known.insert(name).inserted {
          properties.append(name)
        }
      default: break
      }
    }
  }

  /// Returns the content of a JSON string.
  private static func string(_ bytes: ArraySlice<UInt8>) -> String {
    let plain = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "\\")) else { return plain }
    return (try? JSONDecoder().decode(String.self, from: Data("\"\(plain)\"".utf8))) ?? plain
  }

  /// Returns the string or number after a colon as text; nil for null, a list, an object or no value.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> String? {
    let value = bytes.drop { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
    if value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[") { return nil }
    let text =
      value.first == UInt8(ascii: "\"")
      ? string(value.dropFirst().prefix { $0 != UInt8(ascii: "\"") })
      : String(
        decoding: value.prefix { $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }, as: UTF8.self)
    return text == "null" || text.allSatisfy(\.isWhitespace) ? nil : text
  }
}

/// The source of the ids of a file's features.
enum FeatureIDs {
  case property(String)
  /// The Features' own ids.
  case own
  /// The Feature's number in the file, from 1.
  case number

  func id(_ properties: [String: String], own: String?, number: Int?) -> String? {
    switch self {
    case .property(let name): properties[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    case .own: own
    case .number: number.map(String.init)
    }
  }

  /// Returns the id of a feature whose geometry or text is invalid.
  func id(ofInvalid text: Data) -> String? {
    let feature = try? JSONDecoder().decode(GeoJSONFeature.Attributes.self, from: text)
    let id = id(feature?.properties ?? [:], own: feature?.id, number: nil)
    // Tables cannot store NUL.
    return id?.contains("\0") == true ? nil : id
  }
}
