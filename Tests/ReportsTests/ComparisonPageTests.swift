import Jobs
import Reports
import Tables
import TestMaps
import Testing

struct ComparisonPageTests {
  /// Compares two nights, the second of which excludes snap legs.
  @Test func pageShowsTheDatabasesCounts() throws {
    let (old, new) = (
      try ReportScene("kind: 'etas', pairs: 'pairs.csv'"),
      try ReportScene("kind: 'etas', pairs: 'pairs.csv', snapLegs: false")
    )
    defer {
      old.remove()
      new.remove()
    }
    let path = new.scratch.path("compare.sqlite")
    let threshold = try #require(ChangeThreshold("1%,1s"))
    let summary = try Comparison(
      old: old.scratch.path("out/results.sqlite"), new: new.scratch.path("out/results.sqlite"), threshold
    ).write(to: path)
    let html = try ComparisonPage(of: path).html()
    let changed = summary.rows - (summary.counts[.same] ?? 0)
    #expect(ReportScene.figures(of: html).first == "\(changed) of \(summary.rows) trips changed")
    #expect(summary.rows == 5 && html.contains("settings changed (snapLegs)"))
  }

  /// The second night has a new pair, 100 km to the north.
  @Test func changedRowsOutsideTheMapDoNotEnlargeTheView() throws {
    let head = "id,o_lon,o_lat,d_lon,d_lat\n"
    let rows = [0.0, 1].map { north in
      "\(north),"
        + "ah".map { "\(ReportScene.map[$0].longitude),\(ReportScene.map[$0].latitude + north)" }.joined(separator: ",")
        + "\n"
    }
    let scenes = try [head + rows[0], head + rows.joined()].map {
      try ReportScene("kind: 'etas', pairs: 'some.csv'", files: ["some.csv": $0])
    }
    defer { for scene in scenes { scene.remove() } }
    let (paths, path) = (scenes.map { $0.scratch.path("out/results.sqlite") }, scenes[0].scratch.path("compare.sqlite"))
    _ = try Comparison(old: paths[0], new: paths[1], try #require(ChangeThreshold("0s"))).write(to: path)
    let box = try #require(ComparisonPage(of: path).html().firstMatch(of: /"box":\[([-\d.]+),[-\d.]+,([-\d.]+),/))
    #expect(try #require(Double(box.2)) - #require(Double(box.1)) < 0.1)
  }

  @Test func equalQuantilesAreInOrder() throws {
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv'")
    defer { scene.remove() }
    let (results, path) = (scene.scratch.path("out/results.sqlite"), scene.scratch.path("compare.sqlite"))
    _ = try Comparison(old: results, new: results, try #require(ChangeThreshold("0s"))).write(to: path)
    let measures = try ComparisonDatabase(path: path).quantiles().map(\.measure)
    #expect(measures == ["mean", "p05", "p25", "median", "p75", "p95", "p99", "max"])
  }

  /// Changes of 0.016 % are rounded to 0.02 %.
  @Test func quantilesAreAtMostTheMaximum() throws {
    let (old, new) = (
      try ReportScene("kind: 'etas', pairs: 'pairs.csv'"), try ReportScene("kind: 'etas', pairs: 'pairs.csv'")
    )
    defer { [old, new].forEach { $0.remove() } }
    _ = try new.sql("UPDATE route SET expected_travel_time = expected_travel_time * 1.00016")
    let path = new.scratch.path("compare.sqlite")
    let runs = [old, new].map { $0.scratch.path("out/results.sqlite") }
    _ = try Comparison(old: runs[0], new: runs[1], try #require(ChangeThreshold("0s"))).write(to: path)
    let quantiles = try ComparisonDatabase(path: path).quantiles().filter { $0.measure != "mean" }.map(\.ratio)
    #expect(quantiles == quantiles.sorted() && (0.000_01..<0.0002).contains(quantiles[6]), "\(quantiles)")
  }

  @Test func typicalChangeIsTheMeanOfTheMiddleTwo() throws {
    let (old, new) = (
      try ReportScene("kind: 'etas', pairs: 'pairs.csv'"), try ReportScene("kind: 'etas', pairs: 'pairs.csv'")
    )
    defer { [old, new].forEach { $0.remove() } }
    _ = try new.sql("UPDATE route SET expected_travel_time = expected_travel_time + 240 * fid - 180 WHERE fid < 3")
    let path = new.scratch.path("compare.sqlite")
    _ = try Comparison(
      old: old.scratch.path("out/results.sqlite"), new: new.scratch.path("out/results.sqlite"),
      try #require(ChangeThreshold("1s"))
    ).write(to: path)
    let headline = try ComparisonDatabase(path: path).headline
    #expect(headline.hasPrefix("2 of 5 ") && headline.hasSuffix(", typically by 3 min."), "\(headline)")
  }

  @Test func reportsNoChangesBetweenEqualRuns() throws {
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv'")
    defer { scene.remove() }
    let (results, path) = (scene.scratch.path("out/results.sqlite"), scene.scratch.path("compare.sqlite"))
    let threshold = try #require(ChangeThreshold("1%,1s"))
    _ = try Comparison(old: results, new: results, threshold).write(to: path)
    let html = try ComparisonPage(of: path).html()
    #expect(html.contains("<p class=\"headline\">Nothing changed.</p>"))
    #expect(ReportScene.figures(of: html) == ["0 of 5 trips changed"])
    #expect(!html.contains("why:") && !html.contains("unexplained") && !html.contains("<dt>reasons</dt>"))
  }
}
