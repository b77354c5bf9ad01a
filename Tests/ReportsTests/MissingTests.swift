import Testing

/// Who is off the map, in the head of a page and in its list.
struct MissingTests {
  @Test func placesOffTheMapAreInTheHeadAndListed() throws {
    let scene = try ReportScene("kind: 'access', origins: 'origins.csv', stations: 'stations.csv'")
    defer { scene.remove() }
    let head = try #require(
      scene.html.firstMatch(of: /<section class="missing"><ul>(.*?)<\/ul>/.dotMatchesNewlines())?.1)
    #expect(head.contains("of 4 origins: 1 off the map") && head.contains("of those on the map"))
    let list = try #require(scene.html.firstMatch(of: /<div id="missing">(.*?)<\/table>/.dotMatchesNewlines())?.1)
    #expect(list.matches(of: /<tr><td>/).count == 1 && list.contains("<td>off the map</td>"))
    #expect(list.contains("https://www.openstreetmap.org/?mlat="))
  }

  @Test func thereIsNothingWhereAllIsWell() throws {
    let scene = try ReportScene("kind: 'isochrones', origins: 'stations.csv', thresholds: [2]")
    defer { scene.remove() }
    #expect(!scene.html.contains("class=\"missing\"") && !scene.html.contains("id=\"missing\""))
  }
}
