/// The reason why a column file is rejected; its description completes a sentence.
package enum InvalidColumnFile: Error {
  /// A file of another kind, perhaps an OpenStreetMap extract.
  case foreign(String, isExtract: Bool)
  case version(Int, expected: Int)
  case byteOrder
  case otherOrigin(String)
  case corrupt
  case missingColumn(String)
  /// A column has invalid values.
  case invalid(String)
}

extension InvalidColumnFile: CustomStringConvertible {
  package var description: String {
    switch self {
    case .foreign(let name, let isExtract):
      isExtract ? "is an extract of OpenStreetMap, not a \(name) file" : "is not a \(name) file"
    case .version(let found, let expected): "was written in format \(found), this version reads \(expected)"
    case .byteOrder: "was written on a machine with a different byte order"
    case .otherOrigin(let other): "belongs to \(other)"
    case .corrupt: "is corrupt or truncated"
    case .missingColumn(let column): "lacks the column \(column)"
    case .invalid(let column): "has invalid values in the column \(column)"
    }
  }
}

/// Map formats, recognized by their first bytes.
enum MapFormat {
  static func isPBF(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count > 15 && bytes[6..<15].elementsEqual("OSMHeader".utf8)
  }
}
