import Foundation
import Jobs
import TestMaps

/// Valid input in formats that cannot be written by hand.
extension FuzzTarget {
  /// A GeoPackage with two rows, one of them without a geometry.
  static let features: Data? = try? {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write("", to: "zones.gpkg")
    let point =
      "47500001e6100000" + "0101000000" + "000000000000f03f" + "0000000000000040"
    _ = try TestDatabase(path).list(
      """
      PRAGMA page_size = 512;
      CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);
      CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
      CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER);
      INSERT INTO gpkg_spatial_ref_sys VALUES (4326, 'epsg', 4326);
      INSERT INTO gpkg_contents VALUES ('zones', 'features');
      INSERT INTO gpkg_geometry_columns VALUES ('zones', 'geom', 4326);
      CREATE TABLE zones (fid INTEGER PRIMARY KEY, geom BLOB, zone_id INTEGER, name TEXT, jobs REAL);
      INSERT INTO zones VALUES (1, x'\(point)', 7, 'Cais', 2.5), (2, NULL, 8, NULL, NULL);
      """)
    return scratch.bytes("zones.gpkg")
  }()

  /// The results of a matrix of two places.
  static let matrix = Result {
    let scratch = try Scratch(
      TestMap("a-b").way("ab"), ["places.csv": "id,lon,lat\na,0,0\nb,0.0009,0\n"], job: "")
    let job =
      "{ kind: 'matrix', map: '\(scratch.path("map.opl"))', transportType: 'walking', output: '\(scratch.path("out"))', "
      + "origins: '\(scratch.path("places.csv"))' }"
    try scratch.write(job, to: "job.json5")
    var options = RunOptions()
    options.isQuiet = true
    _ = try JobRun(Job(path: scratch.path("job.json5")), options).run()
    return scratch.path("out/results.sqlite")
  }

  /// Arrays of the matrix's times in NumPy format: floats, and integers in column-major order.
  static let arrays: [Data] = [("<f4", "False"), ("<i2", "True")].map { type, order in
    let about = "{'descr': '\(type)', 'fortran_order': \(order), 'shape': (2, 2), }\n"
    let head = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(about.utf8.count), 0] + Array(about.utf8)
    return Data(head + [UInt8](repeating: 0, count: type == "<f4" ? 16 : 8))
  }

  /// A table of two gzip members and padding.
  static let members: Data? = try? {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n1,24.9,60.1,24.8,60.2\n", to: "a")
    try scratch.write("2,24.9,60.1,24.8,60.2\n", to: "b")
    try Run("/usr/bin/env", ["gzip", "a", "b"], in: scratch.folder)
    return scratch.bytes("a.gz") + scratch.bytes("b.gz") + Data(count: 20)
  }()
}
