import Jobs
import Reports
import Tables
import TestMaps
import Testing

/// Results in one sentence, and missing data in one line.
struct HeadlineTests {
  private func entry(_ scene: ReportScene, _ key: String) throws -> String {
    String(try scene.sql("SELECT value FROM job WHERE key = '\(key)'").dropLast())
  }

  /// Returns the median, 95th percentile and maximum of travel times, formatted for readers.
  private func times(_ scene: ReportScene) throws -> [String] {
    try scene.sql(
      "SELECT median, p95, max FROM statistic WHERE scope = 'job' AND measure = 'expected_travel_time'"
    ).dropLast().split(separator: "|").compactMap { Double($0) }.map(Format.duration)
  }

  private func expectPage(_ scene: ReportScene, says headline: String, without missing: String) throws {
    #expect(try entry(scene, "headline") == headline)
    #expect(try entry(scene, "missing") == missing)
    #expect(scene.html.contains("<p class=\"headline\">\(HTML.unbroken(HTML.escaped(headline)))</p>"))
  }

  private let access = "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', thresholds: [1, 5], "

  @Test func headlineCountsPeopleReachingAStation() throws {
    let scene = try ReportScene(access + "weights: ['jobs, total']")
    defer { scene.remove() }
    try expectPage(
      scene, says: "60 % of 100 jobs, total reach one of 2 stations within 5 min on foot.",
      without: "1 of 4 origins outside the map; 1 row of the input rejected")
  }

  @Test func usesTheVocabularyOfTheJob() throws {
    let words = "title: 'Who <reaches> one?', noun: 'hospitals', unit: { 'jobs, total': 'jobs' }"
    let scene = try ReportScene(access + "weights: ['jobs, total'], \(words)")
    defer { scene.remove() }
    #expect(try entry(scene, "headline") == "60 % of 100 jobs reach one of 2 hospitals within 5 min on foot.")
    #expect(scene.html.contains("<h1>Who &lt;reaches&gt; one?</h1>") && scene.html.contains(#""noun":"hospitals""#))
    #expect(scene.html.contains("of 4 origins have hospitals within reach"))
    #expect(scene.html.contains("Catchments of hospitals, jobs <"))
  }

  @Test func countsPlacesWithoutWeights() throws {
    let scene = try ReportScene(access + "weights: [], direction: 'from'")
    defer { scene.remove() }
    #expect(try entry(scene, "headline") == "75 % of 4 places are reached from one of 2 stations within 5 min on foot.")
  }

  @Test func statesTheDurationOfTrips() throws {
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv'")
    defer { scene.remove() }
    let times = try times(scene)
    let metres = try scene.sql("SELECT median FROM statistic WHERE scope = 'job' AND measure = 'distance'").dropLast()
    let length = Format.length(try #require(Double(metres)))
    try expectPage(
      scene, says: "4 trips on foot, typically \(times[0]) and \(length); the longest takes \(times[2]).",
      without: "1 of 5 origins outside the map")
  }

  /// a reaches c, c reaches everything on the map, and e reaches everything except a; 9 is off the map.
  @Test func statesTheReachOfAMatrix() throws {
    let scene = try ReportScene(
      "kind: 'matrix', origins: 'origins.csv', weight: 'jobs, total', summary: ['within:100,150,400', 'mean']")
    defer { scene.remove() }
    try #expect(
      entry(scene, "headline")
        == "Within 2.5 min on foot half of 4 places reach 50 % or more of 100 jobs, total, 1 of the places none of them."
    )
    #expect(scene.html.contains(#""within":{"thresholds":[100,150,400],"unit":"jobs, total","shares":[[["#))
  }

  @Test func saysIfMostPlacesReachNothing() throws {
    let rows = zip("ace", [0, 0, 7]).map {
      "\($0),\(ReportScene.map[$0].longitude),\(ReportScene.map[$0].latitude),\($1)\n"
    }
    let scene = try ReportScene(
      "kind: 'matrix', origins: 'few.csv', weight: 'jobs', summary: ['within:10']",
      files: ["few.csv": "id,lon,lat,jobs\n" + rows.joined()])
    defer { scene.remove() }
    #expect(try entry(scene, "headline") == "Within 10 s on foot 2 of 3 places reach none of 7 jobs.")
  }

