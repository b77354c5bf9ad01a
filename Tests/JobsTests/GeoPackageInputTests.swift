import Foundation
import Input
import Tables
import TestMaps
import Testing

import Jobs

/// GeoPackages as input: tables of places and of pairs.
struct GeoPackageInputTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Returns well-known binary with a byte order, a type and numbers, after a GeoPackage header with an envelope.
  /// - Parameter multi: The type of a collection with this geometry alone.
  private func blob(
    _ type: UInt32, _ counts: [UInt32] = [], _ numbers: [Double], in multi: UInt32? = nil
  ) -> String {
    func hex(_ value: some BitwiseCopyable) -> String {
      withUnsafeBytes(of: value) { $0.map { String(format: "%02x", $0) }.joined() }
    }
    let head = "4750" + "00" + "03" + hex(UInt32(4326)) + String(repeating: hex(0.0), count: 4)
    let start = multi.map { "01\(hex($0))\(hex(UInt32(1)))" } ?? ""
    return "x'\(head)\(start)01\(hex(type))\(counts.map(hex).joined())\(numbers.map(hex).joined())'"
  }

  private func write(_ tables: [String], system: Int = 4326, rows: String = "") throws -> String {
    let path = try scratch.write("", to: "zones.gpkg")
    let declared = tables.map {
      """
      CREATE TABLE "\($0)" (fid INTEGER PRIMARY KEY, geom BLOB, zone_id REAL, name TEXT, jobs REAL);
      INSERT INTO gpkg_contents VALUES ('\($0)', 'features');
      INSERT INTO gpkg_geometry_columns VALUES ('\($0)', 'geom', 1);
      """
    }
    _ = try TestDatabase(path).list(
      """
      CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);
      CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
      CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER);
      INSERT INTO gpkg_spatial_ref_sys VALUES (1, 'epsg', \(system));
      \(declared.joined(separator: "\n"))
      \(rows)
      """)
    return path
  }

  private func error(_ path: String) -> String {
    let error = #expect(throws: ResultsError.self) { try PlaceTable(path: path, role: .origin) }
    return error?.problem.replacing(scratch.folder + "/", with: "") ?? ""
  }

  @Test func readsPointsAndAreasAsPlaces() throws {
    defer { scratch.remove() }
    let square = blob(3, [1, 5], [0, 0, 4, 0, 4, 4, 0, 4, 0, 0])
    let path = try write(
      ["zones"],
      rows: "INSERT INTO zones VALUES (7, \(blob(1, [], [1, 2])), 70, 'A', 2.5), (9, \(square), 90, NULL, 3), "
        + "(10, NULL, 1, NULL, 1), (11, x'4750', 1, NULL, 1)")
    let table = try PlaceTable(path: path, role: .origin)
    #expect(table.places.map(\.id) == [.number(70), .number(90)] && table.places.map(\.name) == ["A", nil])
    #expect(table.places[0].coordinate.longitude == 10_000_000 && table.places[1].coordinate.longitude == 20_000_000)
    #expect(table.weights.map(\.name) == ["jobs"] && table.weights[0].values == [2.5, 3])
    #expect(table.rejected.map(\.reason) == ["the feature has no geometry", "the geometry cannot be read"])
    #expect(table.rejected.map(\.line) == [10, 11])
  }

  @Test func createsNoFilesNextToAGeoPackageInWALMode() throws {
    defer { scratch.remove() }
    let path = try write(["zones"], rows: "INSERT INTO zones VALUES (1, \(blob(1, [], [1, 2])), 1, 'A', 2)")
    _ = try TestDatabase(path).list("PRAGMA journal_mode = WAL")
    let odd = scratch.path("50% of #1?.gpkg")
    try FileManager.default.moveItem(atPath: path, toPath: odd)
    let table = try PlaceTable(path: odd, role: .origin)
    #expect(table.places.map(\.name) == ["A"] && scratch.files == ["50% of #1?.gpkg"])
  }

  @Test func readsAndReportsWindows1252() throws {
    defer { scratch.remove() }
    let path = try write(
      ["zones"], rows: "INSERT INTO zones VALUES (1, \(blob(1, [], [1, 2])), 1, CAST(x'4BE4' AS TEXT), 2)")
    let table = try PlaceTable(path: path, role: .origin)
    #expect(table.places.map(\.name) == ["Kä"])
    #expect(table.notes.contains { $0.hasSuffix("not UTF-8, read as Windows-1252") })
  }

  @Test func findsWeightsAndIDsByColumnName() throws {
    defer { scratch.remove() }
    let point = blob(1, [], [1, 2])
    let path = try write(
      ["zones"],
      rows: """
        ALTER TABLE zones ADD COLUMN asians REAL; ALTER TABLE zones ADD COLUMN people REAL;
        ALTER TABLE zones ADD COLUMN males REAL; INSERT INTO zones VALUES (4, \(point), 7, 'A', NULL, 1, 5, 2)
        """)
    let table = try PlaceTable(path: path, role: .origin)
    #expect(table.places.map(\.weight) == [5] && table.places.map(\.id) == [.number(7)])
    let named = try PlaceTable(path: path, role: .origin, keys: PlaceKeys(id: "fid", weights: ["males"]))
    #expect(named.places.map(\.weight) == [2] && named.places.map(\.id) == [.number(4)])
  }

  @Test func thePrimaryKeyIsAColumn() throws {
    defer { scratch.remove() }
    let path = try write(
      ["zones"],
      rows: "ALTER TABLE zones RENAME fid TO id; INSERT INTO zones VALUES (4, \(blob(1, [], [1, 2])), 7, 'A', 2)")
    #expect(try PlaceTable(path: path, role: .origin).places.map(\.id) == [.number(4)])
    #expect(try PlaceTable(path: path, role: .origin, idNoun: "zoneid").places.map(\.id) == [.number(7)])
  }

  @Test func spacesAroundTextAreIgnored() throws {
    defer { scratch.remove() }
    let path = try write(
      ["zones"],
      rows: "ALTER TABLE zones ADD people TEXT; ALTER TABLE zones ADD code TEXT; "
        + "INSERT INTO zones VALUES (1, \(blob(1, [], [1, 2])), NULL, ' A ', NULL, ' 2', 'x  ')")
    let table = try PlaceTable(path: path, role: .origin, keys: PlaceKeys(id: "code"))
    #expect(table.places.map(\.id) == [.text("x")] && table.places.map(\.name) == ["A"])
    #expect(table.places.map(\.weight) == [2])
  }

  @Test func rejectsTextsWithNUL() throws {
    defer { scratch.remove() }
    let point = blob(1, [], [1, 2])
    let path = try write(
      ["zones"],
      rows: "INSERT INTO zones VALUES (1, \(point), 1, 'a' || char(0) || 'b', 2), (2, \(point), 2, 'a', 3)")
    let table = try PlaceTable(path: path, role: .origin)
    #expect(table.places.map(\.id) == [.number(2)] && table.rejected.map(\.reason) == ["got a NUL, expected text"])
    #expect(table.rejected.map(\.text) == [#"jobs=2, name=a\0b, zone_id=1"#])
  }

  @Test func missingIDsGetNumbersAboveOthers() throws {
    defer { scratch.remove() }
    let point = blob(1, [], [1, 2])
    let path = try write(
      ["zones"], rows: "INSERT INTO zones VALUES (1, \(point), NULL, 'A', 2), (2, \(point), 1, 'B', 3)")
    let table = try PlaceTable(path: path, role: .origin)
    #expect(table.places.map(\.id) == [.number(2), .number(1)] && table.rejected.isEmpty)
  }

  @Test func readsLinesAsPairs() throws {
    defer { scratch.remove() }
    let path = try write(
      ["trips"],
      rows: "INSERT INTO trips VALUES (7, \(blob(2, [3], [1, 2, 9, 9, 3, 4])), 0, 'x', 1), "
        + "(8, \(blob(2, [2], [5, 6, 7, 8], in: 5)), 0, 'y', 1)")
    let table = try PairTable(path: path, area: .earth, transportType: .walking)
    #expect(table.pairs.map(\.id) == [.number(7), .number(8)])
    #expect(table.places.map(\.coordinate.longitude) == [10_000_000, 30_000_000, 50_000_000, 70_000_000])
  }

  @Test func pairsReferToPlacesInAGeoPackage() throws {
    defer { scratch.remove() }
    let path = try write(
      ["zones"],
      rows: "INSERT INTO zones VALUES (1, \(blob(1, [], [1, 2])), 2, 'B', 1), (2, \(blob(1, [], [3, 4])), 1, 'A', 1)")
    let pairs = try scratch.write("o_zone_id,d_zone_id,volume\n1,2,5\n", to: "demand.csv")
    let table = try PairTable(path: pairs, area: .earth, transportType: .walking, places: path)
    #expect(table.places.map(\.name) == ["A", "B"])
  }

  @Test func asksWhichTableToUse() throws {
    defer { scratch.remove() }
    let path = try write(["a", "b"], rows: "INSERT INTO b VALUES (1, \(blob(1, [], [1, 2])), 1, 'B', 1)")
    #expect(error(path) == "the GeoPackage has the tables a, b; name one: zones.gpkg|layername=a")
    #expect(error(path + "|layername=c") == "the GeoPackage has no table c of features, expected one of a, b")
    #expect(try PlaceTable(path: path + "|layername=b", role: .origin).places.count == 1)
  }

  @Test func refusesOtherCoordinateSystemsByName() throws {
    defer { scratch.remove() }
    #expect(
      error(try write(["zones"], system: 3067))
        == "table zones is in EPSG:3067, expected EPSG:4326 (degrees, WGS 84); convert it: "
        + "ogr2ogr -t_srs EPSG:4326 wgs84.gpkg zones.gpkg zones")
  }

  /// The command in docs/input.md that converts areas in another coordinate system to places.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ogr2ogr"), "gdal-bin is not installed"))
  func readsTheResultOfTheDocumentedShapefileCommand() throws {
    defer { scratch.remove() }
    try scratch.write(
      #"{"type":"Feature","properties":{"zone_id":5,"jobs":8},"geometry":{"type":"Polygon","coordinates":"#
        + "[[[24.9,60.1],[25,60.1],[25,60.2],[24.9,60.2],[24.9,60.1]]]}}", to: "zones.geojson")
    let shell = { (line: String) in try Run("/bin/sh", ["-c", line], in: scratch.folder) }
    #expect(try shell("ogr2ogr -t_srs EPSG:3067 zones.shp zones.geojson").status == 0)
    let text = try String(contentsOfFile: Project.path("docs/input.md"), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("    ogr2ogr ") })
    let run = try shell(String(line.split(separator: "#")[0]))
    #expect(run.status == 0, "\(run.error)")
    let table = try PlaceTable(path: scratch.path("zones.gpkg"), role: .origin)
    #expect(table.places.map(\.id) == [.number(5)] && table.weights.map(\.name) == ["jobs"])
    #expect(abs(table.places[0].coordinate.longitude - 249_500_000) < 500_000)
  }

  @Test func refusesOtherDatabases() throws {
    defer { scratch.remove() }
    let path = try scratch.write("", to: "other.sqlite")
    _ = try TestDatabase(path).list("CREATE TABLE a (b)")
    #expect(error(path) == "this is a database, but not a GeoPackage")
  }
}
