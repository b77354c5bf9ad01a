import Geography
import Results

/// The features of a GeoPackage's table as rows.
struct GeoPackageRows {
  private let table: FeatureTable
  private let file: String

  /// Nil where the file is not a database. *Throws*: `ResultsError`.
  init?(_ path: String) throws {
    guard let table = try FeatureTable(path) else { return nil }
    (self.table, file) = (table, path)
  }

  /// All of them. *Throws*: `ResultsError`.
  func rows() throws -> [InputRow<GeoJSONFeature>] {
    var rows: [InputRow<GeoJSONFeature>] = []
    while let row = try table.next() {
      rows.append(
        InputRow(line: row.number, content: feature(of: row), source: .text("\(file), feature \(row.number)")))
    }
    return rows
  }

  private func feature(of row: FeatureTable.Row) -> Result<GeoJSONFeature, RowProblem> {
    guard let geometry = row.geometry else { return .failure(RowProblem("the feature has no geometry")) }
    guard let shape = Shape(wkb: geometry) else { return .failure(RowProblem("the geometry cannot be read")) }
    return .success(GeoJSONFeature(shape, properties: row.properties, number: row.number))
  }
}
