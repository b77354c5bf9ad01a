import Foundation
import TestMaps
import Testing

/// Small results of every kind, for tests with programs that read them.
enum KindsOfResults {
  static let hasGDAL = FileManager.default.isExecutableFile(atPath: "/usr/bin/ogrinfo")
  /// Packages installed by `make test-all`: R with sf, and QGIS's Python.
  static let hasR = FileManager.default.fileExists(atPath: "/usr/lib/R/site-library/sf")
  static let hasQGIS = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/qgis")
  /// Headless Chromium, which takes two thirds of the time of full Chromium.
  static let browser = "/usr/bin/chromium-headless-shell"
  static let hasBrowser = FileManager.default.isExecutableFile(atPath: browser)
  /// The browser driver for `explore.py`, which operates reports as a user would.
  static let hasDriver =
    hasBrowser && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/selenium")
  /// The modules fetched by `Tests/fetch-tools`.
  static let modules = Project.path(".build/readers")
  static let hasModules = FileManager.default.fileExists(atPath: "\(modules)/complete")

  static let all = ["routes", "etas", "matrix", "matrix by hour", "access", "isochrones", "traces"]

  /// Creates a folder with the results of a job of the kind in `out`.
  static func scratch(_ kind: String) throws -> Scratch {
    let map = TestMap("a-b-c-d").way("abcd")
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    let places = "abd".map { "\($0),\(map[$0].longitude),\(map[$0].latitude)\n" }.joined()
    try scratch.write("id,lon,lat\n\(places)9,0.5,0.5\n", to: "places.csv")
    try scratch.write(
      "origin_id,o_lon,o_lat,d_lon,d_lat,departure_time\na,0,0,0.0027,0,2026-11-23T08:00:00+01:00\n9,0.5,0.5,0,0,\n",
      to: "pairs.csv")
    try scratch.write("{ classes: { residential: { 'Mo-Fr 07:00-08:00': 1.5 } } }", to: "traffic.json5")
    try scratch.write(map.traces([map.fixes("t", along: "abcd"), map.fixes("u", along: "db")]), to: "traces.csv")
    let keys =
      switch kind {
      case "routes", "etas": "pairs: 'pairs.csv'"
      case "traces": "traces: 'traces.csv', fixes: 'table'"
      case "access": "origins: 'places.csv', stations: 'places.csv', routes: true"
      case "matrix": "origins: 'places.csv', format: ['sqlite', 'npy', 'csv']"
      case "matrix by hour":
        "origins: 'places.csv', format: ['sqlite', 'npy'], departures: ['07:00', '08:00'], date: '2026-11-23', "
          + "traffic: 'traffic.json5', timeZone: 'Europe/Lisbon'"
      default: "origins: 'places.csv'"
      }
    let name = kind.split(separator: " ")[0]
    try scratch.write(
      "{ kind: '\(name)', map: 'map.opl', transportType: 'walking', output: 'out', \(keys) }", to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    return scratch
  }
}