  /// c and e reach one another, and 50 jobs; a and 9 are outside the coverage.
  @Test func placesOutsideTheCoverageCountNowhere() throws {
    let (b, e, g) = (ReportScene.map["b"], ReportScene.map["e"], ReportScene.map["g"])
    let (west, east) = ((b.longitude + ReportScene.map["c"].longitude) / 2, e.longitude + 0.0003)
    let (south, north) = (g.latitude - 0.0003, b.latitude + 0.0003)
    let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    let scene = try ReportScene(
      "kind: 'matrix', origins: 'origins.csv', weight: 'jobs, total', summary: ['within:150'], coverage: 'near.geojson'",
      files: ["near.geojson": "{\"type\":\"MultiPolygon\",\"coordinates\":[[\(ring)]]}"])
    defer { scene.remove() }
    #expect(try entry(scene, "headline") == "Within 2.5 min on foot half of 2 places reach 100 % of 50 jobs, total.")
    // The page divides by this number if the job has no summary.
    #expect(scene.html.contains("\"counted\":2,"))
  }

  @Test func statesTheDurationOfAMatrix() throws {
    let scene = try ReportScene("kind: 'matrix', origins: 'origins.csv', destinations: 'stations.csv'")
    defer { scene.remove() }
    let times = try times(scene)
    #expect(
      try entry(scene, "headline")
        == "Typical trip from 3 places to 2 places on foot: \(times[0]); one in twenty takes more than \(times[1]).")
  }

  @Test func statesTheSizeOfAreas() throws {
    let scene = try ReportScene("kind: 'isochrones', origins: 'stations.csv', thresholds: [1, 2]")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(headline.hasPrefix("Within 2 min of a typical one of 2 places on foot: "), "\(headline)")
    #expect(try entry(scene, "missing").isEmpty)
  }

  /// Walking takes twice as long at 7 as at 9.
  @Test func comparesTheAreasOfHours() throws {
    let scene = try ReportScene(
      "kind: 'isochrones', origins: 'stations.csv', thresholds: [2], departures: ['07:00', '09:00'], week: ['Mo'], "
        + "traffic: 'city.json5'")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(
      headline.contains(/^Within 2 min of a typical one of 2 places on foot: .+ at 09:00, .+ at 07:00\.$/),
      "\(headline)")
  }

  @Test func statesTheDirectionOfRings() throws {
    let scene = try ReportScene(
      "kind: 'isochrones', origins: 'stations.csv', thresholds: [1, 2], bands: true, direction: 'to'")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(headline.hasPrefix("Between 1 and 2 min to a typical one of 2 places on foot: "), "\(headline)")
  }

  /// Rings are named by both of their limits; whole areas are listed.
  @Test func statesTheSizeOfRings() throws {
    let scenes = try [false, true].map { bands in
      try ReportScene("kind: 'isochrones', origins: 'stations.csv', thresholds: [1, 2], bands: \(bands)")
    }
    defer { scenes.forEach { $0.remove() } }
    let headline = try entry(scenes[1], "headline")
    #expect(headline.hasPrefix("Between 1 and 2 min from a typical one of 2 places on foot: "), "\(headline)")
    #expect(scenes[1].html.contains("typical area between 1 and 2\u{A0}min"))
    let areas = try scenes.map { scene in
      try ResultsDatabase(path: scene.scratch.path("out/results.sqlite")).areas().compactMap(\.squareMetres)
    }
    #expect(areas[0].count == 4 && areas[1].count == 4)
    for (whole, summed) in zip(areas[0], areas[1]) { #expect(abs(whole - summed) <= 1) }
  }

  @Test(arguments: [
    ("[50]", " at the median"), ("[90]", " at percentile 90"),
    ("[25, 50, 75]", " at percentiles 25, 50 and 75 together"),
  ])
  func namesThePercentilesOfAMatrix(percentiles: String, words: String) throws {
    let scene = try ReportScene(
      "kind: 'matrix', origins: 'origins.csv', departures: ['07:00', '08:00'], week: ['Mo'], traffic: 'city.json5', "
        + "percentiles: \(percentiles)")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(headline.hasPrefix("Typical trip between 3 places on foot\(words): "), "\(headline)")
  }

  @Test func givesAPlaceWithoutANameANoun() throws {
    let place = ReportScene.map["b"]
    let scene = try ReportScene(
      "kind: 'isochrones', origins: 'one.csv', thresholds: [1]",
      files: ["one.csv": "id,lon,lat\n1,\(place.longitude),\(place.latitude)\n"])
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(headline.hasPrefix("Within 1 min of place 1 on foot: "), "\(headline)")
  }

  @Test func statesTheNumberOfHours() throws {
    let scene = try ReportScene(
      "kind: 'etas', pairs: 'pairs.csv', departures: ['07:00', '08:00'], week: ['Mo'], traffic: 'city.json5'")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(headline.hasPrefix("4 trips on foot at 2 hours, typically "), "\(headline)")
  }

  @Test(arguments: ["kind: 'etas', pairs: 'pairs.csv'", "kind: 'matrix', origins: 'origins.csv'"])
  func comparesTheSlowestWithTheFastestHour(job: String) throws {
    let scene = try ReportScene("\(job), departures: ['07:00', '09:00'], week: ['Mo'], traffic: 'city.json5'")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(headline.contains(/\. At 0[79]:00 trips take \d\.\d\d times as long as at 0[79]:00\.$/), "\(headline)")
  }

  @Test(arguments: [
    "kind: 'isochrones', origins: 'one.csv', thresholds: [1]",
    "kind: 'access', origins: 'one.csv', stations: 'stations.csv'",
  ])
  func advisesOnPlacesThatAreAllOffTheMap(keys: String) throws {
    let scene = try ReportScene(keys, files: ["one.csv": "id,lon,lat\n1,-70,-10\n"])
    defer { scene.remove() }
    #expect(try entry(scene, "missing") == "1 of 1 origin outside the map; check that the map is the right extract")
  }

  @Test func countsTripsAtTheMedianPercentile() throws {
    let scene = try ReportScene(
      "kind: 'etas', pairs: 'pairs.csv', departures: ['07:00', '08:00'], week: ['Mo'], traffic: 'city.json5', "
        + "percentiles: [25, 50, 75]")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(headline.hasPrefix("4 trips on foot at the median, typically "), "\(headline)")
    // Unlike the headline, the statistics cover all rows.
    let words = "at percentiles 25, 50 and 75 together"
    #expect(scene.html.contains("table statistic, \(words)"))
    let folder = ResultsFolder(path: scene.scratch.path("out"))
    #expect(try Summary(of: folder).table.hasSuffix("\nall values \(words)"))
  }

  @Test func figuresAndHistoryAreOfTheSamePercentileAsTheHeadline() throws {
    let hours = "departures: ['07:00', '08:00'], week: ['Mo'], traffic: 'city.json5', percentiles: [25, 50, 75]"
    for keys in ["kind: 'etas', pairs: 'pairs.csv', ", access + "weights: [], "] {
      let scene = try ReportScene(keys + hours)
      defer { scene.remove() }
      let (headline, job) = (try entry(scene, "headline"), try RunHistory(of: scene.scratch.folder).jobs[0])
      let value = try #require(job.nights[0].value)
      let text = job.unit == .share ? Format.percent(value) : Format.duration(value)
      #expect(headline.contains(" on foot at the median") && headline.contains(text), "\(headline)")
      #expect(scene.figures.contains { $0.hasPrefix("\(text) ") && $0.hasSuffix(" at the median") }, "\(scene.figures)")
      #expect(scene.figures[0].contains("(once for each of 3 percentiles) have "), "\(scene.figures)")
    }
  }

  @Test(arguments: [
    ("departureDate: '2026-11-23T08:00:00+01:00'", "on Mon 23 Nov 2026 at 08:00 UTC+01:00"),
    ("departureDate: '2026-11-23T08:00:00+01:00', timeZone: 'Europe/Lisbon'", "on Mon 23 Nov 2026 at 08:00 UTC+01:00"),
    ("departureDate: '2026-11-23T08:00:00+01:00', timeZone: 'Europe/Berlin'", "on Mon 23 Nov 2026 at 08:00"),
    ("arrivalDate: '2026-11-23T09:00:00+01:00'", "arriving on Mon 23 Nov 2026 by 09:00 UTC+01:00"),
  ])
  func statesTheDateOfTrips(key: String, moment: String) throws {
    let scene = try ReportScene("kind: 'routes', pairs: 'pairs.csv', \(key)")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(headline.hasPrefix("4 trips on foot \(moment), typically "), "\(headline)")
    #expect(scene.html.contains("; trips \(moment)"))
  }

  @Test(arguments: ["departureDate", "arrivalDate"], ["", ", traffic: 'city.json5'"])
  func statesNoDateIfPairsHaveTheirOwn(key: String, traffic: String) throws {
    let points = "ae".map { "\(ReportScene.map[$0].longitude),\(ReportScene.map[$0].latitude)" }.joined(separator: ",")
    let keys = "kind: 'etas', pairs: 'timed.csv', \(key): '2026-11-23T08:00:00Z'\(traffic)"
    let header = "o_lon,o_lat,d_lon,d_lat,departure_time\n"
    for (time, hasDate) in [("", true), ("2026-11-24T08:00:00Z", false)] {
      let scene = try ReportScene(keys, files: ["timed.csv": "\(header)\(points),\n\(points),\(time)\n"])
      defer { scene.remove() }
      let headline = try entry(scene, "headline")
      #expect(
        headline.hasPrefix(hasDate ? "2 trips on foot \(key == "arrivalDate" ? "arr" : "on ")" : "2 trips on foot, "))
      #expect(scene.html.contains("; trips ") == hasDate, "\(headline)")
    }
  }

  /// All routes have the same speed, but different times.
  @Test func omitsTheDistributionOfASingleValue() throws {
    let scene = try ReportScene("kind: 'routes', pairs: 'pairs.csv'")
    defer { scene.remove() }
    #expect(!scene.html.contains("<figcaption>Speed") && scene.html.contains("<figcaption>Travel time"))
  }

  /// Cells are counted in buckets a thousandth wide.
  @Test(arguments: [("etas", "pairs: 'pairs.csv'", false), ("matrix", "origins: 'origins.csv'", true)])
  func histogramsOfMatricesAreWithinATenthOfAPerCent(kind: String, keys: String, isNoted: Bool) throws {
    let scene = try ReportScene("kind: '\(kind)', \(keys)")
    defer { scene.remove() }
    #expect(scene.html.contains("<figcaption>Travel time"))
    #expect(scene.html.contains("The bounds of bins in histograms are within 0.1\u{A0}%.") == isNoted)
  }

  @Test func statesTheComparisonOfTraces() throws {
    let scene = try ReportScene("kind: 'traces', traces: 'traces.csv'")
    defer { scene.remove() }
    let headline = try entry(scene, "headline")
    #expect(
      headline.contains(/^2 of 3 traces followed on foot; they took [0-9.]+ times the expected time\.$/), "\(headline)")
  }

  @Test func refusesInvalidUnitsAndNouns() {
    #expect { try ReportScene(access + "unit: { jobs: 7 }") } throws: {
      "\($0)".contains("unit: got an object, expected an object with strings")
    }
    #expect { try ReportScene("kind: 'etas', pairs: 'pairs.csv', noun: 'hospitals'") } throws: {
      "\($0)".contains("unknown key noun; it belongs to kinds access, isochrones, but this job is of kind etas")
    }
  }
}
