import Foundation

/// Tiles of one degree in the layout of the Shuttle Radar Topography Mission: `N49E008.hgt`, whole metres, most significant
/// byte first, rows from north to south, whose first and last rows and columns lie on the degrees.
final class SRTMTiles: HeightField {
  private var tiles: [Corner: Tile] = [:]
  private var last: (corner: Corner, tile: Tile?)?

  private struct Corner: Hashable {
    var south: Int
    var west: Int
  }

  private struct Tile {
    let file: MappedFile
    let size: Int

    func value(row: Int, column: Int) -> Float {
      let value = Int16(bigEndian: file.bytes.loadUnaligned(fromByteOffset: (row * size + column) * 2, as: Int16.self))
      // -32768, -9999: no ground lies so deep.
      return value < -1000 ? .nan : Float(value)
    }
  }

  /// *Throws*: `MapError` for what is no such tile.
  init(_ paths: [String]) throws {
    for path in paths {
      guard let corner = SRTMTiles.corner(named: (path as NSString).lastPathComponent) else {
        throw MapError(
          map: path, problem: "elevation: its name does not say where it lies, expected one such as N49E008.hgt")
      }
      guard let file = try? MappedFile(path: path) else {
        throw MapError(map: path, problem: "elevation: cannot be read")
      }
      let size = Int(Double(file.bytes.count / 2).squareRoot())
      guard size > 1, size * size * 2 == file.bytes.count else {
        throw MapError(
          map: path,
          problem:
            "elevation: \(file.bytes.count) bytes are no square of heights, expected 25,934,402 (3601 x 3601) or 2,884,802"
        )
      }
      tiles[corner] = Tile(file: file, size: size)
    }
  }

  private static func corner(named name: String) -> Corner? {
    guard let match = name.uppercased().wholeMatch(of: /([NS])(\d\d)([EW])(\d\d\d).*\.HGT/), let south = Int(match.2),
      let west = Int(match.4)
    else { return nil }
    return Corner(south: match.1 == "S" ? -south : south, west: match.3 == "W" ? -west : west)
  }

  func height(longitude: Double, latitude: Double) -> Double? {
    let corner = Corner(south: Int(latitude.rounded(.down)), west: Int(longitude.rounded(.down)))
    if last?.corner != corner { last = (corner, tiles[corner]) }
    guard let tile = last?.tile else { return nil }
    let x = (longitude - Double(corner.west)) * Double(tile.size - 1)
    let y = (Double(corner.south + 1) - latitude) * Double(tile.size - 1)
    let (column, row) = (min(Int(x), tile.size - 2), min(Int(y), tile.size - 2))
    return SRTMTiles.blend(
      (
        tile.value(row: row, column: column), tile.value(row: row, column: column + 1),
        tile.value(row: row + 1, column: column), tile.value(row: row + 1, column: column + 1)
      ), x - Double(column), y - Double(row))
  }
}
