extension GeoPackage {
  /// Tables of the extension that describes columns ("schema", OGC 12-128r18 annex F.9).
  package static let columnTables = """
    CREATE TABLE gpkg_data_columns (
      table_name TEXT NOT NULL, column_name TEXT NOT NULL, name TEXT, title TEXT, description TEXT, mime_type TEXT,
      constraint_name TEXT, CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name),
      CONSTRAINT gdc_tn UNIQUE (table_name, name));
    CREATE TABLE gpkg_data_column_constraints (
      constraint_name TEXT NOT NULL, constraint_type TEXT NOT NULL, value TEXT, min NUMERIC, min_is_inclusive BOOLEAN,
      max NUMERIC, max_is_inclusive BOOLEAN, description TEXT,
      CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value));
    INSERT INTO gpkg_extensions VALUES
      ('gpkg_data_columns',NULL,'gpkg_schema','http://www.geopackage.org/spec121/#extension_schema','read-write'),
      ('gpkg_data_column_constraints',NULL,'gpkg_schema','http://www.geopackage.org/spec121/#extension_schema',
       'read-write');
    """

  // The standard knows but features and tiles, and tables whose rows have numbers; what else is described must be
  // somebody's extension.
  private static let insertExtension = """
    INSERT INTO gpkg_extensions
    SELECT ?1, NULL, 'odometer_table', 'Odometer, docs/results.md', 'write-only'
    WHERE ?1 NOT IN (SELECT table_name FROM gpkg_contents)
      AND ?1 NOT IN (SELECT coalesce(table_name, '') FROM gpkg_extensions WHERE extension_name = 'odometer_table')
    """
  private static let insertColumns = """
    INSERT OR REPLACE INTO gpkg_data_columns (table_name, column_name, description)
    SELECT ?1, name, ?3 FROM pragma_table_xinfo(?1) WHERE name = ?2
    """

  /// Enters what the columns of tables and views mean, of those that the database has. Those without geometries do not
  /// become contents of the GeoPackage: GDAL would hide all tables that are none, and not every view may be one.
  package static func describe(_ tables: [TableDescription], in database: SQLite) throws {
    let extend = try database.prepare(insertExtension)
    let describe = try database.prepare(insertColumns)
    for table in tables where try database.hasTable(table.name) {
      extend.bind(table.name)
      try extend.execute()
      for column in table.columns {
        describe.bind(table.name)
        describe.bind(column.name)
        describe.bind(column.note)
        try describe.execute()
      }
    }
  }
}
