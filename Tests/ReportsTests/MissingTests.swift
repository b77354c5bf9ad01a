import Reports
import Testing

/// Places off the map, at the top of a page and in its list.
struct MissingTests {
  @Test func placesOffTheMapAreCountedAndListed() throws {
    let scene = try ReportScene("kind: 'access', origins: 'origins.csv', stations: 'stations.csv'")
    defer { scene.remove() }
    let head = try #require(scene.html.firstMatch(of: /<p class="missing much">(.*?)<\/p>/)?.1)
    #expect(head.hasPrefix("⚠ 1 of 4 origins outside the map;") && head.contains("href=\"#missing\""))
    let list = try #require(
      scene.html.firstMatch(of: /<details id="missing">(.*?)<\/table>/.dotMatchesNewlines())?.1)
    #expect(list.contains("of 4 origins: 1 outside the map") && list.contains("of those on the map"))
    #expect(list.matches(of: /<tr><td>/).count == 1 && list.contains("<td>outside the map</td>"))
    #expect(list.contains("https://www.openstreetmap.org/?mlat="))
  }

  @Test(arguments: [
    ("kind: 'isochrones', origins: 'origins.csv', thresholds: [2]", "Within 2 minutes", "outside the map"),
    (
      "kind: 'matrix', origins: 'origins.csv', destinations: 'stations.csv'", "Cells by status",
      "a place outside the map or without a street"
    ),
  ])
  func tablesSayThatPlacesAreOffTheMap(keys: String, table: String, reason: String) throws {
    let scene = try ReportScene(keys)
    defer { scene.remove() }
    let rows = try #require(scene.html.split(separator: "<caption>\(table) ").last?.split(separator: "</table>").first)
    #expect(rows.contains("<td>\(reason)</td>") && !rows.contains("no street within"), "\(rows)")
  }

  /// The only place off the map is a station.
  @Test func equalSharesAreNotRepeated() throws {
    let map = ReportScene.map
    let places = { (letters: String) in letters.map { "\($0),\(map[$0].longitude),\(map[$0].latitude)\n" }.joined() }
    let scene = try ReportScene(
      "kind: 'access', origins: 'near.csv', stations: 'some.csv', traffic: 'city.json5', departures: ['07:00'], week: ['Mo']",
      files: ["near.csv": "id,lon,lat\n\(places("ac"))", "some.csv": "id,lon,lat\n\(places("b"))x,-70,-10\n"])
    defer { scene.remove() }
    #expect(scene.html.contains("<li>of 2 stations: 1 outside the map</li>") && scene.html.contains("% of all"))
    #expect(!scene.html.contains("of those on the map") && !scene.html.contains("with places on the map"))
    #expect(scene.html.contains("Slowness by road class") && !scene.html.contains("Streets with speeds from a file"))
  }

  @Test func pairsOffTheMapHaveNoShares() throws {
    let scene = try ReportScene(
      "kind: 'etas', pairs: 'far.csv'", files: ["far.csv": "id,o_lon,o_lat,d_lon,d_lat\nt7,-70,-10,-71,-10\n"])
    defer { scene.remove() }
    #expect(scene.html.contains("<li>no row is on the map</li>") && scene.html.contains(">t7<"))
  }

  @Test(arguments: [
    "kind: 'matrix', origins: 'far.csv'", "kind: 'isochrones', origins: 'far.csv', thresholds: [2]",
    "kind: 'access', origins: 'far.csv', stations: 'stations.csv'",
  ])
  func placesThatAreAllOffTheMapAreDrawnNextToIt(keys: String) throws {
    let scene = try ReportScene(keys, files: ["far.csv": "id,lon,lat\nx,-70,-10\ny,-71,-10\n"])
    defer { scene.remove() }
    let picture = try #require(
      scene.html.firstMatch(of: /<figure class="map picture">(.*?)<\/figure>/.dotMatchesNewlines())?.1)
    // The map is only a dot next to places this far away.
    #expect(picture.contains(/stroke="var\(--accent\)"[^>]*l0 0"/) && picture.contains("stroke=\"var(--alert)\""))
    try Report(of: scene.scratch.path("out/results.sqlite")).writeEmbedded(to: scene.scratch.path("embed.html"))
    let embedded = scene.scratch.text("embed.html")
    #expect(embedded.contains(picture) && embedded.contains("check that the map is the right extract"))
  }

  @Test func pictureWithoutRoutesHasThePlaces() throws {
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv'")
    defer { scene.remove() }
    _ = try scene.sql(
      "UPDATE route SET status = 'directions_not_found', expected_travel_time = NULL WHERE status = 'ok'")
    let html = try Report(of: scene.scratch.path("out/results.sqlite")).html()
    #expect(html.contains("<figcaption>Routes <small>no trip has a route</small>") && html.contains("<circle "))
    #expect(!html.contains("up to 1 min</li>"))
  }

  @Test func nothingIsReportedWithoutProblems() throws {
    let scene = try ReportScene("kind: 'isochrones', origins: 'stations.csv', thresholds: [2]")
    defer { scene.remove() }
    #expect(!scene.html.contains("class=\"missing") && !scene.html.contains("id=\"missing\""))
  }
}
