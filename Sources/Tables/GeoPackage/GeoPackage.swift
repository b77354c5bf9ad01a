import Geography

/// Makes a results database a valid GeoPackage (OGC 12-128r18, version 1.3), which QGIS, ogr2ogr and geopandas open
/// directly. Its layers are tables or views with a number `fid` and a geometry `geom` in WGS 84.
package enum GeoPackage {
  /// The geometry type of a layer.
  package enum GeometryType: String, Sendable {
    case point = "POINT"
    case lineString = "LINESTRING"
    case multiPolygon = "MULTIPOLYGON"
  }

  /// A table or view with geometries.
  package struct Layer: Sendable {
    package let table: String
    package let geometry: GeometryType
    package let description: String
    /// Whether the layer has an R-tree; views cannot have one.
    package var isIndexed = true
    /// The bounding box of a layer without an R-tree; nil to compute it.
    package var extent: BoundingBox?

    package init(
      table: String, geometry: GeometryType, description: String, isIndexed: Bool = true, extent: BoundingBox? = nil
    ) {
      (self.table, self.geometry, self.description) = (table, geometry, description)
      (self.isIndexed, self.extent) = (isIndexed, extent)
    }

    package static let places = Layer(
      table: PlaceRow.table.name, geometry: .point, description: "Places as in the input")
  }

  /// The statements that precede the first table: the application ID "GPKG" and the version.
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

  // The standard requires the date of the last change, which is constant here, so that every run has identical results.
  private static let insertContents = """
    INSERT INTO gpkg_contents VALUES (?,'features',?,?,'1970-01-01T00:00:00.000Z',?,?,?,?,4326)
    """
  private static let insertColumn = "INSERT INTO gpkg_geometry_columns VALUES (?,'geom',?,4326,0,0)"
  private static let insertExtension = """
    INSERT INTO gpkg_extensions VALUES
      (?,'geom','gpkg_rtree_index','http://www.geopackage.org/spec120/#extension_rtree','write-only')
    """

  /// Registers a layer whose rows are complete, and builds its R-tree.
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
    var tree = PackedRTree<Shape>(capacity: try database.value("SELECT coalesce(max(fid), 0) FROM \(layer.table)"))
    try forEachBox(of: layer.table, in: database) { tree.append($0, $1) }
    try register(layer, extent: tree.extent, in: database)
    try database.prepare(insertExtension).execute(layer.table)
    try tree.write(to: "rtree_\(layer.table)_geom", in: database)
    try database.execute(triggers(of: layer.table))
  }

  /// Returns the bounding box of all geometries of a table or view.
  package static func extent(of table: String, in database: SQLite) throws -> BoundingBox {
    var extent = BoundingBox.empty
    try forEachBox(of: table, in: database) { extent.formUnion($1) }
    return extent
  }

  /// Visits each row's number and the bounding box of its geometry, if any, in row order.
  private static func forEachBox(of table: String, in database: SQLite, _ body: (Int64, BoundingBox) -> Void) throws {
    // The part of each geometry that holds its position: a whole point, or the header of another geometry.
    let rows = try database.prepare(
      "SELECT fid, substr(geom, 1, 40) AS head FROM \(table) WHERE geom NOT NULL ORDER BY fid")
    let (fid, head) = (try rows.index(of: "fid"), try rows.index(of: "head"))
    while try rows.next() {
      let (row, geometry): (Int, GeometryBlob) = (try rows.value(at: fid), try rows.value(at: head))
      if let box = geometry.box { body(Int64(row), box) }
    }
  }

  /// Registers a layer's name, extent and geometry type.
  private static func register(_ layer: Layer, extent: BoundingBox, in database: SQLite) throws {
    let contents = try database.prepare(insertContents)
    contents.bind(layer.table)
    contents.bind(layer.table)
    contents.bind(layer.description)
    for edge in [extent.minLongitude, extent.minLatitude, extent.maxLongitude, extent.maxLatitude] {
      contents.bind(extent.isEmpty ? Double?.none : Double(edge) / 1e7)
    }
    try contents.execute()
    try database.prepare(insertColumn).execute(layer.table, layer.geometry.rawValue)
  }

  /// Returns the standard's triggers, with which other programs keep an R-tree up to date.
  private static func triggers(of table: String) -> String {
    let tree = "rtree_\(table)_geom"
    let values = """
      INSERT OR REPLACE INTO "\(tree)" VALUES
        (NEW."fid", ST_MinX(NEW."geom"), ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom"));
      """
    let hasGeometry = "NEW.\"geom\" NOT NULL AND NOT ST_IsEmpty(NEW.\"geom\")"
    let hasNoGeometry = "(NEW.\"geom\" ISNULL OR ST_IsEmpty(NEW.\"geom\"))"
    let remove = "DELETE FROM \"\(tree)\" WHERE id = OLD.\"fid\";"
    return """
      CREATE TRIGGER "\(tree)_insert" AFTER INSERT ON "\(table)" WHEN (\(hasGeometry)) BEGIN \(values) END;
      CREATE TRIGGER "\(tree)_update1" AFTER UPDATE OF "geom" ON "\(table)"
        WHEN OLD."fid" = NEW."fid" AND (\(hasGeometry)) BEGIN \(values) END;
      CREATE TRIGGER "\(tree)_update2" AFTER UPDATE OF "geom" ON "\(table)"
        WHEN OLD."fid" = NEW."fid" AND \(hasNoGeometry) BEGIN \(remove) END;
      CREATE TRIGGER "\(tree)_update3" AFTER UPDATE ON "\(table)"
        WHEN OLD."fid" != NEW."fid" AND (\(hasGeometry)) BEGIN \(remove) \(values) END;
      CREATE TRIGGER "\(tree)_update4" AFTER UPDATE ON "\(table)"
        WHEN OLD."fid" != NEW."fid" AND \(hasNoGeometry)
        BEGIN DELETE FROM "\(tree)" WHERE id IN (OLD."fid", NEW."fid"); END;
      CREATE TRIGGER "\(tree)_delete" AFTER DELETE ON "\(table)" WHEN OLD."geom" NOT NULL BEGIN \(remove) END;
      """
  }
}

