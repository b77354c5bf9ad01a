import Foundation

/// An elevation tile in SRTM's layout, drawn by a test.
public enum HeightTile {
  /// The distance between adjacent values in metres: 1201 values span a degree of the equator.
  public static let spacing = 111_195.079_734_463 / 1200

  /// Writes the tile `N00E000.hgt`, or one with another name, with the values of `height(column, row)`, from west to
  /// east and from north to south.
  public static func write(
    to scratch: Scratch, named name: String = "N00E000.hgt", _ height: (_ column: Int, _ row: Int) -> Int16
  ) throws {
    var bytes = Data(capacity: 1201 * 1201 * 2)
    for row in 0...1200 {
      for column in 0...1200 {
        let value = UInt16(bitPattern: height(column, row))
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
      }
    }
    try bytes.write(to: URL(fileURLWithPath: scratch.path(name)))
  }
}
