import Jobs
import Reports
import Tables
import TestMaps
import Testing

/// Pages of small jobs, compared with their databases.
struct ReportTests {
  private static let jobs = [
    "routes": "pairs: 'pairs.csv'", "etas": "pairs: 'pairs.csv'",
    "matrix": "origins: 'origins.csv', destinations: 'stations.csv', summary: ['mean'], format: ['sqlite']",
    "access": "origins: 'origins.csv', stations: 'stations.csv', thresholds: [1, 5], weights: ['jobs, total']",
    "isochrones": "origins: 'origins.csv', thresholds: [1, 2]",
    "traces": "traces: 'traces.csv'",
  ]

  private func scene(_ kind: String) throws -> ReportScene {
    try ReportScene("kind: '\(kind)', \(ReportTests.jobs[kind] ?? "")")
  }

  @Test(arguments: [
    ("routes", "route", "trips have a route"), ("etas", "route", "trips have a route"),
    ("isochrones", "isochrone", "areas are drawn"), ("traces", "trace", "traces followed"),
  ])
  func countsTheRowsOfTheDatabase(kind: String, table: String, rows: String) throws {
    let scene = try scene(kind)
    defer { scene.remove() }
    let counts = try scene.sql("SELECT sum(status = 'ok'), count(*) FROM \(table)").split { "|\n".contains($0) }
    #expect(counts.count == 2 && counts[0] != counts[1] && counts[0] != "0")
    #expect(scene.figures.first == "\(counts[0]) of \(counts[1]) \(rows)")
  }

