import Geography

/// The features of a GeoJSON file as rows.
struct FeatureRows: Sequence, IteratorProtocol {
  private var features: GeoJSONReader

  /// Whether a file's content is JSON rather than a CSV.
  static func isJSON(_ bytes: [UInt8]) -> Bool { bytes.first { $0 > 0x20 } == UInt8(ascii: "{") }

  /// *Throws*: `InputError` where there are no features.
  init(_ bytes: [UInt8], file: String) throws {
    guard let features = GeoJSONReader(bytes) else {
      throw InputError(file: file, problem: "got JSON without features, expected a GeoJSON FeatureCollection")
    }
    self.features = features
  }

  mutating func next() -> InputRow<GeoJSONFeature>? {
    features.next().map { item in
      InputRow(
        line: item.line,
        content: item.feature.map { .success($0) }
          ?? .failure(RowProblem("not a GeoJSON Feature with a geometry")),
        source: .text(item.text))
    }
  }
}
