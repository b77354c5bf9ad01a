import Geography
import Tables

extension ResultsDatabase {
  /// What maps are drawn upon, the rows that are drawn from afar first.
  package func backdrop() throws -> [BackdropRow] { try database.backdrop() }
}

extension SQLite {
  /// The rows of table `backdrop`.
  func backdrop() throws -> [BackdropRow] {
    try rows("SELECT layer, class, min_zoom, features FROM backdrop ORDER BY fid") { row in
      BackdropRow(
        layer: try row["layer"], kind: try row["class"], minZoom: try row["min_zoom"], box: .empty,
        features: try row["features"])
    }
  }
}
