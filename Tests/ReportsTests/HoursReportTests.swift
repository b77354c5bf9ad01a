import Jobs
import Reports
import Tables
import TestMaps
import Testing

/// Pages and comparisons of jobs with several departure times.
struct HoursReportTests {
  private func scene(_ hours: String) throws -> ReportScene {
    try ReportScene(
      "kind: 'matrix', origins: 'origins.csv', destinations: 'stations.csv', traffic: 'city.json5', \(hours)")
  }

  @Test func aSliderGoesThroughTheDepartures() throws {
    let scene = try scene("departures: ['06:00', '07:00', '08:00'], week: ['Mo'],")
    defer { scene.remove() }
    #expect(scene.html.contains("\"hours\":[\"Mo 06:00\",\"Mo 07:00\",\"Mo 08:00\"]"))
    #expect(scene.html.contains("minutes, Mo 06:00</small>"))
  }

  @Test func summariesWithoutCellsAreThoseOfOneHour() throws {
    let scene = try scene("departures: ['06:00', '07:00'], week: ['Mo'], summary: ['mean', 'within:60']")
    defer { scene.remove() }
    #expect(scene.html.contains("\"hours\":[\"Mo 06:00\"],\"rows\":[]"))
    #expect(scene.html.contains(/"mean":\[[^,\]]*(,[^,\]]*){3}\]/) && scene.html.contains("\"shares\":[[["))
  }

  @Test func meansAreExactAtEachHour() throws {
    let scene = try scene("departures: ['06:00', '07:00'], week: ['Mo'], summary: ['mean'], format: ['sqlite']")
    defer { scene.remove() }
    let means = try scene.sql(
      """
      SELECT group_concat(
        iif(mean_travel_time IS NULL, 'null', rtrim(rtrim(printf('%.3f', mean_travel_time), '0'), '.')))
      FROM origin_summary GROUP BY departure ORDER BY departure
      """)
    let hours = means.split(separator: "\n").joined(separator: "],[")
    #expect(scene.html.contains("\"mean\":[[\(hours)]]"), "\(means)")
  }

  @Test func pageNamesTheCellsWithTheGreatestChangeByHour() throws {
    let scene = try scene("departures: ['06:00', '07:00'], week: ['Mo'],")
    defer { scene.remove() }
    let row = try #require(scene.html.firstMatch(of: /<tr>(?:(?!<\/tr>).)*Mo 07:00(?:(?!<\/tr>).)*Mo 06:00.*?<\/tr>/))
    #expect(row.0.contains("data-value=\"2.0\""))
  }

  @Test func pictureAndScriptHaveTheSameClasses() throws {
    let scene = try scene("departures: ['06:00', '07:00'], week: ['Mo'],")
    defer { scene.remove() }
    let scale = try #require(scene.html.firstMatch(of: /"scale":\[([\d,]+)\]/)?.1)
    let legend = scene.html.matches(of: /<\/i>up to ([\d.]+) min<\/li>/).map { String($0.1) }
    // The picture's legend lists only the classes that it draws.
    let classes = scale.split(separator: ",").compactMap { Double($0) }.map(Format.minutes)
    #expect(!legend.isEmpty && classes.filter(legend.contains) == legend)
  }

  @Test func pictureShowsASingleHour() throws {
    let scene = try scene("departures: ['07:00'], week: ['Mo'],")
    defer { scene.remove() }
    #expect(scene.html.contains("minutes, Mo 07:00</small>"))
  }

  @Test func comparisonJoinsByHour() throws {
    let (old, new) = (
      try scene("departures: ['06:00', '07:00'], week: ['Tu'],"),
      try scene("departures: ['06:00', '07:00'], week: ['Tu'],")
    )
    defer {
      old.remove()
      new.remove()
    }
    let summary = try compare(old, new)
    #expect(summary.rows == 16 && summary.counts == [.same: 16])
  }

