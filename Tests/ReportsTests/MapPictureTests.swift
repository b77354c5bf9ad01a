import Geography
import Reports
import Testing

/// Static maps without a basemap.
struct MapPictureTests {
  private func point(_ longitude: Double, _ latitude: Double) -> FixedCoordinate {
    FixedCoordinate(Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test func isEmptyWithoutPoints() { #expect(MapPicture(around: []) == nil) }

  /// The view around a single point is at least a kilometre wide, with the point at its centre.
  @Test func centresASinglePoint() throws {
    let point = point(24.9, 60.2)
    var picture = try #require(MapPicture(around: [point]))
    picture.draw([(point, 0)])
    let html = picture.html(title: "One", unit: "place")
    let view = try #require(html.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/))
    let spot = try #require(html.firstMatch(of: /d="M(\d+) (\d+)h0"/))
    let (width, height) = (try #require(Int(view.1)), try #require(Int(view.2)))
    let (x, y) = (try #require(Int(spot.1)), try #require(Int(spot.2)))
    #expect(abs(x - width / 2) <= 1 && abs(y - height / 2) <= 1)
    #expect(html.contains(">200 m</text>"))
  }

  @Test func framesPlacesOnBothSidesOfTheAntimeridian() throws {
    let places = [point(179.99, -16.8), point(-179.99, -16.79)]
    var picture = try #require(MapPicture(around: places))
    picture.draw(places.map { ($0, 0) })
    let html = picture.html(title: "", unit: "")
    let spots = try html.matches(of: /M(\d+) \d+h0/).map { try #require(Int($0.1)) }
    #expect(spots.count == 2 && spots[0] < spots[1] && html.contains(">200 m</text>"))
  }

  @Test func drawsCoincidentPointsOnce() throws {
    let corners = [point(24, 60), point(25, 61)]
    var picture = try #require(MapPicture(around: corners))
    picture.draw((corners + corners).map { ($0, 0) })
    #expect(picture.html(title: "", unit: "").matches(of: /h0/).count == 2)
  }

  @Test func omitsFarPoints() throws {
    let corners = [point(24, 60), point(25, 61)]
    let (near, far) = (point(25.1, 60.5), point(-70, -10))
    var picture = try #require(MapPicture(around: corners, and: [near, far]))
    picture.draw([(near, nil), (far, nil)])
    picture.mark([(near, "near <1>"), (far, "far")])
    let html = picture.html(title: "", unit: "")
    #expect(html.matches(of: /h0/).count == 1)
    #expect(html.contains("<title>near &lt;1&gt;</title>") && !html.contains("far"))
  }

  /// Where areas overlap, only the last one's colour is visible; it is the same as in the legend.
  @Test func areasCoverEachOther() throws {
    let ring = [point(24, 60), point(25, 60), point(25, 61), point(24, 60)]
    var picture = try #require(MapPicture(around: ring))
    picture.draw([4, 0].map { (rings: [ring], shade: $0) })
    let areas = picture.html(title: "", unit: "").firstMatch(of: /<g opacity="[.\d]+">(.*)<\/g>/)?.1
    #expect(areas?.contains("opacity") == false)
    #expect(areas?.matches(of: /fill="var\((--c\d)\)"/).map(\.1) == ["--c4", "--c0"])
  }

  @Test func linesWithoutAShadeHaveNoScaleColour() throws {
    let line = [point(24, 60), point(25, 61)]
    var picture = try #require(MapPicture(around: line))
    picture.draw([(points: line, shade: nil)], width: 20)
    #expect(picture.html(title: "", unit: "").contains("stroke=\"var(--soft)\""))
  }

  @Test func explainsTheColoursThatItDraws() throws {
    let corners = [point(24, 60), point(25, 61)]
    var picture = try #require(MapPicture(around: corners))
    picture.draw(zip(corners, [0, 2]).map { ($0, $1) })
    picture.explain(ColorScale(breaks: [60, 300, 600]).minutesLegend)
    picture.explain([("--none", "a < b")])
    let html = picture.html(title: "Title & more", unit: "")
    let legend = html.matches(of: /<li><i(?: class="ring")? style="--color:var\((--\w+)\)[^"]*"><\/i>([^<]*)<\/li>/)
    #expect(
      legend.map { "\($0.1) \($0.2)" } == [
        "--c0 up to 1 min", "--c2 up to 10 min", "--none a &lt; b",
      ])
    #expect(html.contains("Title &amp; more"))
  }

  /// An opaque legend would not match: over the land, a translucent colour looks like that of the next class.
  @Test func legendsHaveTheOpacityOfTheMap() throws {
    let line = [point(24, 60), point(25, 61)]
    var picture = try #require(MapPicture(around: line))
    picture.draw([(points: line, shade: 0)], width: 20)
    picture.explain([("--c0", "near"), ("--none", "no route")])
    let html = picture.html(title: "", unit: "")
    #expect(html.contains("stroke-opacity=\"0.74\"") && html.contains("style=\"--color:var(--c0);--part:74%\""))
    #expect(html.contains("style=\"--color:var(--none)\""))
  }

  @Test func shadesUpToEachBreak() {
    let scale = ColorScale(breaks: [60, 120])
    #expect([0, 60, 60.1, 120, 121].map(scale.shade) == [0, 0, 1, 1, 2])
  }

  /// 13 to 19 minutes; 1 to 30 minutes; 10 minutes.
  @Test func limitsFollowTheTimesIfMostWouldBeInOneClass() {
    func limits(_ minutes: [Double]) -> [String] {
      ColorScale(times: minutes.map { $0 * 60 }).minutesLegend.map(\.text)
    }
    let even = (0..<600).map { 13 + Double($0) / 100 }
    #expect(limits(even) == [14, 15, 16, 17, 18].map { "up to \($0) min" } + ["over 18 min"])
    #expect(limits((1...30).map(Double.init)) == [5, 10, 15, 20, 30].map { "up to \($0) min" } + ["over 30 min"])
    #expect(limits([Double](repeating: 10, count: 5)) == [2, 4, 6, 8, 10].map { "up to \($0) min" } + ["over 10 min"])
  }

  /// At night 4 to 6 minutes, by day 7 to 13: limits of 3, 6, 9 … would be enough for both together. A single trip of
  /// another hour is always in one class.
  @Test func noHourHasMostTimesInOneClass() {
    let (night, day) = ((0..<60).map { 240 + 1.8 * Double($0) }, (0..<60).map { 420 + 6 * Double($0) })
    for hours in [[night, day], [night, [300], day]] {
      let scale = ColorScale(times: hours)
      for hour in [night, day] {
        #expect(Dictionary(grouping: hour, by: scale.shade).values.allSatisfy { $0.count <= 36 })
      }
    }
  }

  /// One trip at each of 60 hours, 13 to 19 minutes.
  @Test func limitsFollowTheTimesOfASingleTrip() {
    let scale = ColorScale(times: (0..<60).map { [780 + 6 * Double($0)] })
    #expect(scale.minutesLegend.first?.text == "up to 14 min")
  }
}
