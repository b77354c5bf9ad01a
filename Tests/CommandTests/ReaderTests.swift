import Foundation
import TestMaps
import Testing

/// Other programs read the results, and every example in the documentation works as printed.
@Suite(.enabled(if: Project.hasBinary && KindsOfResults.hasModules, "tools were not fetched: Tests/fetch-tools"))
struct ReaderTests {
  @Test(.enabled(if: KindsOfResults.hasGDAL, "gdal-bin is not installed"), arguments: KindsOfResults.all)
  func everyProgramReadsEveryTableAndView(kind: String) throws {
    let scratch = try KindsOfResults.scratch(kind)
    defer { scratch.remove() }
    let script = Project.path("Tests/CommandTests/read_all.py")
    let run = try Run(
      "/usr/bin/env", ["python3", script, KindsOfResults.modules, "out/results.sqlite"], in: scratch.folder)
    #expect(run.status == 0 && run.output.split(separator: "\n").count == 1, "\(run.output)\(run.error)")
  }

  @Test(.enabled(if: KindsOfResults.hasR, "R's sf is not installed: make test-all"), arguments: KindsOfResults.all)
  func sfReadsEveryTableAndView(kind: String) throws {
    let scratch = try KindsOfResults.scratch(kind)
    defer { scratch.remove() }
    let script = Project.path("Tests/CommandTests/read_all.R")
    let run = try Run("/usr/bin/env", ["Rscript", script, "out/results.sqlite"], in: scratch.folder)
    #expect(run.status == 0 && run.output.split(separator: "\n").count == 1, "\(run.output)\(run.error)")
  }

  @Test(.enabled(if: KindsOfResults.hasQGIS, "QGIS is not installed: make test-all"), arguments: KindsOfResults.all)
  func qgisReadsEveryTableAndView(kind: String) throws {
    let scratch = try KindsOfResults.scratch(kind)
    defer { scratch.remove() }
    let script = Project.path("Tests/CommandTests/read_qgis.py")
    let run = try Run("/usr/bin/python3", [script, "out/results.sqlite"], in: scratch.folder)
    #expect(run.status == 0 && run.output.split(separator: "\n").count == 1, "\(run.output)\(run.error)")
  }

  /// The recipes of docs/results.md, as printed.
  @Test(
    .enabled(if: Project.hasHelsinki && KindsOfResults.hasR && KindsOfResults.hasQGIS, "not installed: make test-all"))
  func recipesForRAndQGISRun() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    for name in ["data", "jobs"] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path(name), withDestinationPath: Project.path(name))
    }
    try Run(odometer: "run", "jobs/helsinki-walks.json5", "--quiet", in: scratch.folder)
    let text = try String(contentsOfFile: Project.path("docs/results.md"), encoding: .utf8)
    func recipes(_ language: String) -> [String] {
      text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
        $0.components(separatedBy: "```").first
      }
    }
    let (r, qgis) = (recipes("r"), recipes("python").filter { $0.contains("qgis") })
    #expect(r.count == 1 && qgis.count == 1)
    try scratch.write(r[0], to: "recipe.R")
    let first = try Run("/usr/bin/env", ["Rscript", "recipe.R"], in: scratch.folder)
    #expect(first.status == 0 && first.output.contains("from_id"), "\(first)")
    try scratch.write(qgis[0], to: "recipe.py")
    let second = try Run(
      "/usr/bin/python3",
      [Project.path("Tests/CommandTests/read_qgis.py"), "reports/helsinki-walks/results.sqlite", "recipe.py"],
      in: scratch.folder)
    #expect(second.status == 0 && second.output.hasSuffix("True 480\n"), "\(second)")
  }

  @Test func columnsAreDocumented() throws {
    let scratch = try KindsOfResults.scratch("etas")
    defer { scratch.remove() }
    let question = """
      SELECT description FROM gpkg_data_columns WHERE table_name = 'route' AND column_name = 'expected_travel_time';
      SELECT count(*) FROM pragma_table_xinfo('route') WHERE name NOT IN ('fid')
        AND name NOT IN (SELECT column_name FROM gpkg_data_columns WHERE table_name = 'route');
      """
    let run = try Run("/usr/bin/env", ["sqlite3", "out/results.sqlite", question], in: scratch.folder)
    #expect(run.output == "seconds\n0\n", "\(run.error)")
  }

  @Test func odHasMinutesAndSeconds() throws {
    let scratch = try KindsOfResults.scratch("etas")
    defer { scratch.remove() }
    let question = "SELECT from_id, to_id, travel_time_p50 * 60 = travel_time, travel_time > 0 FROM od"
    let run = try Run("/usr/bin/env", ["sqlite3", "out/results.sqlite", question], in: scratch.folder)
    #expect(run.output == "a|10|1|1\n9|11||\n", "\(run.error)")
  }

  @Test func idsAreNextToEveryNumPyFile() throws {
    let scratch = try KindsOfResults.scratch("matrix by hour")
    defer { scratch.remove() }
    #expect(scratch.text("out/npy_origins.csv") == "place_id\na\nb\nd\n9\n")
    #expect(scratch.text("out/npy_destinations.csv") == "place_id\na\nb\nd\n9\n")
    #expect(scratch.text("out/npy_departures.csv").hasPrefix("departure_date\n2026-11-23T07:00:00"))
  }

  /// Results of the sample jobs, in a folder where the documented paths are valid.
  @Test(.enabled(if: Project.hasHelsinki, "the sample map is missing: make sample"))
  func documentedRecipesRun() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    for name in ["data", "jobs"] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path(name), withDestinationPath: Project.path(name))
    }
    for job in ["walks", "matrix"] {
      try Run(odometer: "run", "jobs/helsinki-\(job).json5", "--quiet", in: scratch.folder)
    }
    let text = try String(contentsOfFile: Project.path("docs/results.md"), encoding: .utf8)
    let recipes = text.split(separator: "```python\n").dropFirst().compactMap { $0.split(separator: "```").first }
      .filter { $0.contains("import") }
    #expect(recipes.count >= 4)
    for recipe in recipes where !recipe.contains("qgis") {
      let script = recipe.replacing(
        "INSTALL sqlite", with: "SELECT 1"
      ).replacing(
        "LOAD sqlite",
        with: "LOAD '\(KindsOfResults.modules)/duckdb_extension_sqlite_scanner/extensions/v1.5.5/"
          + "sqlite_scanner.duckdb_extension'")
      try scratch.write(
        "import sys\nsys.path.insert(0, '\(KindsOfResults.modules)')\n\(script)", to: "recipe.py")
      let run = try Run("/usr/bin/env", ["python3", "-W", "ignore", "recipe.py"], in: scratch.folder)
      #expect(run.status == 0 && !run.output.isEmpty, "\(recipe)\(run.error)")
    }
  }
}