extension GeoPackage {
  /// The tables of the extension that describes columns ("schema", OGC 12-128r18 annex F.9).
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

  // The standard only covers features, tiles, and tables with row numbers; other descriptions need a custom extension.
  private static let insertTable = """
    INSERT INTO gpkg_extensions
    SELECT ?1, NULL, 'odometer_table', 'Odometer, docs/results.md', 'write-only'
    WHERE ?1 NOT IN (SELECT table_name FROM gpkg_contents)
      AND ?1 NOT IN (SELECT coalesce(table_name, '') FROM gpkg_extensions WHERE extension_name = 'odometer_table')
    """
  private static let insertColumns = """
    INSERT OR REPLACE INTO gpkg_data_columns (table_name, column_name, description)
    SELECT ?1, name, ?3 FROM pragma_table_xinfo(?1) WHERE name = ?2
    """

  /// Registers the descriptions of the columns of existing tables and views. Tables and views without geometries are
  /// not listed in the GeoPackage's contents: if some were, GDAL would hide all unlisted ones, and not every view may
  /// be listed.
  package static func describe(_ tables: [TableDescription], in database: SQLite) throws {
    let extend = try database.prepare(insertTable)
    let describe = try database.prepare(insertColumns)
    for table in tables where try database.hasTable(table.name) {
      try extend.execute(table.name)
      for column in table.columns { try describe.execute(table.name, column.name, column.note) }
    }
  }
}

/// An R-tree of many boxes, built in bulk along a Hilbert curve with full nodes (I. Kamel, C. Faloutsos 1993).
///
/// It is written into the tables of SQLite's R-tree module, which then reads and updates it like any other; inserting a
/// million boxes one by one takes twenty times as long. Uses 24 bytes per point and 32 per other shape.
struct PackedRTree<Shape: RTreeShape> {
  /// Row numbers in ascending order, each with its shape.
  private var rows: [UInt32] = []
  private var shapes: [Shape] = []
  /// The bounding box of all shapes.
  package private(set) var extent = BoundingBox.empty

  /// A row, or a node of the level below, with its box.
  private struct Cell {
    var key: Int64
    var box: BoundingBox
  }

  /// SQLite's limits: cells per node, and bytes per node.
  private static var nodeCells: Int { 51 }
  private static var nodeBytes: Int { 4 + nodeCells * 24 }

  package init(capacity: Int) {
    rows.reserveCapacity(capacity)
    shapes.reserveCapacity(capacity)
  }

  /// Adds a row after the existing ones.
  package mutating func append(_ row: Int64, _ box: BoundingBox) {
    precondition(
      row > Int64(rows.last ?? 0) && row <= Int64(UInt32.max), "rows of an R-tree are ascending 32-bit numbers")
    rows.append(UInt32(row))
    shapes.append(Shape(box))
    extent.formUnion(box)
  }