  /// Four trips have routes at each of 13 hours, 52 routes together.
  @Test func hoursAreNotTrips() throws {
    let hours = (6...18).map { "'\($0 < 10 ? "0" : "")\($0):00'" }.joined(separator: ", ")
    let scene = try ReportScene(
      "kind: 'routes', pairs: 'pairs.csv', traffic: 'city.json5', departures: [\(hours)], week: ['Mo']")
    defer { scene.remove() }
    #expect(scene.html.contains("<p class=\"headline\">4 trips on foot at 13 hours, "))
    #expect(scene.html.contains("\"unit\":\"trips at all hours together\",\"isShown\":false"))
  }

  private func cardHeadline(_ scene: ReportScene) throws -> String {
    try Report(of: scene.scratch.path("out/results.sqlite")).writeCard(to: scene.scratch.path("card.svg"))
    let lines = scene.scratch.text("card.svg").matches(of: /class="headline">([^<]*)</).map { String($0.1) }
    #expect(lines.count == 2)
    return lines.joined(separator: " ").replacing("\u{A0}", with: " ")
  }

  @Test func cardsLeaveOutTheSentenceAboutHoursIfItDoesNotFit() throws {
    let scene = try ReportScene(
      "kind: 'routes', pairs: 'pairs.csv', traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo']")
    defer { scene.remove() }
    let headline = try scene.sql("SELECT value FROM job WHERE key = 'headline'")
    #expect(headline.contains(". At 07:00 trips take "))
    #expect(try headline.hasPrefix(cardHeadline(scene) + " At 07:00"))
  }

  @Test func cardsLeaveOutTheRangeOfAreasIfItDoesNotFit() throws {
    let noun = [String](repeating: "place", count: 7).joined(separator: " ")
    let scene = try ReportScene("kind: 'isochrones', origins: 'origins.csv', thresholds: [2], noun: '\(noun)'")
    defer { scene.remove() }
    let headline = try scene.sql("SELECT value FROM job WHERE key = 'headline'").replacing("\u{A0}", with: " ")
    let shown = try cardHeadline(scene)
    #expect(shown.hasSuffix("².") && headline.hasPrefix(shown.dropLast() + " ("), "\(shown) \(headline)")
  }

