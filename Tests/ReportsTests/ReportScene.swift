import Foundation
import Jobs
import Reports
import Tables
import TestMaps

/// A finished job on a drawn map, and its page. Place names in its files contain HTML.
struct ReportScene {
  let scratch: Scratch
  let html: String

  static let map = TestMap(
    """
    a-b-c-d-e
      | | |
      f-g-h         9
    """
  ).way("abcde").way("bf").way("cg").way("dh").way("fgh")

  /// - Parameters:
  ///   - keys: The keys in addition to map, transportType and output.
  ///   - feed: The files of a timetable, feed.zip; without it, trips are on foot.
  ///   - files: Additional files.
  init(_ keys: String, feed: [String: String] = [:], files: [String: String] = [:]) throws {
    let map = ReportScene.map
    func list(_ letters: String, _ more: (Character) -> String) -> String {
      letters.map { "\($0),\"<b>& \"\"co\"\"</b>\",\(map[$0].longitude),\(map[$0].latitude)\(more($0))\n" }.joined()
    }
    let weights: [Character: String] = ["a": ",10", "c": ",30", "e": ",20", "9": ",40"]
    let pairs = zip("abcd9", "hgfea").map { from, to in
      "\(from),\(map[from].longitude),\(map[from].latitude),\(to),\(map[to].longitude),\(map[to].latitude)\n"
    }
    let scratch = try Scratch(
      map,
      [
        "origins.csv": "id,name,lon,lat,\"jobs, total\"\n" + list("ace9") { weights[$0] ?? "" }
          + "<i>bad</i>,,500,0,1\n",
        "stations.csv": "id,name,lon,lat\n" + list("bh") { _ in "" },
        "traces.csv": map.traces([
          map.fixes("<b>t</b>", along: "abcdhgf"), map.fixes("u", along: "edc", at: TestMap.monday + 7200),
          map.fixes("far", along: "99"),
        ]),
        "lines.csv": "trace_id,lon,lat\n"
          + ["one": "abcdhgf", "two": "edcgh"].sorted { $0.key < $1.key }.map { id, letters in
            letters.map { "\(id),\(map[$0].longitude),\(map[$0].latitude)\n" }.joined()
          }.joined(),
        "city.json5": "{ classes: { residential: { \"Mo 07:00-08:00\": 2 } } }",
        "pairs.csv": "origin_id,o_lon,o_lat,destination_id,d_lon,d_lat\n" + pairs.joined(),
      ], job: keys.contains("'traces'") ? keys : "snapLimit: 200, \(keys)")
    for (name, text) in files { try scratch.write(text, to: name) }
    let text = scratch.text("job.json5").replacing(/'(map\.opl|out|\w+\.csv|\w+\.geojson|city\.json5|feed\.zip)'/) {
      "'\(scratch.path(String($0.1)))'"
    }
    let type = feed.isEmpty ? "walking" : "transit"
    try scratch.write(text.replacing("transportType: 'walking'", with: "transportType: '\(type)'"), to: "job.json5")
    try storedZip(feed.sorted { $0.key < $1.key }.map { ($0.key, Data($0.value.utf8)) })
      .write(to: URL(fileURLWithPath: scratch.path("feed.zip")))
    self.scratch = scratch
    var options = RunOptions()
    options.workers = 1
    options.isQuiet = true
    _ = try JobRun(try Job(path: scratch.path("job.json5")), options).run()
    html = try Report(of: scratch.path("out/results.sqlite")).html()
  }

  func sql(_ statement: String) throws -> String { try scratch.sql(statement) }

  /// Returns the large numbers at the top of a page, each with its label: "3 of 4 origins ok".
  static func figures(of html: String) -> [String] {
    html.replacing("\u{A0}", with: " ").matches(of: /<div><b>([^<]*)<\/b><span>([^<]*)<\/span><\/div>/).map {
      "\($0.1) \($0.2)"
    }
  }

  var figures: [String] { ReportScene.figures(of: html) }

  func remove() { scratch.remove() }
}
