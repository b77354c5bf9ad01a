import Foundation
import Geography
import Reports
import Testing

/// Complete cells of origins on a lattice, in pictures.
struct LatticeTests {
  /// Seven rows of points, every other one shifted; a step is 100 m.
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

  @Test func otherPointsAreDots() throws {
    let html = try picture(points(shifted: 0.5, apart: 0.75.squareRoot(), jitter: 0.08))
    #expect(!html.contains("class=\"cells\"") && html.contains("h0"))
  }
}