  @Test func pairsWithoutAnAnswerHaveTheirHours() throws {
    let scene = try ReportScene(
      "kind: 'etas', pairs: 'pairs.csv', traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo']")
    defer { scene.remove() }
    let table = try #require(
      scene.html.split(separator: "<caption>Pairs without an answer").last?.split(separator: "</table>").first)
    #expect(table.matches(of: /<td>Mo 0[67]:00<\/td>/).count == 2, "\(table)")
  }

  @Test func namesOnCardsMayHaveFullStops() throws {
    let noun = "St. Pauli \([String](repeating: "long", count: 30).joined(separator: " "))"
    let scene = try ReportScene("kind: 'isochrones', origins: 'origins.csv', thresholds: [2], noun: '\(noun)'")
    defer { scene.remove() }
    let shown = try cardHeadline(scene)
    #expect(shown.contains(" St. Pauli long") && shown.hasSuffix("long …"), "\(shown)")
  }

  /// Each trip has its own departure.
  @Test func tripsWithArrivalsHaveTheHoursOfTheJob() throws {
    let scene = try ReportScene(
      "kind: 'etas', pairs: 'pairs.csv', traffic: 'city.json5', arrivals: ['06:00', '07:30'], week: ['Mo']")
    defer { scene.remove() }
    #expect(scene.html.contains("\"hours\":[\"Mo 06:00\",\"Mo 07:30\"],\"hour\":[0,1,0,1,0,1,0,1,0,1]"))
  }

  /// Of five pairs, a survey lists the third as a sample and the last, which has no route.
  @Test func pairsOfASampleAreListedAtAllHours() throws {
    let scene = try ReportScene(
      "kind: 'etas', pairs: 'pairs.csv', traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo']")
    defer { scene.remove() }
    let database = try ResultsDatabase(path: scene.scratch.path("out/results.sqlite"))
    let pairs = try database.listedPairs(of: database.routeSurvey(listing: 8, workers: 2))
    #expect(pairs.map(\.row) == [5, 6, 9, 10] && pairs.map(\.hour) == [1, 2, 1, 2])
  }

  private func drawnTrips(_ scene: ReportScene, atMost limit: Int) throws -> [Int] {
    let database = try ResultsDatabase(path: scene.scratch.path("out/results.sqlite"))
    let (lines, count) = try database.drawnTrips(atMost: limit, of: database.routeSurvey(listing: 100))
    return [lines.count, count]
  }

  @Test func pictureOfRoutesShowsOneHour() throws {
    let scene = try ReportScene(
      "kind: 'routes', pairs: 'pairs.csv', traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo']")
    defer { scene.remove() }
    #expect(scene.html.contains("coloured by travel time, minutes, Mo 06:00</small>"))
    #expect(try drawnTrips(scene, atMost: 9) == [4, 4])
  }

  @Test func pictureShowsPairsWithTheirOwnTimeWithoutAnHour() throws {
    let ends = "ae".map { "\(ReportScene.map[$0].longitude),\(ReportScene.map[$0].latitude)" }.joined(separator: ",")
    let scene = try ReportScene(
      """
      kind: 'routes', pairs: 'times.csv', traffic: 'city.json5', timeZone: 'Etc/UTC',
      departureDate: '2026-11-23T12:00:00Z'
      """,
      files: [
        "times.csv": "departure_time,o_lon,o_lat,d_lon,d_lat\n2026-11-23T07:00:00Z,\(ends)\n,\(ends)\n"
      ])
    defer { scene.remove() }
    #expect(scene.html.contains("coloured by travel time, minutes</small>"))
    #expect(try drawnTrips(scene, atMost: 9) == [2, 2])
  }

  private func access(_ hours: String) throws -> ReportScene {
    try ReportScene(
      "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', traffic: 'city.json5', \(hours)")
  }

  @Test func accessHasASliderAndACurveOverTheDay() throws {
    let scene = try access("departures: ['06:00', '07:00'], week: ['Mo'],")
    defer { scene.remove() }
    #expect(scene.html.contains("\"hours\":[\"Mo 06:00\",\"Mo 07:00\"]"))
    #expect(scene.html.contains("with a station within each time, by hour"))
    #expect(
      scene.html.contains(", mean of 2 hours")
        && scene.html.contains("origins (once for each of 2 hours) have a station within reach"))
    #expect(scene.html.matches(of: /<td>Mo 07:00<\/td>/).count > 3)
  }

  @Test func comparisonOfAccessJoinsByHour() throws {
    let (old, new) = (
      try access("departures: ['06:00', '07:00'], week: ['Mo'],"),
      try access("departures: ['06:00', '07:00'], week: ['Tu'],")
    )
    defer {
      old.remove()
      new.remove()
    }
    #expect(throws: ResultsError.self) { try compare(old, new) }
    let summary = try compare(old, old)
    #expect(summary.rows == 8 && summary.counts == [.same: 8])
  }

  @Test func comparisonRefusesOtherHours() throws {
    let (old, new) = (
      try scene("departures: ['06:00', '07:00'], week: ['Mo'],"), try scene("departures: ['06:00'], week: ['Mo'],")
    )
    defer {
      old.remove()
      new.remove()
    }
    let error = try #require(throws: ResultsError.self) { try compare(old, new) }
    #expect(
      error.problem
        == "these results are for Mo 06:00, Mo 07:00, the new ones for Mo 06:00; expected results for the same hours")
  }

  private func compare(_ old: ReportScene, _ new: ReportScene) throws -> ComparisonSummary {
    try Comparison(
      old: old.scratch.path("out/results.sqlite"), new: new.scratch.path("out/results.sqlite"),
      try #require(ChangeThreshold("0s"))
    ).write(to: new.scratch.path("compare.sqlite"))
  }
}
