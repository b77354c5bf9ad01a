import Foundation

/// A GeoJSON Feature. Positions are in the order longitude, latitude.
package struct GeoJSONFeature: Decodable {
  /// `Point`, `MultiPoint`, `LineString`, `Polygon`, …
  package let geometry: String
  /// The positions of a Point (one), MultiPoint, LineString or MultiLineString of one line; a point on the surface of a
  /// Polygon or MultiPolygon; empty for other geometries.
  package let positions: [[Double]]
  /// The rings of a Polygon or MultiPolygon, outer rings and holes; empty for others.
  package let rings: [[[Double]]]
  package let properties: [String: String]
  /// Placeholders for other properties: `[…]` for an array, `{…}` for an object, `inf` for a number that is too large.
  package let placeholders: [String: String]
  package let id: String?
  /// The row's primary key, for formats with tables.
  package let number: Int?

  /// Returns the value of a property, ignoring the case of its name; nil if missing.
  package func text(_ name: String) -> String? {
    if let text = properties[name] { return text.isBlank ? nil : text }
    let other = properties.keys.filter { $0.caseInsensitiveCompare(name) == .orderedSame }.min()
    return other.flatMap { properties[$0] }.flatMap { $0.isBlank ? nil : $0 }
  }

  /// Returns the text of a property that is expected to be a number, or its placeholder; empty if missing.
  package func numberText(_ name: String) -> String { properties[name] ?? placeholders[name] ?? "" }

  /// Creates a feature from a shape in another format.
  package init(_ shape: Shape, properties: [String: String], number: Int?) {
    (geometry, positions, rings, self.properties) = (shape.type, shape.positions, shape.rings, properties)
    (placeholders, id, self.number) = ([:], nil, number)
  }

  private enum Keys: String, CodingKey { case type, id, geometry, properties, coordinates }

  package init(from decoder: any Decoder) throws {
    let feature = try decoder.container(keyedBy: Keys.self)
    guard try feature.decode(String.self, forKey: .type) == "Feature" else {
      throw DecodingError.dataCorruptedError(forKey: .type, in: feature, debugDescription: "not a Feature")
    }
    let shape = try feature.nestedContainer(keyedBy: Keys.self, forKey: .geometry)
    geometry = try shape.decode(String.self, forKey: .type)
    let polygons: [[[[Double]]]] =
      switch geometry {
      case "Polygon": [try shape.decode([[[Double]]].self, forKey: .coordinates)]
      case "MultiPolygon": try shape.decode([[[[Double]]]].self, forKey: .coordinates)
      default: []
      }
    rings = polygons.flatMap(\.self)
    switch geometry {
    case "Point": positions = [try shape.decode([Double].self, forKey: .coordinates)]
    case "MultiPoint", "LineString": positions = try shape.decode([[Double]].self, forKey: .coordinates)
    case "MultiLineString":
      let lines = try shape.decode([[[Double]]].self, forKey: .coordinates)
      positions = lines.count == 1 ? lines[0] : []
    case "Polygon", "MultiPolygon": positions = Shape.surfacePoint(ofPolygons: polygons).map { [$0] } ?? []
    default: positions = []
    }
    number = nil
    let attributes = try Attributes(from: decoder)
    (id, properties, placeholders) = (attributes.id, attributes.properties, attributes.placeholders)
  }

  /// The id and properties of a Feature whose geometry may be invalid.
  package struct Attributes: Decodable {
    package let id: String?
    package let properties: [String: String]
    let placeholders: [String: String]

    package init(from decoder: any Decoder) throws {
      let feature = try decoder.container(keyedBy: Keys.self)
      id = (try? feature.decodeIfPresent(PlainText.self, forKey: .id)?.text).flatMap { $0.isBlank ? nil : $0 }
      let values = (try? feature.decode([String: PlainText?].self, forKey: .properties)) ?? [:]
      properties = values.compactMapValues { $0?.text }
      placeholders = values.compactMapValues { $0?.placeholder }
    }
  }

  /// A string, number or Boolean as text, or else a placeholder.
  private struct PlainText: Decodable {
    var text: String?
    var placeholder: String?
    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self.text = text.trimmed
      } else if let number = try? value.decodeNumberText() {
        text = number
      } else if let bool = try? value.decode(Bool.self) {
        text = String(bool)
      } else if (try? decoder.unkeyedContainer()) != nil {
        placeholder = "[…]"
      } else if (try? decoder.container(keyedBy: Keys.self)) != nil {
        placeholder = "{…}"
      } else {
        placeholder = "inf"
      }
    }
  }
}

extension SingleValueDecodingContainer {
  /// Decodes a number as text. A whole number keeps its digits, up to 38 of them, since it may be an id.
  package func decodeNumberText() throws -> String {
    let number = try decode(Double.self)
    let whole = number.magnitude < 0x1p53 ? nil : try? decode(Int128.self)
    return whole.map { String($0) } ?? number.plainText
  }
}

extension Double {
  /// The number as text, without a decimal point if it is whole.
  package var plainText: String { Int64(exactly: self).map { String($0) } ?? String(self) }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
