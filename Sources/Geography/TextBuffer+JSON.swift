/// JSON objects and lists, with the commas between their items:
///
///     text.append("{")
///     text.member("name", "Rua")
///     text.member("distance", decimal: 12_340, places: 2)
///     text.append("}")                                    // {"name":"Rua","distance":123.4}
///
/// A member without a value is left out. Names are written verbatim: those of the program need no escapes.
extension TextBuffer {
  /// Appends a comma, except at the beginning of an object or a list.
  package mutating func separate() {
    if count > 0, bytes.base[count - 1] != UInt8(ascii: "{"), bytes.base[count - 1] != UInt8(ascii: "[") { append(",") }
  }

  /// The name of a member, whose value follows.
  package mutating func key(_ name: String) {
    separate()
    append("\"")
    append(text: name)
    append("\":")
  }

  package mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    append(jsonString: value)
  }

  package mutating func member(_ name: String, orNull value: String?) {
    key(name)
    if let value { append(jsonString: value) } else { append("null") }
  }

  package mutating func member(_ name: String, _ value: Int?) {
    member(name, decimal: value.map { Int64($0) }, places: 0)
  }

  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    append(value ? "true" : "false")
  }

  /// `value` / 10^`places`.
  package mutating func member(_ name: String, decimal value: Int64?, places: Int) {
    guard let value else { return }
    key(name)
    append(decimal: value, places: places)
  }

  /// A finite number with a maximum number of decimals.
  package mutating func member(_ name: String, _ value: Double?, places: Int) {
    guard let value else { return }
    key(name)
    append(value, places: places)
  }

  package mutating func member(_ name: String, orNull value: Double?, places: Int) {
    key(name)
    if let value { append(value, places: places) } else { append("null") }
  }

  package mutating func append(_ value: Double, places: Int) {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    append(decimal: Int64((value * scale).rounded()), places: places)
  }

  /// A list of the output of `each`.
  package mutating func list<Items: Sequence>(
    _ items: Items, _ each: (inout TextBuffer, Items.Element) throws -> Void
  ) rethrows {
    append("[")
    for item in items {
      separate()
      try each(&self, item)
    }
    append("]")
  }

  /// Ends the properties of a GeoJSON Feature, and the Feature with a point.
  package mutating func endFeature(at point: FixedCoordinate) {
    append("},\"geometry\":{\"type\":\"Point\",\"coordinates\":")
    append(positions: [point])
    append("}}")
  }

  /// The same with a line.
  package mutating func endFeature(along line: Polyline) {
    append("},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[")
    append(positions: line.points)
    append("]}}")
  }
}
