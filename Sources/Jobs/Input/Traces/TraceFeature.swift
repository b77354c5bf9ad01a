/// A GeoJSON feature as a trace, or a fix of one: lines with a time per position, or a point with its time.
struct TraceFeature: Decodable {
  /// The positions of each line; of a Point one.
  let lines: [[[Double]]]
  let isPoint: Bool
  /// Times of positions, line by line, where the properties have them.
  let times: [[Value?]]?
  /// Texts and numbers, by their names in lower case.
  let properties: [String: Value]
  let id: String?

  /// A text or a number of JSON.
  enum Value: Decodable {
    case text(String)
    case number(Double)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else {
        self = .number(try value.decode(Double.self))
      }
    }

    var text: String {
      switch self {
      case .text(let text): text
      case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
      }
    }
  }

  private enum Keys: String, CodingKey { case type, id, geometry, properties, coordinates }

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let feature = try decoder.container(keyedBy: Keys.self)
    guard try feature.decode(String.self, forKey: .type) == "Feature" else {
      throw DecodingError.dataCorruptedError(forKey: .type, in: feature, debugDescription: "no Feature")
    }
    let shape = try feature.nestedContainer(keyedBy: Keys.self, forKey: .geometry)
    let type = try shape.decode(String.self, forKey: .type)
    isPoint = type == "Point"
    switch type {
    case "Point": lines = [[try shape.decode([Double].self, forKey: .coordinates)]]
    case "LineString": lines = [try shape.decode([[Double]].self, forKey: .coordinates)]
    case "MultiLineString": lines = try shape.decode([[[Double]]].self, forKey: .coordinates)
    default: lines = []
    }
    id = (try? feature.decode(Value.self, forKey: .id))?.text
    let container = try? feature.nestedContainer(keyedBy: Name.self, forKey: .properties)
    var properties: [String: Value] = [:]
    for key in container?.allKeys ?? [] {
      if let value = try? container?.decode(Value.self, forKey: key) {
        properties[key.stringValue.lowercased()] = value
      }
    }
    self.properties = properties
    times = container.flatMap(TraceFeature.times)
  }

  /// As `coordTimes` or `times`, also within `coordinateProperties`: a list, or a list per line.
  private static func times(_ properties: KeyedDecodingContainer<Name>) -> [[Value?]]? {
    let nested = try? properties.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: "coordinateProperties"))
    for container in [properties, nested].compactMap(\.self) {
      for name in ["coordTimes", "times"].map(Name.init) {
        if let times = try? container.decode([Value?].self, forKey: name) { return [times] }
        if let times = try? container.decode([[Value?]].self, forKey: name) { return times }
      }
    }
    return nil
  }
}
