import Foundation
import Geography

/// Hill shading with light from the northwest, as a grid of cells.
package struct HillShade: Sendable {
  package private(set) var columns = 0
  package private(set) var rows = 0
  /// The light on each cell, row by row from the north: 0 in full shade, 255 in full light, 180 on level ground.
  package private(set) var light: [UInt8] = []

  /// The number of cells along the longer side, and the minimum cell size in metres.
  private static let (maximumCells, minimumCellMetres) = (200.0, 30.0)
  /// The vertical exaggeration of slopes.
  private static let exaggeration = 2.0

  /// Returns nil if the elevation of most cells is unknown. *Throws*: `MapError` if a raster cannot be read.
  package init?(_ elevation: Elevation, in box: BoundingBox) throws {
    let heights = try elevation.heights()
    let xScale = max(0.01, cos(box.centre.coordinate.latitude * .pi / 180))
    let unit = Coordinate.metresPerDegree / 1e7
    let (wide, high) = (
      (Double(box.maxLongitude) - Double(box.minLongitude)) * xScale * unit,
      (Double(box.maxLatitude) - Double(box.minLatitude)) * unit
    )
    let metres = max(HillShade.minimumCellMetres, max(wide, high) / HillShade.maximumCells)
    (columns, rows) = (max(3, Int(wide / metres)), max(3, Int(high / metres)))
    let known = try (0..<columns * rows).map { index in
      let part = (
        x: (Double(index % columns) + 0.5) / Double(columns), y: (Double(index / columns) + 0.5) / Double(rows)
      )
      return try heights.height(
        longitude: (Double(box.minLongitude) + (Double(box.maxLongitude) - Double(box.minLongitude)) * part.x) / 1e7,
        latitude: (Double(box.maxLatitude) - (Double(box.maxLatitude) - Double(box.minLatitude)) * part.y) / 1e7)
    }
    guard known.count(where: { $0 != nil }) * 2 > known.count else { return nil }
    let cell = (wide: wide / Double(columns), high: high / Double(rows))
    light = known.indices.map { brightness(at: $0, of: known, cell) }
  }

  /// Computes the shading (B. Horn 1981), with the sun at 45 degrees.
  private func brightness(at index: Int, of heights: [Double?], _ cell: (wide: Double, high: Double)) -> UInt8 {
    let (column, row) = (index % columns, index / columns)
    func height(_ right: Int, _ down: Int) -> Double? {
      heights[min(max(row + down, 0), rows - 1) * columns + min(max(column + right, 0), columns - 1)]
    }
    guard let west = height(-1, 0), let east = height(1, 0), let north = height(0, -1), let south = height(0, 1) else {
      return HillShade.level
    }
    let eastward = (east - west) / (2 * cell.wide) * HillShade.exaggeration
    let northward = (north - south) / (2 * cell.high) * HillShade.exaggeration
    // The normal (-eastward, -northward, 1) and the sun (-1/2, 1/2, √1/2).
    let sun = (eastward - northward) / 2 + 0.5.squareRoot()
    let value = sun / (eastward * eastward + northward * northward + 1).squareRoot()
    return UInt8(min(max(value, 0), 1) * 255 + 0.5)
  }

  private static let level = UInt8(0.5.squareRoot() * 255 + 0.5)
}
