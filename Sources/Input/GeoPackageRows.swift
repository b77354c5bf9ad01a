import Geography
import Tables

/// The features of a GeoPackage's table as rows.
struct GeoPackageRows {
  let table: FeatureTable
  private let path: String

  /// Notes about the rows so far.
  var notes: [String] { table.hasInvalidUTF8 ? [InputText.note(on: path)] : [] }

  /// Nil if the file is not a database. *Throws*: `ResultsError`.
  init?(_ path: String) throws {
    guard let table = try FeatureTable(path) else { return nil }
    (self.table, self.path) = (table, path)
  }

  /// Returns the next row; nil at the end. *Throws*: `ResultsError`.
  func next(_ ids: FeatureIDs) throws -> InputRow<GeoJSONFeature>? {
    try table.next().map { row in
      let text = GeoPackageRows.text(of: row)
      // Tables cannot store NUL.
      guard !text.utf8.contains(0) else {
        return InputRow(
          line: row.number, content: .failure(RowProblem("got a NUL, expected text")),
          source: .text(text.replacing("\0", with: "\\0")))
      }
      return InputRow(
        line: row.number, id: ids.id(row.properties, own: nil, number: row.number), content: feature(of: row),
        source: .text(text))
    }
  }

  /// Returns the properties of a row, for display.
  private static func text(of row: FeatureTable.Row) -> String {
    row.properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }

  /// Returns the reason for rejecting a geometry.
  private static func problem(_ wkb: [UInt8]) -> RowProblem {
    let curves = [8: "CircularString", 9: "CompoundCurve", 10: "CurvePolygon", 11: "MultiCurve", 12: "MultiSurface"]
    guard wkb.count >= 5 else { return RowProblem("the geometry cannot be read") }
    let code = (wkb[0] == 0 ? Array(wkb[1...4]) : wkb[1...4].reversed()).reduce(0) { $0 << 8 | Int($1) }
    // ISO codes have thousands added for heights and measures.
    let type = code & 0xFFF_FFFF
    if type % 1000 == 7 { return RowProblem("got a GeometryCollection, expected a point, a line or a polygon") }
    guard let curve = curves[type % 1000] else { return RowProblem("the geometry cannot be read") }
    return RowProblem("got a \(curve), which has arcs; ogr2ogr -nlt CONVERT_TO_LINEAR replaces them with lines")
  }

  private func feature(of row: FeatureTable.Row) -> Result<GeoJSONFeature, RowProblem> {
    guard let geometry = row.geometry else { return .failure(RowProblem("the feature has no geometry")) }
    guard let shape = Shape(wkb: geometry) else { return .failure(GeoPackageRows.problem(geometry)) }
    return .success(GeoJSONFeature(shape, properties: row.properties, number: row.number))
  }
}
