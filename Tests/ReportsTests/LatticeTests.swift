import Foundation
import Geography
import Reports
import Testing

/// Origins on a lattice are drawn as complete cells.
struct LatticeTests {
  /// Returns seven rows of points, every other row shifted; neighbours in a row are 0.001° apart.
  private func points(shifted: Double, apart: Double, jitter: Double = 0) -> [(point: FixedCoordinate, shade: Int?)] {
    (0..<7).flatMap { row in
      (0..<7).map { column in
        let odd = row % 2 == 0 ? 0 : shifted
        let noise = jitter * Double((row * 31 + column * 17) % 7 - 3)
        let place = Coordinate(
          latitude: 0.001 * apart * Double(row), longitude: 0.001 * (Double(column) + odd + noise))
        return (FixedCoordinate(place), row == 6 ? nil : row)
      }
    }
  }

  private func picture(_ points: [(point: FixedCoordinate, shade: Int?)]) throws -> String {
    var picture = try #require(MapPicture(around: points.map(\.point)))
    picture.draw(points)
    picture.explain([("--none", "nothing")])
    return picture.html(title: "t", unit: "u")
  }

  @Test func pointsWithSixNeighboursAreHexagons() throws {
    let html = try picture(points(shifted: 0.5, apart: 0.75.squareRoot()))
    #expect(html.matches(of: /class="cells" fill="var\(--c\d\)"/).count == 6 && !html.contains("h0"))
    #expect(html.contains("fill=\"url(#hatch)\"") && html.contains("<i class=\"hatch\""))
  }

  @Test func pointsWithFourNeighboursAreSquares() throws {
    #expect(try picture(points(shifted: 0, apart: 1)).contains("class=\"cells\""))
  }

  /// A grid in degrees: at 43° of latitude, its rows are 1.37 times as far apart as its columns.
  @Test(arguments: [1.0, 1.1, 1.2, 1.37, 1.7, 2.0, 2.3, 1 / 1.37], [0.0, 0.3])
  func gridsOfDegreesAreRectangles(apart: Double, turned: Double) throws {
    let places = points(shifted: 0, apart: apart).map { place in
      let at = place.point.coordinate
      let (x, y) = (at.longitude, at.latitude)
      let turn = Coordinate(
        latitude: x * sin(turned) + y * cos(turned), longitude: x * cos(turned) - y * sin(turned))
      return (point: FixedCoordinate(turn), shade: place.shade)
    }
    let html = try picture(places)
    let cells = try #require(html.firstMatch(of: /class="cells"[^>]* d="M[^l]*l([-\d ]+)z/))
    let steps = cells.1.split(separator: " ").compactMap { Double($0) }
    #expect(steps.count == 6, "\(cells.1)")
    let sides = (hypot(steps[0], steps[1]), hypot(steps[2], steps[3]))
    #expect(abs(max(sides.0, sides.1) / min(sides.0, sides.1) - max(apart, 1 / apart)) < 0.05, "\(cells.1)")
  }

  @Test func elongatedGridsAreDots() throws {
    #expect(try !picture(points(shifted: 0, apart: 2.6)).contains("class=\"cells\""))
  }

  @Test func otherPointsAreDots() throws {
    let html = try picture(points(shifted: 0.5, apart: 0.75.squareRoot(), jitter: 0.08))
    #expect(!html.contains("class=\"cells\"") && html.contains("h0"))
  }
}
