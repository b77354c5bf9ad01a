import Foundation
import TestMaps
import Testing

/// Results as GeoPackages, checked by GDAL's tools and its validator.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct GeoPackageTests {
  private static let hasGDAL = KindsOfResults.hasGDAL
  private let map = TestMap("a-b-c-d").way("abcd")
  private static let layers = [
    "routes": ["flow: Line String", "place: Point", "route: Line String", "step: Point"],
    "etas": ["place: Point"], "matrix": ["place: Point"],
    "access": ["access: Point", "place: Point", "route: Line String", "step: Point"],
    "isochrones": ["isochrone: Multi Polygon", "place: Point"],
    "traces": [
      "place: Point", "stop: Point", "street_used: Line String", "trace: Line String",
      "trace_part: Line String",
    ],
  ]

  @Test(.enabled(if: hasGDAL, "gdal-bin is not installed"), arguments: layers.keys.sorted())
  func gdalValidatesResultsAndReadsTheirLayers(kind: String) throws {
    let scratch = try KindsOfResults.scratch(kind)
    defer { scratch.remove() }
    let list = try Run("/usr/bin/ogrinfo", ["-so", "out/results.sqlite"], in: scratch.folder)
    #expect(list.status == 0 && list.output.contains("using driver `GPKG' successful"))
    let found = list.output.split(separator: "\n").compactMap { line -> String? in
      guard let name = line.split(separator: " ", maxSplits: 1).last, line.hasSuffix(")"), !line.hasSuffix("(None)")
      else { return nil }
      return String(name.dropLast()).replacing(" (", with: ": ")
    }
    #expect(found.sorted() == GeoPackageTests.layers[kind])
    // The standard requires the file extension gpkg.
    try FileManager.default.copyItem(atPath: scratch.path("out/results.sqlite"), toPath: scratch.path("copy.gpkg"))
    let check = try Run(
      "/usr/bin/python3", ["-m", "osgeo_utils.samples.validate_gpkg", "-k", "--extra", "copy.gpkg"], in: scratch.folder)
    #expect(check.status == 0, "\(check.output)\(check.error)")
  }

  @Test func withoutShapesTheRowsAreTheSame() throws {
    let (with, without) = (try KindsOfResults.scratch("routes"), try KindsOfResults.scratch("routes"))
    defer {
      with.remove()
      without.remove()
    }
    try without.write(without.text("job.json5").replacing("pairs:", with: "shapes: false, pairs:"), to: "job.json5")
    try Run(odometer: "run", "job.json5", "--quiet", in: without.folder)
    let question = """
      SELECT pair_id, distance, expected_travel_time, step_count, geom IS NULL FROM route WHERE status = 'ok';
      SELECT step, instructions, latitude, longitude FROM step;
      SELECT table_name FROM gpkg_contents ORDER BY 1
      """
    func answer(_ scratch: Scratch) throws -> [String] {
      let run = try Run("/usr/bin/env", ["sqlite3", "out/results.sqlite", question], in: scratch.folder)
      return run.output.split(separator: "\n").map(String.init)
    }
    let (full, lean) = (try answer(with), try answer(without))
    #expect(full.suffix(4) == ["flow", "place", "route", "step"] && lean.suffix(3) == ["flow", "place", "route"])
    // The page draws all routes if there are only a few.
    #expect(full[0].hasSuffix("|0") && full.dropLast(4) == lean.dropLast(3))
    #expect(with.bytes("out/routes.geojson.gz") == without.bytes("out/routes.geojson.gz"))
  }

  @Test(.enabled(if: hasGDAL, "gdal-bin is not installed"))
  func rTreeFindsTheFeaturesInABox() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var random = SeededGenerator(seed: 9)
    let points = (0..<4000).map { number in
      "\(number),\(Double.random(in: 0...0.003, using: &random)),\(Double.random(in: -0.002...0.002, using: &random))\n"
    }
    try scratch.write(map.opl, to: "map.opl")
    try scratch.write("id,lon,lat\n" + points.joined(), to: "places.csv")
    try scratch.write(
      "{ kind: 'access', map: 'map.opl', transportType: 'walking', output: 'out', origins: 'places.csv', "
        + "stations: 'places.csv', nearest: 1 }", to: "job.json5")
    try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    let boxed = "minx >= 0.001 AND maxx <= 0.002 AND miny >= 0 AND maxy <= 0.001"
    let answer = try Run(
      "/usr/bin/env",
      [
        "sqlite3", "out/results.sqlite",
        """
        SELECT rtreecheck('rtree_place_geom');
        SELECT count(*) > 200, count(*) = (SELECT count(*) FROM place
          WHERE longitude BETWEEN 0.001 AND 0.002 AND latitude BETWEEN 0 AND 0.001) FROM rtree_place_geom WHERE \(boxed);
        SELECT count(*) FROM rtree_place_geom;
        """,
      ], in: scratch.folder)
    #expect(answer.output == "ok\n1|1\n8000\n", "\(answer.error)")
  }
}
