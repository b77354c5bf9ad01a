import Foundation
import Geography
import Jobs
import Reports
import Tables
import Testing

/// The basemap under results in a picture. The view extends from 0 to 1 degree, and slightly beyond.
struct BackdropPictureTests {
  private func row(_ layer: String, kind: String = "", zoom: Int = 5, _ shapes: [(String, [[(Double, Double)]])])
    throws
    -> BackdropRow
  {
    let texts = shapes.flatMap { name, lines in
      [name, EncodedPolyline.text(of: lines.map { $0.map { point($0.0, $0.1) } })]
    }
    let json = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
    return BackdropRow(
      layer: layer, kind: kind, minZoom: zoom, box: .empty, features: String(json.dropFirst().dropLast()))
  }

  private func point(_ longitude: Double, _ latitude: Double) -> FixedCoordinate {
    FixedCoordinate(Coordinate(latitude: latitude, longitude: longitude))
  }

  private func html(_ rows: [BackdropRow]) throws -> String {
    var picture = try #require(MapPicture(around: [point(0, 0), point(1, 1)]))
    picture.draw(rows)
    return picture.html(title: "", unit: "")
  }

  private func square(_ least: Double, _ most: Double) -> [(Double, Double)] {
    [(least, least), (most, least), (most, most), (least, most), (least, least)]
  }

  private func names(_ html: String) -> [String] {
    html.matches(of: /<text class="name[^>]*>([^<]*)</).map { String($0.1) }
  }

  @Test func holesOfAreasStayHoles() throws {
    let html = try html([row("park", [("", [square(0.1, 0.9), square(0.3, 0.6)])])])
    #expect(html.contains(/<g class="park" fill="var\(--park\)" fill-rule="evenodd"><path d="M[^M]*zM[^M]*z"\/><\/g>/))
  }

  /// The smallest islands collapse to lines.
  @Test func collapsedHolesAreOmitted() throws {
    let line = [(0.4, 0.4), (0.6, 0.6), (0.4, 0.4)]
    let html = try html([row("sea", [("", [square(-1, 2), line])])])
    #expect(html.contains(/<g class="sea"[^>]*><path d="M[^M]*z"\/><\/g>/))
    let island = [(0.4, 0.4), (0.6, 0.6), (0.4, 0.6), (0.4, 0.4)]
    #expect(try self.html([row("sea", [("", [square(-1, 2), island])])]).contains(/<path d="M[^M]*zM[^M]*z"\/>/))
  }

  @Test func streetsOfAClassAreDrawnOnce() throws {
    let line = [("", [[(0.0, 0.5), (1, 0.5)]])]
    let rows = try [5, 9, 13].map { try row("street", kind: "motorway", zoom: $0, line) }
    let path = try #require(html(rows).firstMatch(of: /var\(--major\)"[^>]* d="([^"]*)"/))
    #expect(path.1.count { $0 == "M" } == 1)
  }

  @Test func areasBeyondTheMapAreHatched() throws {
    #expect(try html([row("extent", [("", [square(0.3, 2)])])]).contains(">edge of the map</text>"))
    #expect(try !html([row("extent", [("", [square(-1, 2)])])]).contains("edge of the map"))
  }

  @Test func seaMaySurroundTheMap() throws {
    #expect(try html([row("sea", [("", [square(-2, 2)])])]).contains("var(--water)"))
    #expect(try !html([row("sea", [("", [square(3, 4)])])]).contains("var(--water)"))
  }

  /// The line has no points inside the view; the part that continues outside is not drawn.
  @Test func linesThroughTheViewAreDrawn() throws {
    let html = try html([row("railway", [("", [[(-1, 0.5), (2, 0.5), (3, 0.5), (3, 3)]])])])
    let path = try #require(html.firstMatch(of: /stroke="var\(--rail\)"[^>]* d="([^"]*)"/))
    #expect(path.1.matches(of: /-?\d+/).count == 4)
  }

  @Test func layersAreDrawnFromTheBottomUp() throws {
    let area = [("", [square(0.1, 0.9)])]
    let rows = try ["street", "railway", "water", "park", "sea"].map { try row($0, area) }
    let order = try html(rows).matches(of: /var\((--(?:water|park|rail|street))\)/).map { String($0.1) }
    #expect(order == ["--water", "--water", "--park", "--water", "--rail", "--street"])
  }

  @Test func namesDoNotOverlap() throws {
    let town = try row("place", kind: "town", [("Town", [[(0.5, 0.5)]])])
    let rows = try [town, row("place", kind: "village", [("Near", [[(0.501, 0.5)]]), ("Far", [[(0.5, 0.8)]])])]
    #expect(try names(html(rows)) == ["Town", "Far"])
  }

  @Test func namesStayInThePictureAndOffTheScale() throws {
    let corners = [("West", [[(-0.1, 0.5)]]), ("Source", [[(1, -0.02)]]), ("Middle", [[(0.5, 0.5)]])]
    #expect(try names(html([row("place", kind: "city", corners)])) == ["Middle"])
  }

  @Test func namesAreEscaped() throws {
    let odd = #"<b>"O'Hara" & \</b>"#
    #expect(try html([row("place", kind: "city", [(odd, [[(0.5, 0.5)]])])]).contains("&lt;b&gt;"))
    #expect(try !html([row("place", kind: "city", [(odd, [[(0.5, 0.5)]])])]).contains("<b>"))
  }

  @Test func drawsFeaturesOfOnlyOneZoomLevel() throws {
    let line = [("", [[(0.0, 0.5), (1, 0.5)]])]
    let html = try html([row("railway", zoom: 9, line), row("railway", zoom: 14, line)])
    #expect(html.matches(of: /var\(--rail\)"[^>]* d="([^"]*)"/).map { $0.1.matches(of: /M/).count } == [1])
  }

  /// A class is drawn completely or not at all: half of a town's streets would look like all of them.
  @Test func omitsWholeClasses() throws {
    let lines = (0..<9000).map { index -> (String, [[(Double, Double)]]) in
      let x = Double(index) / 9000
      return ("A long enough name \(index)", [[(x, 0.1), (x, 0.9)]])
    }
    let rows = try [
      row("street", kind: "primary", [("", [[(0, 0), (1, 1)]])]), row("street", kind: "street", Array(lines[..<4500])),
      row("street", kind: "street", Array(lines[4500...])),
    ]
    #expect(try html(rows).contains("var(--major)") && !html(rows).contains("var(--street)"))
  }
}
