import Geography
import Results

/// The features of a GeoPackage's table as rows.
struct GeoPackageRows {
  private let table: FeatureTable
  private let isID: (String) -> Bool

  /// Nil where the file is not a database. *Throws*: `ResultsError`.
  ///
  /// - Parameter isID: Whether a column says ids: a table without any is called by its rows' numbers.
  init?(_ path: String, isID: @escaping (String) -> Bool) throws {
    guard let table = try FeatureTable(path) else { return nil }
    (self.table, self.isID) = (table, isID)
  }

  /// The next one; nil where there is none. *Throws*: `ResultsError`.
  func next() throws -> InputRow<GeoJSONFeature>? {
    try table.next().map { row in
      InputRow(line: row.number, content: feature(of: row), source: .text(GeoPackageRows.text(of: row)))
    }
  }

  /// Its properties, for whoever looks for it.
  private static func text(of row: FeatureTable.Row) -> String {
    row.properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }

  private func feature(of row: FeatureTable.Row) -> Result<GeoJSONFeature, RowProblem> {
    guard let geometry = row.geometry else { return .failure(RowProblem("the feature has no geometry")) }
    guard let shape = Shape(wkb: geometry) else { return .failure(RowProblem("the geometry cannot be read")) }
    let number = row.columns.contains(where: isID) ? nil : row.number
    return .success(GeoJSONFeature(shape, properties: row.properties, number: number))
  }
}
