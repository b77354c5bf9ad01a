import Geography

/// What makes a results database a GeoPackage, too (OGC 12-128r18, version 1.3): QGIS, ogr2ogr and geopandas open it as
/// it is. Its layers are tables or views that have a number `fid` and a geometry `geom` in WGS 84.
package enum GeoPackage {
  /// What a column of geometries has.
  package enum GeometryType: String, Sendable {
    case point = "POINT"
    case lineString = "LINESTRING"
    case multiPolygon = "MULTIPOLYGON"
  }

  /// A table or view of geometries.
  package struct Layer: Sendable {
    package let table: String
    package let geometry: GeometryType
    package let description: String
    /// Whether it has an R-tree: views cannot.
    package var isIndexed = true
    /// Around all of it, of one without an R-tree; nil to look for that.
    package var extent: BoundingBox?

    package init(
      table: String, geometry: GeometryType, description: String, isIndexed: Bool = true, extent: BoundingBox? = nil
    ) {
      (self.table, self.geometry, self.description) = (table, geometry, description)
      (self.isIndexed, self.extent) = (isIndexed, extent)
    }

    package static let places = Layer(
      table: PlaceRow.table.name, geometry: .point, description: "Places as the input has them")
  }

  /// Before the first table: "GPKG", and the version.
  package static let header = "PRAGMA application_id = 1196444487; PRAGMA user_version = 10300;"

  package static let tables = """
    CREATE TABLE gpkg_spatial_ref_sys (
      srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
      organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES
      ('Undefined cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined cartesian coordinate reference system'),
      ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system'),
      ('WGS 84 geodetic', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,\
    298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],\
    UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],\
    AUTHORITY["EPSG","4326"]]', 'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid');
    CREATE TABLE gpkg_contents (
      table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
      last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
      CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_geometry_columns (
      table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL,
      z TINYINT NOT NULL, m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name),
      CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_extensions (
      table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL, scope TEXT NOT NULL,
      CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));
    """

  // The standard wants a date of the last change; a constant one, for results are the same every night.
  private static let insertContents = """
    INSERT INTO gpkg_contents VALUES (?,'features',?,?,'1970-01-01T00:00:00.000Z',?,?,?,?,4326)
    """
  private static let insertColumn = "INSERT INTO gpkg_geometry_columns VALUES (?,'geom',?,4326,0,0)"
  private static let insertExtension = """
    INSERT INTO gpkg_extensions VALUES
      (?,'geom','gpkg_rtree_index','http://www.geopackage.org/spec120/#extension_rtree','write-only')
    """

  /// Enters a layer whose rows are all there, and makes its R-tree.
  package static func register(_ layer: Layer, in database: SQLite) throws {
    guard layer.isIndexed else {
      return try register(layer, extent: layer.extent ?? extent(of: layer.table, in: database), in: database)
    }
    switch layer.geometry {
    case .point: try registerIndexed(layer, by: FixedCoordinate.self, in: database)
    case .lineString, .multiPolygon: try registerIndexed(layer, by: BoundingBox.self, in: database)
    }
  }

  private static func registerIndexed<Shape: RTreeShape>(
    _ layer: Layer, by shape: Shape.Type, in database: SQLite
  ) throws {
    var tree = PackedRTree<Shape>(
      capacity: try database.value("SELECT coalesce(max(fid), 0) FROM \(layer.table)"))
    try forEachBox(of: layer.table, in: database) { tree.append($0, $1) }
    try register(layer, extent: tree.extent, in: database)
    let index = try database.prepare(insertExtension)
    index.bind(layer.table)
    try index.execute()
    try tree.write(to: "rtree_\(layer.table)_geom", in: database)
    try database.execute(triggers(of: layer.table))
  }

  /// The box around all geometries of a table or view.
  package static func extent(of table: String, in database: SQLite) throws -> BoundingBox {
    var extent = BoundingBox.empty
    try forEachBox(of: table, in: database) { extent.formUnion($1) }
    return extent
  }

  /// Each row's number and the box of its geometry, if it has one, in the order of the rows.
  private static func forEachBox(of table: String, in database: SQLite, _ body: (Int64, BoundingBox) -> Void) throws {
    // Of each geometry what says where it is: a point whole, of others the head.
    let rows = try database.prepare(
      "SELECT fid, substr(geom, 1, 40) AS head FROM \(table) WHERE geom NOT NULL ORDER BY fid")
    let (fid, head) = (try rows.index(of: "fid"), try rows.index(of: "head"))
    while try rows.next() {
      let (row, geometry): (Int, GeometryBlob) = (try rows.value(at: fid), try rows.value(at: head))
      if let box = geometry.box { body(Int64(row), box) }
    }
  }

  /// Enters a layer's name, extent and kind of geometry.
  private static func register(_ layer: Layer, extent: BoundingBox, in database: SQLite) throws {
    let contents = try database.prepare(insertContents)
    contents.bind(layer.table)
    contents.bind(layer.table)
    contents.bind(layer.description)
    for edge in [extent.minLongitude, extent.minLatitude, extent.maxLongitude, extent.maxLatitude] {
      contents.bind(extent.isEmpty ? Double?.none : Double(edge) / 1e7)
    }
    try contents.execute()
    let column = try database.prepare(insertColumn)
    column.bind(layer.table)
    column.bind(layer.geometry.rawValue)
    try column.execute()
  }

  /// The triggers by which programs that know geometries keep an R-tree up to date, as the standard has them.
  private static func triggers(of table: String) -> String {
    let tree = "rtree_\(table)_geom"
    let values = """
      INSERT OR REPLACE INTO "\(tree)" VALUES
        (NEW."fid", ST_MinX(NEW."geom"), ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom"));
      """
    let isThere = "NEW.\"geom\" NOT NULL AND NOT ST_IsEmpty(NEW.\"geom\")"
    let isMissing = "(NEW.\"geom\" ISNULL OR ST_IsEmpty(NEW.\"geom\"))"
    let remove = "DELETE FROM \"\(tree)\" WHERE id = OLD.\"fid\";"
    return """
      CREATE TRIGGER "\(tree)_insert" AFTER INSERT ON "\(table)" WHEN (\(isThere)) BEGIN \(values) END;
      CREATE TRIGGER "\(tree)_update1" AFTER UPDATE OF "geom" ON "\(table)"
        WHEN OLD."fid" = NEW."fid" AND (\(isThere)) BEGIN \(values) END;
      CREATE TRIGGER "\(tree)_update2" AFTER UPDATE OF "geom" ON "\(table)"
        WHEN OLD."fid" = NEW."fid" AND \(isMissing) BEGIN \(remove) END;
      CREATE TRIGGER "\(tree)_update3" AFTER UPDATE ON "\(table)"
        WHEN OLD."fid" != NEW."fid" AND (\(isThere)) BEGIN \(remove) \(values) END;
      CREATE TRIGGER "\(tree)_update4" AFTER UPDATE ON "\(table)"
        WHEN OLD."fid" != NEW."fid" AND \(isMissing)
        BEGIN DELETE FROM "\(tree)" WHERE id IN (OLD."fid", NEW."fid"); END;
      CREATE TRIGGER "\(tree)_delete" AFTER DELETE ON "\(table)" WHEN OLD."geom" NOT NULL BEGIN \(remove) END;
      """
  }
}