  /// Creates the R-tree `name` with columns id, minx, maxx, miny, maxy.
  package func write(to name: String, in database: SQLite) throws {
    try database.execute("CREATE VIRTUAL TABLE \"\(name)\" USING rtree(id, minx, maxx, miny, maxy);")
    guard !rows.isEmpty else { return }
    try database.execute("DELETE FROM \"\(name)_node\"")
    let insertNode = try database.prepare("INSERT INTO \"\(name)_node\" VALUES (?,?)")
    let insertRow = try database.prepare("INSERT INTO \"\(name)_rowid\" VALUES (?,?)")
    let insertParent = try database.prepare("INSERT INTO \"\(name)_parent\" VALUES (?,?)")

    // Level by level from the rows up; the last node is the root, with number 1.
    var next: Int64 = 2
    func writeLevel(
      _ depth: Int, of count: Int, cell: (Int) -> Cell, record: (Int, Cell, Int64) throws -> Void
    ) throws -> [Cell] {
      let isRoot = count <= Self.nodeCells
      return try stride(from: 0, to: count, by: Self.nodeCells).map { start in
        let part = (start..<min(start + Self.nodeCells, count)).map(cell)
        let node = isRoot ? 1 : next
        next += 1
        insertNode.bind(node)
        insertNode.bind(blob: bytes(of: part, depth: isRoot ? depth : 0))
        try insertNode.execute()
        for (offset, cell) in part.enumerated() { try record(start + offset, cell, node) }
        return Cell(key: node, box: part.reduce(into: .empty) { $0.formUnion($1.box) })
      }
    }
    func writeRows(_ nodes: inout [UInt32]) throws -> [Cell] {
      let order = order()
      func index(_ position: Int) -> Int { Int(order[position] & 0xFFFF_FFFF) }
      return try writeLevel(0, of: order.count) { position in
        Cell(key: Int64(rows[index(position)]), box: shapes[index(position)].box)
      } record: { position, _, node in
        nodes[index(position)] = UInt32(node)
      }
    }
    var nodes = [UInt32](repeating: 0, count: rows.count)
    var (depth, level) = (0, try writeRows(&nodes))
    while level.count > 1 {
      let cells = level
      depth += 1
      level = try writeLevel(depth, of: cells.count) {
        cells[$0]
      } record: {
        try insert($1.key, $2, insertParent)
      }
    }
    // In row order, so that SQLite appends instead of searching.
    for (row, node) in zip(rows, nodes) { try insert(Int64(row), Int64(node), insertRow) }
  }

  /// Returns entries sorted along the curve: the high half of each number is the position on the curve, the low half
  /// the entry's index.
  private func order() -> [UInt64] {
    precondition(rows.count <= Int(UInt32.max), "an R-tree of more than 2^32 rows")
    var order: [UInt64] = []
    order.reserveCapacity(rows.count)
    for (index, shape) in shapes.enumerated() {
      order.append(UInt64(HilbertIndex(shape.box.centre, in: extent).value) << 32 | UInt64(index))
    }
    order.sort()
    return order
  }

  private func insert(_ key: Int64, _ node: Int64, _ statement: SQLite.Statement) throws {
    statement.bind(key)
    statement.bind(node)
    try statement.execute()
  }

  /// Returns a node in SQLite's format: its depth if it is the root, the number of cells, the cells; big-endian.
  private func bytes(of cells: [Cell], depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.nodeBytes)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    append(UInt16(depth))
    append(UInt16(cells.count))
    for cell in cells {
      append(cell.key)
      append(roundedDown(cell.box.minLongitude).bitPattern)
      append(roundedUp(cell.box.maxLongitude).bitPattern)
      append(roundedDown(cell.box.minLatitude).bitPattern)
      append(roundedUp(cell.box.maxLatitude).bitPattern)
    }
    return bytes + [UInt8](repeating: 0, count: Self.nodeBytes - bytes.count)
  }

  /// Returns degrees as a 32-bit number, rounded down.
  private func roundedDown(_ fixed: Int32) -> Float {
    let degrees = Double(fixed) / 1e7
    let rounded = Float(degrees)
    return Double(rounded) > degrees ? rounded.nextDown : rounded
  }

  private func roundedUp(_ fixed: Int32) -> Float {
    let degrees = Double(fixed) / 1e7
    let rounded = Float(degrees)
    return Double(rounded) < degrees ? rounded.nextUp : rounded
  }
}

/// An R-tree entry in memory: a box, or a point in half the space.
package protocol RTreeShape: BitwiseCopyable {
  /// - Parameter box: For points, the point's box.
  init(_ box: BoundingBox)
  var box: BoundingBox { get }
}

extension BoundingBox: RTreeShape {
  package init(_ box: BoundingBox) { self = box }
  package var box: BoundingBox { self }
}

extension FixedCoordinate: RTreeShape {
  package init(_ box: BoundingBox) { self.init(longitude: box.minLongitude, latitude: box.minLatitude) }
  package var box: BoundingBox { BoundingBox(around: CollectionOfOne(self)) }
}
