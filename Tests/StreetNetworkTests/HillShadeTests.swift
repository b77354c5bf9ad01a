import Geography
import StreetNetwork
import TestMaps
import Testing

/// Hill shading, with the sun in the northwest.
struct HillShadeTests {
  /// A part of the tile around half a degree, about two kilometres wide.
  private let box = BoundingBox(
    around: [(0.49, 0.49), (0.51, 0.51)].map {
      FixedCoordinate(Coordinate(latitude: $0.0, longitude: $0.1))
    })

  private func light(_ height: (_ column: Int, _ row: Int) -> Int16) throws -> [UInt8] {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try HeightTile.write(to: scratch, height)
    return try #require(try HillShade(Elevation(path: scratch.path("N00E000.hgt")), in: box)).light
  }

  /// Returns the median light of the cells.
  private func typical(_ light: [UInt8]) -> UInt8 { light.sorted()[light.count / 2] }

  @Test func levelGroundIsNeitherLightNorDark() throws {
    #expect(Set(try light { _, _ in 40 }) == [180])
  }

  @Test func slopesFacingTheSunAreLighterThanOthers() throws {
    // The ground rises to the east and to the south, so these slopes face west and north.
    let (west, north) = (try light { column, _ in Int16(column * 20) }, try light { _, row in Int16(row * 20) })
    let (east, south) = (
      try light { column, _ in Int16((1200 - column) * 20) }, try light { _, row in Int16((1200 - row) * 20) }
    )
    #expect(typical(west) > 180 && typical(north) > 180, "\(typical(west)) \(typical(north))")
    #expect(typical(east) < 180 && typical(south) < 180, "\(typical(east)) \(typical(south))")
  }

  @Test func unknownElevationsAreNotShaded() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try HeightTile.write(to: scratch) { _, _ in -9999 }
    #expect(try HillShade(Elevation(path: scratch.path("N00E000.hgt")), in: box) == nil)
  }
}
