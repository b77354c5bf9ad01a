import Foundation

/// Reads the features of a GeoJSON text (RFC 7946) one by one, each with its line: one bad feature spoils no other.
///
///     for feature in try GeoJSONReader(bytes) { … }
///
/// The text is cut at the features' braces; each is then decoded by Foundation.
package struct GeoJSONReader: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var at: Int
  private var line = 1
  private let decoder = JSONDecoder()

  /// A feature, or what stands where one should be.
  package struct Item {
    package var line: Int
    package var text: String
    /// Nil if the text is not a feature.
    package var feature: GeoJSONFeature?
  }

  /// Nil if the text has neither a FeatureCollection nor a Feature.
  package init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    at = 0
    let text = Data(bytes)
    if let range = text.range(of: Data("\"features\"".utf8)) {
      advance(to: range.upperBound)
      while at < bytes.count && bytes[at] != UInt8(ascii: "[") { step() }
      step()
    } else if text.range(of: Data("\"Feature\"".utf8)) == nil {
      return nil
    }
  }

  package mutating func next() -> Item? {
    while at < bytes.count && bytes[at] != UInt8(ascii: "{") {
      if bytes[at] == UInt8(ascii: "]") { return nil }
      step()
    }
    guard at < bytes.count else { return nil }
    let (start, startLine) = (at, line)
    var depth = 0
    var isText = false
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where isText: step()
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText: depth += 1
      case UInt8(ascii: "}") where !isText: depth -= 1
      default: break
      }
      step()
      if depth == 0 { break }
    }
    let text = Data(bytes[start..<Swift.min(at, bytes.count)])
    return Item(
      line: startLine, text: String(decoding: text, as: UTF8.self),
      feature: try? decoder.decode(GeoJSONFeature.self, from: text))
  }

  private mutating func step() {
    if at < bytes.count && bytes[at] == UInt8(ascii: "\n") { line += 1 }
    at += 1
  }

  private mutating func advance(to end: Int) {
    while at < end { step() }
  }
}

/// A GeoJSON Feature: points in the order longitude, latitude.
package struct GeoJSONFeature: Decodable {
  /// `Point`, `MultiPoint`, `LineString`, `Polygon`, …
  package let geometry: String
  /// The positions of a Point (one), MultiPoint or LineString; of a Polygon or MultiPolygon a point on its surface; empty
  /// for other geometries.
  package let positions: [[Double]]
  package let properties: [String: String]
  package let id: String?
  /// Its number among others, where it has no id.
  package let number: Int?

  /// A feature of another format.
  package init(_ shape: Shape, properties: [String: String], number: Int) {
    (geometry, positions, self.properties) = (shape.type, shape.positions, properties)
    (id, self.number) = (nil, number)
  }

  private enum Keys: String, CodingKey { case type, id, geometry, properties, coordinates }

  package init(from decoder: any Decoder) throws {
    let feature = try decoder.container(keyedBy: Keys.self)
    guard try feature.decode(String.self, forKey: .type) == "Feature" else {
      throw DecodingError.dataCorruptedError(forKey: .type, in: feature, debugDescription: "no Feature")
    }
    let shape = try feature.nestedContainer(keyedBy: Keys.self, forKey: .geometry)
    geometry = try shape.decode(String.self, forKey: .type)
    switch geometry {
    case "Point": positions = [try shape.decode([Double].self, forKey: .coordinates)]
    case "MultiPoint", "LineString": positions = try shape.decode([[Double]].self, forKey: .coordinates)
    case "Polygon":
      let rings = try shape.decode([[[Double]]].self, forKey: .coordinates)
      positions = Shape.surfacePoint(ofPolygons: [rings]).map { [$0] } ?? []
    case "MultiPolygon":
      let polygons = try shape.decode([[[[Double]]]].self, forKey: .coordinates)
      positions = Shape.surfacePoint(ofPolygons: polygons).map { [$0] } ?? []
    default: positions = []
    }
    number = nil
    id = try? feature.decode(PlainText.self, forKey: .id).text
    let values = (try? feature.decode([String: PlainText?].self, forKey: .properties)) ?? [:]
    properties = values.compactMapValues { $0?.text }
  }

  /// A string, or a number or Boolean as text; nil for lists and objects.
  private struct PlainText: Decodable {
    let text: String?
    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self.text = text
      } else if let number = try? value.decode(Int64.self) {
        text = String(number)
      } else if let number = try? value.decode(Double.self) {
        text = String(number)
      } else if let bool = try? value.decode(Bool.self) {
        text = String(bool)
      } else {
        text = nil
      }
    }
  }
}
