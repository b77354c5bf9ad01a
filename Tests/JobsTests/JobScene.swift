import Foundation
import Jobs
import TestMaps
import Testing

/// A job run on a drawn map with files beside it.
///
///     let scene = try JobScene(map, ["origins.csv": map.list("ab")], "kind: 'access', …")
///     try scene.sql("SELECT * FROM access")
struct JobScene {
  let scratch: Scratch

  /// `keys` are those of the job beside map, transportType (walking) and output; files are named as they are in `files`.
  init(_ map: TestMap, _ files: [String: String], _ keys: String, by type: String = "walking", workers: Int = 1) throws
  {
    scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    var keys = keys.replacing("'", with: "\"")
    for (name, text) in files {
      try scratch.write(text, to: name)
      keys = keys.replacing("\"\(name)\"", with: "\"\(scratch.path(name))\"")
    }
    try scratch.write(
      """
      { map: "\(scratch.path("map.opl"))", transportType: "\(type)", snapLimit: 200, output: "\(scratch.path("out"))",
        \(keys) }
      """, to: "job.json5")
    try run(workers: workers)
  }

  func run(workers: Int) throws {
    var options = RunOptions()
    options.workers = workers
    options.isQuiet = true
    _ = try JobRun(Job(path: scratch.path("job.json5")), options).run()
  }

  func sql(_ statement: String) throws -> String {
    try Run("/usr/bin/env", ["sqlite3", "out/results.sqlite", statement], in: scratch.folder).output
  }

  /// Expects that a question of the results is answered so.
  func expect(_ statement: String, _ expected: String, _ location: SourceLocation = #_sourceLocation) throws {
    let found = try sql(statement)
    #expect(found == expected, sourceLocation: location)
  }

  /// A compressed output as text.
  func unzipped(_ name: String) throws -> String {
    try Run("/usr/bin/env", ["zcat", "out/\(name)"], in: scratch.folder).output
  }

  func remove() { scratch.remove() }
}

extension TestMap {
  /// A list of places, named by their letters: "id,lon,lat" and what `more` says of each.
  func list(_ letters: String, _ header: String = "", _ more: [Character: String] = [:]) -> String {
    "id,lon,lat\(header)\n"
      + letters.map { "\($0),\(self[$0].longitude),\(self[$0].latitude)\(more[$0] ?? "")\n" }.joined()
  }
}
