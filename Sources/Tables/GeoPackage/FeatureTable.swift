import Foundation
import Geography

/// A table of features in a GeoPackage, possibly written by another program; read row by row.
///
///     let table = try FeatureTable("zones.gpkg|layername=zones")
///     while let row = try table.next() { row.properties["zone_id"] }
package final class FeatureTable {
  private let rows: SQLite.Statement
  private let geometry: String
  /// The column with row numbers; nil for views.
  package let numberColumn: String?
  /// All columns in order, except the geometry and the row number.
  package let columns: [String]
  private var count = 0
  /// Whether any text was not UTF-8; such text is read as Windows-1252.
  package private(set) var hasInvalidUTF8 = false

  package struct Row {
    /// The row's number in the table.
    package var number: Int
    /// Well-known binary; nil if there is no geometry, empty if it is not a GeoPackage geometry.
    package var geometry: [UInt8]?
    /// The values of all text and number columns except the row number, by column name.
    package var properties: [String: String]
  }

  /// QGIS's separator between a file and one of its tables.
  private static let separator = "|layername="

  /// Returns the file part of a path that may also name a table.
  package static func file(of path: String) -> String { path.components(separatedBy: separator)[0] }

  /// Returns the table in a path, with its separator; empty if there is none.
  package static func suffix(of path: String) -> String { String(path.dropFirst(file(of: path).count)) }

  /// Opens the table named in `path`, or the file's only table; nil if the file is not a database. *Throws*:
  /// `ResultsError`.
  package init?(_ path: String) throws {
    let file = FeatureTable.file(of: path)
    guard FileManager.irregularity(of: file) == nil, let start = FileHandle(forReadingAtPath: file),
      let head = try? start.read(upToCount: 20), head.starts(with: Data("SQLite format 3\0".utf8))
    else { return nil }
    func failure(_ problem: String) -> ResultsError { ResultsError(path: file, problem: problem, cause: .input) }
    // Rows in another program's write-ahead log are not in the file whose digest identifies the input.
    if let waiting = FileManager.size(of: file + "-wal"), waiting > 0 {
      throw failure("the GeoPackage is open in another program, with changes in \(file)-wal; close it there first")
    }
    // If a journal is kept after its transaction, its header is overwritten with zeros.
    if let journal = FileHandle(forReadingAtPath: file + "-journal"), let byte = try? journal.read(upToCount: 1),
      byte.first ?? 0 != 0
    {
      throw failure(
        "another program is writing the GeoPackage, or was interrupted; open it there to roll back \(file)-journal")
    }
    // SQLite would create files next to a GeoPackage in WAL mode, which is version 2 of the format.
    let database = try SQLite(path: file, .reading, isImmutable: head.count == 20 && head[18] == 2)
    try database.execute("PRAGMA trusted_schema = OFF")
    guard try database.hasTable("gpkg_contents"), try database.hasTable("gpkg_geometry_columns") else {
      throw failure("this is a database, but not a GeoPackage")
    }
    let tables = try database.rows(
      "SELECT table_name FROM gpkg_contents WHERE data_type = 'features' ORDER BY table_name"
    ) { try $0["table_name"] as String }
    let named = FeatureTable.suffix(of: path).dropFirst(FeatureTable.separator.count)
    let list = tables.joined(separator: ", ")
    guard !tables.isEmpty else { throw failure("the GeoPackage has no table of features") }
    guard named.isEmpty || tables.contains(String(named)) else {
      throw failure("the GeoPackage has no table \(named) of features, expected one of \(list)")
    }
    guard !named.isEmpty || tables.count == 1 else {
      throw failure("the GeoPackage has the tables \(list); name one: \(file)\(FeatureTable.separator)\(tables[0])")
    }
    let table = named.isEmpty ? tables[0] : String(named)
    let systems = try database.rows(
      """
      SELECT column_name, coalesce(upper(organization) || ':' || organization_coordsys_id, 'an unknown system') AS system
      FROM gpkg_geometry_columns AS columns LEFT JOIN gpkg_spatial_ref_sys AS systems USING (srs_id)
      WHERE columns.table_name = ?
      """, table
    ) { (try $0["column_name"] as String, try $0["system"] as String) }
    guard let (geometry, system) = systems.first else { throw failure("table \(table) has no geometries") }
    guard ["EPSG:4326", "OGC:84", "OGC:CRS84"].contains(system) else {
      // Systems 0 and -1 are undefined.
      let option = system.hasPrefix("NONE:") || system == "an unknown system" ? "-s_srs ITS_SYSTEM " : ""
      throw failure(
        "table \(table) is in \(system), expected EPSG:4326 (degrees, WGS 84); convert it: "
          + "ogr2ogr \(option)-t_srs EPSG:4326 wgs84.gpkg \(file.shellWord) \(table.shellWord)")
    }
    self.geometry = geometry
    let quoted = "\"\(table.replacing("\"", with: "\"\""))\""
    let keys = try database.rows("SELECT name FROM pragma_table_info(?) WHERE pk = 1", table) {
      try $0["name"] as String
    }
    numberColumn = keys.first
    let order = keys.first.map { " ORDER BY \"\($0.replacing("\"", with: "\"\""))\"" } ?? ""
    rows = try database.prepare("SELECT * FROM \(quoted)\(order)")
    columns = rows.names.filter { $0 != geometry && $0 != keys.first }
  }

  /// Returns the next row; nil at the end. *Throws*: `ResultsError`.
  package func next() throws -> Row? {
    guard try rows.next() else { return nil }
    count += 1
    var row = Row(number: count, geometry: nil, properties: [:])
    for (name, index) in zip(rows.names, Int32(0)...) where !rows.isNull(at: index) {
      if name == geometry {
        row.geometry = rows.blob(at: index).map(FeatureTable.binary) ?? []
      } else if name == numberColumn, let number = rows.integer(at: index) {
        row.number = Int(number)
      } else if let number = rows.integer(at: index) {
        row.properties[name] = String(number)
      } else if let number = rows.double(at: index) {
        row.properties[name] = number.plainText
      } else if let text = rows.withText(at: index, { (String(input: $0), String(validating: $0, as: UTF8.self)) }) {
        row.properties[name] = text.0.trimmed
        if text.1 == nil { hasInvalidUTF8 = true }
      }
    }
    return row
  }

  /// Returns the well-known binary that follows the header of a GeoPackage geometry; empty if invalid.
  private static func binary(_ blob: [UInt8]) -> [UInt8] {
    guard blob.count > 8, blob.starts(with: Array("GP".utf8)) else { return [] }
    // The size in bytes of each kind of box: none, two dimensions, three (twice), four.
    let boxes = [0, 32, 48, 48, 64]
    let kind = Int(blob[3] >> 1 & 7)
    guard kind < boxes.count, blob.count > 8 + boxes[kind] else { return [] }
    return Array(blob[(8 + boxes[kind])...])
  }
}

extension String {
  /// The text as one word of a shell command, quoted if necessary.
  package var shellWord: String {
    let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "/._-+:=@,%".contains($0) }
    return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