  @Test func showsTheMedianOfRoutes() throws {
    let scene = try scene("routes")
    defer { scene.remove() }
    let seconds = try #require(
      Double(
        try scene.sql("SELECT median FROM statistic WHERE scope = 'job' AND measure = 'expected_travel_time'")
          .dropLast()))
    #expect(scene.figures.contains { $0.hasPrefix("\(Format.duration(seconds)) ") }, "\(scene.figures)")
  }

  @Test func countsTheCellsOfAMatrix() throws {
    let scene = try scene("matrix")
    defer { scene.remove() }
    let ok = try scene.sql("SELECT value FROM job WHERE key = 'cells_ok'").dropLast()
    #expect(ok == "6" && scene.figures.first == "6 of 8 cells have a route")
  }

  /// The script counts the cells within whole minutes.
  @Test func cellsOfAMatrixAreHalfMinutesRoundedUp() throws {
    let scene = try scene("matrix")
    defer { scene.remove() }
    let cells = try #require(scene.html.firstMatch(of: /"cells":\["([^"]+)"/)?.1)
    let times = try scene.sql("SELECT travel_times FROM matrix_row ORDER BY fid LIMIT 1")
    let halves = times.split { "[,]\n".contains($0) }.compactMap { Double($0) }.map { Int(($0 / 30).rounded(.up)) }
    #expect(halves.count == 2 && cells.utf8.map { Int($0) - 35 } == halves, "\(cells) \(times)")
  }

  @Test func pagesSayThatTheyHaveNoTimesOfOrigins() throws {
    let note = "It has no summaries of origins either, so the map shows only places."
    for (keys, isBare) in [("format: ['csv']", true), ("summary: ['mean']", false)] {
      let scene = try ReportScene("kind: 'matrix', origins: 'origins.csv', \(keys)")
      defer { scene.remove() }
      #expect(scene.html.contains(note) == isBare && scene.html.contains("\"mean\":[[]]") == isBare, "\(keys)")
    }
  }

  @Test func manyThresholdsShareColoursWithTheirNeighbours() throws {
    let scene = try ReportScene(
      "kind: 'isochrones', origins: 'origins.csv', thresholds: [1, 2, 3, 4, 5, 6, 7, 8]")
    defer { scene.remove() }
    #expect(scene.html.contains("\"shades\":[0,0,1,2,2,3,4,5]"))
    let legend = scene.html.matches(of: /<\/i>within (\d) min</).map { String($0.1) }
    #expect(legend == ["2", "3", "5", "6", "7", "8"], "\(legend)")
  }

  /// Every destination is also an origin, and its circle would hide the origin's colour.
  @Test func aSquareMatrixShowsItsOrigins() throws {
    let keys = "kind: 'matrix', origins: 'origins.csv', summary: ['nearest', 'mean']"
    let square = try ReportScene(keys)
    defer { square.remove() }
    #expect(!square.html.contains("<circle ") && square.html.contains(/stroke="var\(--c\d\)"[^>]*d="M[^"]*h0/))
    let other = try ReportScene("\(keys), destinations: 'stations.csv'")
    defer { other.remove() }
    #expect(other.html.matches(of: /<circle\s/).count == 2)
  }

  @Test func nearestPlacesHaveTheirNames() throws {
    let scene = try ReportScene("kind: 'matrix', origins: 'origins.csv', summary: ['nearest', 'mean']")
    defer { scene.remove() }
    let table = try #require(
      scene.html.split(separator: "fewest destinations").last?.split(separator: "</table>").first)
    #expect(table.matches(of: /<td><bdi>&lt;b&gt;/).count == 3, "\(table)")
  }

  @Test func rowsOfTripsWithWaypointsAreLegs() throws {
    let points = "ach".map { "\(ReportScene.map[$0].latitude),\(ReportScene.map[$0].longitude)" }
    let link =
      "https://maps.apple.com/directions?source=\(points[0])&waypoint=\(points[1])&destination=\(points[2])&mode=walking"
    let scene = try ReportScene("kind: 'routes', pairs: 'links.csv'", files: ["links.csv": "id,link\nw,\"\(link)\"\n"])
    defer { scene.remove() }
    #expect(scene.figures[0] == "2 of 2 legs have a route" && scene.html.contains("<p class=\"headline\">1 trip "))
    #expect(scene.figures[1].hasSuffix(" typical travel time of a trip with all its legs"), "\(scene.figures)")
    #expect(scene.html.contains(">leg</th>"))
  }

  @Test func slowTracesAreDrawnAboveFastOnes() throws {
    let map = ReportScene.map
    let traces = [("slow", 1.0), ("quick", 1.6)].map { map.fixes($0.0, along: "abcdhgf", speed: $0.1, every: 20) }
    let scene = try ReportScene("kind: 'traces', traces: 'pace.csv'", files: ["pace.csv": map.traces(traces)])
    defer { scene.remove() }
    let picture = try #require(scene.html.firstMatch(of: /<figure class="map.*?<\/figure>/.dotMatchesNewlines())?.0)
    let shades = picture.matches(of: /class="line" stroke="var\(--c(\d)\)"/).compactMap { Int($0.1) }
    #expect(shades.count == 2 && shades[0] < shades[1], "\(shades)")
    #expect(!scene.html.contains("</i>a part begins after a break") && !scene.html.contains("</i>stop<"))
    #expect(scene.html.contains("<td>Expected time, min</td>") && !scene.html.contains("<td>Travel time, min</td>"))
  }

  /// A trace without times has none of the scale's colours.
  @Test func listsTracesWithoutTimes() throws {
    let scene = try ReportScene("kind: 'traces', traces: 'lines.csv'")
    defer { scene.remove() }
    #expect(try scene.sql("SELECT count(*) FROM trace WHERE status = 'ok' AND time_ratio IS NULL") == "2\n")
    #expect(scene.html.contains(#""traces":{"id":["one","two"]"#) && scene.html.contains(">without times<"))
  }

  /// A trace whose fixes all have the same time is doubtful, but has a length.
  @Test func figuresAreOfFollowedTraces() throws {
    let map = ReportScene.map
    let doubtful = map.fixes("u", along: "edcgh").replacing(/u,[0-9.]+/) { _ in "u,\(TestMap.monday)" }
    let scene = try ReportScene(
      "kind: 'traces', traces: 'pace.csv'", files: ["pace.csv": map.traces([map.fixes("t", along: "abcd"), doubtful])])
    defer { scene.remove() }
    #expect(try scene.sql("SELECT status, distance > 0 FROM trace ORDER BY trace_id") == "ok|1\ndoubtful|1\n")
    let kept = try scene.sql("SELECT kept_count FROM trace WHERE trace_id = 't'").dropLast()
    let expected = ["1 of 2 traces followed", "100 % of their \(kept) fixes are on streets", "300 m along streets"]
    #expect(scene.figures.prefix(3) == expected[...])
  }

  @Test func showsTheSharesOfAnAccessJob() throws {
    let scene = try scene("access")
    defer { scene.remove() }
    let shares = try scene.sql(
      "SELECT threshold, share FROM access_share WHERE measure = 'jobs, total' ORDER BY threshold"
    ).split(separator: "\n").compactMap { row -> String? in
      let values = row.split(separator: "|").compactMap { Double($0) }
      return values.count == 2
        ? "\(Format.percent(values[1])) of jobs, total within \(Format.minutes(values[0])) min" : nil
    }
    #expect(shares.count == 2)
    #expect(scene.figures == ["3 of 4 origins have a station within reach"] + shares)
  }

  /// From a, station b is the nearest and station h the next.
  @Test func cardsOfOriginsHaveTheNextStations() throws {
    let scene = try scene("access")
    defer { scene.remove() }
    #expect(scene.html.contains(/"next":\[\[\[1,\d+\]\],/))
  }

  /// A column name that contains commas is a single name.
  @Test func weightNamesMayContainCommas() throws {
    let scene = try scene("access")
    defer { scene.remove() }
    #expect(scene.html.contains("Catchments of stations, jobs, total"))
  }

  @Test func countsOriginsWithoutWeights() throws {
    let scene = try ReportScene("kind: 'access', origins: 'origins.csv', stations: 'stations.csv', weights: []")
    defer { scene.remove() }
    #expect(scene.html.contains("Catchments of stations, origins"))
  }

  @Test(arguments: jobs.keys.sorted())
  func escapesTheInputsText(kind: String) throws {
    let scene = try scene(kind)
    defer { scene.remove() }
    #expect(!scene.html.contains("<b>&") && !scene.html.contains("<i>bad"))
    if kind == "traces" {
      #expect(scene.html.contains("&lt;b&gt;t&lt;/b&gt;"))
    } else if kind != "routes" && kind != "etas" {
      #expect(scene.html.contains("&lt;b&gt;&amp; &quot;co&quot;&lt;/b&gt;"))
      #expect(scene.html.contains("&lt;i&gt;bad&lt;/i&gt;"), "the rejected row")
    }
  }

  @Test(arguments: [20_000, 1800]) func listsTheSamePairsOnAnyNumberOfThreads(limit: Int) throws {
    let map = ReportScene.map
    let pairs = (0..<2500).map { row in
      let (from, to) = (map[Array("abcd9")[row % 5]], map[Array("fgh")[row % 3]])
      return "\(row),\(from.longitude),\(from.latitude),\(to.longitude),\(to.latitude)\n"
    }
    let scene = try ReportScene(
      "kind: 'etas', pairs: 'many.csv'", files: ["many.csv": "id,o_lon,o_lat,d_lon,d_lat\n" + pairs.joined()])
    defer { scene.remove() }
    let database = try ResultsDatabase(path: scene.scratch.path("out/results.sqlite"))
    let listed = try [1, 3].map { threads in
      let survey = try database.routeSurvey(listing: limit, workers: threads)
      let orders: [RouteSurvey.Order] = [.longest, .greatestDetour, .missing]
      return [try database.listedPairs(of: survey, workers: threads).map(\.row)]
        + (try orders.map { try database.trips($0, of: survey).map(\.row) })
    }
    #expect(listed[0] == listed[1] && listed[0].map(\.count).min() == 30 && listed[0][0].count > 900)
    #expect(listed[0][0] == listed[0][0].sorted())
  }

  /// The page rounds them once, like its tables: from 203.5 m it would make 204 m of 203.49 m.
  @Test func pagesOfRoutesHaveExactFigures() throws {
    let scene = try scene("routes")
    defer { scene.remove() }
    let figures = try scene.sql("SELECT printf('%.10g,%.10g,', distance, expected_travel_time) FROM step")
    #expect(!figures.isEmpty && figures.split(separator: "\n").allSatisfy { scene.html.contains($0) }, "\(figures)")
  }

  /// A page's queries omit the lines of routes, unless the page draws them.
  @Test func narrowRoutesEqualTheTable() throws {
    let scene = try scene("routes")
    defer { scene.remove() }
    let database = try ResultsDatabase(path: scene.scratch.path("out/results.sqlite"))
    func read() throws -> String {
      let rows = try database.drawnRows()
      let survey = try database.routeSurvey(listing: 3)
      return """
        \(try database.statusCounts()) \(try database.listedPairs(of: survey, with: rows)) \(try database.trips(.longest, of: survey))
        \(try database.drawnTrips(atMost: 9, of: survey)) \(try database.drawnRoutes(rows)) \(try database.inputRows())
        """
    }
    let before = try read()
    try database.narrowRoutes()
    #expect(try read() == before && before.contains("FixedCoordinate"))
  }

  @Test(arguments: jobs.keys.sorted())
  func attributionOfACardIsLegible(kind: String) throws {
    let scene = try scene(kind)
    defer { scene.remove() }
    try Report(of: scene.scratch.path("out/results.sqlite")).writeCard(to: scene.scratch.path("card.svg"))
    let card = scene.scratch.text("card.svg")
    let map = try #require(card.firstMatch(of: /width="1200" height="(\d+)" [^>]*viewBox="0 0 10000 (\d+)"/))
    let size = try #require(card.firstMatch(of: /svg svg text \{ font-size: (\d+)px/)?.1)
    let (high, drawn) = (try #require(Double(map.1)), try #require(Double(map.2)))
    // A text is drawn ten times as large, in tenths of a pixel.
    #expect(try #require(Double(size)) * 10 * min(1200 / 10_000, high / drawn) >= 14)
  }

  @Test(arguments: [
    ("", "Mean travel time to the destinations reached"),
    ("summary: ['within:60']", "Share of destinations within 1 min"),
  ])
  func pictureOfAMatrixHasThePagesFirstMeasure(keys: String, title: String) throws {
    let scene = try ReportScene("kind: 'matrix', origins: 'origins.csv', \(keys)")
    defer { scene.remove() }
    #expect(scene.html.contains("<figcaption>\(title) <small>"))
  }

  /// A page for embedding in another page has no tables, and is smaller than 400 kB.
  @Test(arguments: jobs.keys.sorted())
  func embeddedPageContainsOnlyTheMap(kind: String) throws {
    let scene = try scene(kind)
    defer { scene.remove() }
    let path = scene.scratch.path("embed.html")
    try Report(of: scene.scratch.path("out/results.sqlite")).writeEmbedded(to: path)
    let page = scene.scratch.text("embed.html")
    #expect(page.contains("class=\"explorer\"") && page.contains("\"isEmbedded\":true"))
    #expect(!page.contains("<table") && !page.contains("<details") && !page.contains("<svg"))
    #expect(page.utf8.count < 400_000, "\(page.utf8.count) bytes")
    #expect(!page.contains("id=\"drawn\""))
  }

  /// The middle percentile is the last of the list.
  private static let percentiles =
    "traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo'], percentiles: [100, 0, 50]"

  /// A page for embedding is as small for many rows: it says how many of them it shows, and keeps its basemap.
  @Test(arguments: [
    ("routes", "pairs: 'pairs12.csv'", "\"flows\":{"),
    ("etas", "pairs: 'pairs12.csv'", " of \(Format.count(12_000)) trips\""),
    ("matrix", "origins: 'places.csv', format: ['npy']", " of 1500 origins\""),
    ("matrix", "origins: 'places.csv', format: ['npy'], summary: ['mean', 'within:60,120']", " of 1500 origins\""),
    (
      "matrix", "origins: 'places.csv', format: ['npy'], summary: ['mean', 'within:60'], \(percentiles)",
      " of 1500 origins, at percentile 50\""
    ),
    ("access", "origins: 'places12.csv', stations: 'stations.csv'", " of \(Format.count(12_000)) origins\""),
    ("isochrones", "origins: 'places.csv', thresholds: [1, 2]", " of 1500 places\""),
    ("traces", "traces: 'tracks.csv'", " of 1500 traces\""),
  ])
  func embeddedPagesOfLargeJobsAreSmall(kind: String, keys: String, drawn: String) throws {
    let map = ReportScene.map
    /// Returns a table of places, or of trips, near the streets.
    func table(_ count: Int, _ columns: String, _ ends: [[Character]]) -> String {
      let rows = (0..<count).map { row in
        let points = ends.map { letters in
          let point = map[letters[row % letters.count]]
          return ",\(point.longitude + Double(row % 100) * 1e-6),\(point.latitude + Double(row / 100) * 1e-6)"
        }
        return "place number \(row)\(points.joined())\n"
      }
      return "id,\(columns)\n" + rows.joined()
    }
    let files = [
      "pairs12.csv": table(12_000, "o_lon,o_lat,d_lon,d_lat", [Array("abcde"), Array("hgf")]),
      "places12.csv": table(12_000, "lon,lat", [Array("abcde")]),
      "places.csv": table(1500, "lon,lat", [Array("abcde")]),
      "tracks.csv": map.traces((0..<1500).map { map.fixes("trace number \($0)", along: "abcdhgf") }),
    ].filter { keys.contains($0.key) }
    let scene = try ReportScene("kind: '\(kind)', \(keys)", files: files)
    defer { scene.remove() }
    let path = scene.scratch.path("embed.html")
    try Report(of: scene.scratch.path("out/results.sqlite")).writeEmbedded(to: path)
    let page = scene.scratch.text("embed.html")
    #expect(scene.html.utf8.count > 400_000 && page.utf8.count < 400_000, "\(page.utf8.count) bytes")
    #expect(page.contains("[\"street\",") && page.contains(drawn), "\(page.firstMatch(of: /id="drawn".*/)?.0 ?? "")")
    #expect(keys.contains("percentiles") == page.contains("\"hours\":[\"percentile 50\"],\"rows\":[]"))
  }

  /// Results of earlier versions have no grids, which otherwise replace areas on a reduced map.
  @Test func areasWithoutGridsAreCoarseOnReducedMaps() throws {
    let b = ReportScene.map["b"]
    let rows = (0..<1500).map { "\($0),\(b.longitude + Double($0) * 1e-6),\(b.latitude)\n" }
    let scene = try ReportScene(
      "kind: 'isochrones', origins: 'places.csv', thresholds: [1, 2]",
      files: ["places.csv": "id,lon,lat\n" + rows.joined()])
    defer { scene.remove() }
    let (results, path) = (scene.scratch.path("out/results.sqlite"), scene.scratch.path("embed.html"))
    _ = try TestDatabase(results).list("DELETE FROM travel_time_grid")
    try Report(of: results).writeEmbedded(to: path)
    let page = scene.scratch.text("embed.html")
    #expect(page.utf8.count < 400_000 && page.contains(" of 1500 places\""), "\(page.utf8.count) bytes")
    #expect(page.contains(/"Edges of areas have a point every \d+ m;/))
  }

  @Test(arguments: jobs.keys.sorted())
  func equalResultsGiveEqualPages(kind: String) throws {
    let scene = try scene(kind)
    defer { scene.remove() }
    let again = try Report(of: scene.scratch.path("out/results.sqlite")).html()
    #expect(again == scene.html)
  }
}
