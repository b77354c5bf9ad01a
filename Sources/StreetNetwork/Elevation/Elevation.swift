import CGDAL
import Foundation
import Geography

/// A digital elevation model (DEM): a raster that GDAL can read, or a folder of such rasters or of SRTM tiles
/// (`N49E008.hgt`), which do not need GDAL.
public struct Elevation: Sendable {
  /// The raster or the folder.
  public let path: String
  /// The hexadecimal SHA-256 of the files' names and contents.
  package let digest: String
  /// The raster files, sorted by name.
  let files: [String]
  /// The identities of the files when the digest was computed.
  let watched: [WatchedFile]

  private static let extensions: Set = ["hgt", "tif", "tiff", "img", "bil", "asc", "dem", "dt0", "dt1", "dt2", "jp2"]

  /// Finds the files at `path`. *Throws*: `OdometerError` if there are none.
  public init(path: String) throws {
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .input(path, "elevation: there is no such file or folder")
    }
    if isFolder.boolValue {
      let all: [String]
      do { all = try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
        throw .input(path, "elevation: the folder cannot be read: \(reason(error))")
      }
      let names = all.filter { Elevation.extensions.contains(($0 as NSString).pathExtension.lowercased()) }
      guard !names.isEmpty else {
        throw .input(
          path, "elevation: there is no raster in this folder, expected files such as N49E008.hgt or dem.tif")
      }
      files = names.map { (path as NSString).appendingPathComponent($0) }
    } else {
      files = [path]
    }
    watched = files.map { WatchedFile(path: $0) }
    do {
      let digests = try files.map { ($0 as NSString).lastPathComponent + " " + (try Digest.of(file: $0).hexadecimal) }
      digest = Digest.of(Array(digests.joined(separator: "\n").utf8)).hexadecimal
    } catch {
      throw .input(path, "elevation: cannot be read: \(reason(error))")
    }
  }

  /// Opens the files. *Throws*: `OdometerError` if one is not a raster.
  func heights() throws -> any HeightField {
    files.allSatisfy { ($0 as NSString).pathExtension.lowercased() == "hgt" }
      ? try SRTMTiles(files) : try Raster(files, named: path)
  }
}

/// A source of elevations, interpolated bilinearly between those of the four values around a place that are known.
protocol HeightField: AnyObject {
  /// Returns the elevation in metres above sea level; nil if unknown. *Throws*: `OdometerError` if the raster cannot be
  /// read.
  func height(longitude: Double, latitude: Double) throws -> Double?
}

extension HeightField {
  /// Interpolates four values, given in rows from the top left; NaN means unknown. `right` and `down` are the place's
  /// distances from the first value, in pixels.
  static func blend(_ values: (Float, Float, Float, Float), _ right: Double, _ down: Double) -> Double? {
    var (sum, weights) = (0.0, 0.0)
    for (value, weight) in [
      (values.0, (1 - right) * (1 - down)), (values.1, right * (1 - down)), (values.2, (1 - right) * down),
      (values.3, right * down),
    ] where !value.isNaN {
      sum += Double(value) * weight
      weights += weight
    }
    return weights > 0 ? sum / weights : nil
  }
}

/// Tiles of one degree in the format of the Shuttle Radar Topography Mission: `N49E008.hgt`, whole metres, big-endian,
/// with rows from north to south; the outermost rows and columns lie on whole degrees.
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
      // -32768 and -9999 mean no data.
      return value < -1000 ? .nan : Float(value)
    }
  }

  /// *Throws*: `OdometerError` if a file is not such a tile.
  init(_ paths: [String]) throws {
    for path in paths {
      guard let corner = SRTMTiles.corner(named: (path as NSString).lastPathComponent) else {
        throw .input(path, "elevation: the file name does not state a position, expected a name such as N49E008.hgt")
      }
      guard let file = try? MappedFile(path: path) else { throw .input(path, "elevation: cannot be read") }
      let size = Int(Double(file.bytes.count / 2).squareRoot())
      guard size > 1, size * size * 2 == file.bytes.count else {
        throw .input(
          path,
          "elevation: \(file.bytes.count) bytes are not a square grid of elevations, expected 25,934,402 (3601 x 3601) or 2,884,802"
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

/// Rasters read by GDAL, as one grid in degrees. Reads blocks on demand and caches recent ones.
final class Raster: HeightField {
  private let raster: OpaquePointer
  private let grid: CGDALGrid
  private let path: String
  private var blocks: [Int: [Float]] = [:]
  /// The indices of the cached blocks, oldest first.
  private var cached: [Int] = []
  private var last: (index: Int, values: [Float]) = (-1, [])
  private static let blockSize = 256
  /// The maximum number of cached blocks: 256 MiB.
  private static let maximumBlocks = 1024

  /// *Throws*: `OdometerError` if GDAL is missing, or a file is not a georeferenced raster.
  init(_ files: [String], named path: String) throws {
    self.path = path
    var problem = [CChar](repeating: 0, count: 500)
    var isMissing: Int32 = 0
    let names = files.map { strdup($0)! }
    defer { for name in names { free(name) } }
    let opened = CGDALOpen(
      names.map { UnsafePointer($0) }, Int32(names.count), &problem, Int32(problem.count), &isMissing)
    guard let opened else {
      let reason = String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw .input(
        path,
        isMissing != 0
          ? "elevation: this DEM requires GDAL, which is not installed (Debian: apt-get install gdal-bin); "
            + "without GDAL, only tiles such as N49E008.hgt can be read"
          : "elevation: \(reason)")
    }
    raster = opened
    grid = CGDALGridOf(opened)
  }

  deinit { CGDALClose(raster) }

  func height(longitude: Double, latitude: Double) throws -> Double? {
    let x = (longitude - grid.west) / grid.east_step
    let y = (latitude - grid.north) / grid.north_step
    // The raster extends half a pixel beyond the centres of its outermost pixels.
    guard x >= -0.5, y >= -0.5, x <= Double(grid.width) - 0.5, y <= Double(grid.height) - 0.5 else { return nil }
    let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    return try Raster.blend(
      (
        value(column, row), value(column + 1, row), value(column, row + 1), value(column + 1, row + 1)
      ), x - Double(column), y - Double(row))
  }

  private func value(_ column: Int, _ row: Int) throws -> Float {
    let x = min(max(column, 0), Int(grid.width) - 1)
    let y = min(max(row, 0), Int(grid.height) - 1)
    let size = Raster.blockSize
    let perRow = (Int(grid.width) + size - 1) / size
    let index = y / size * perRow + x / size
    if last.index != index { last = (index, try block(index, perRow)) }
    let width = min(size, Int(grid.width) - x / size * size)
    return last.values[y % size * width + x % size]
  }

  private func block(_ index: Int, _ perRow: Int) throws -> [Float] {
    if let known = blocks[index] { return known }
    let size = Raster.blockSize
    let (x, y) = (index % perRow * size, index / perRow * size)
    let (width, height) = (min(size, Int(grid.width) - x), min(size, Int(grid.height) - y))
    var values = [Float](repeating: .nan, count: width * height)
    guard CGDALRead(raster, Int32(x), Int32(y), Int32(width), Int32(height), &values) == 0 else {
      throw .input(path, "elevation: GDAL cannot read the raster at pixel \(x), \(y)")
    }
    if cached.count >= Raster.maximumBlocks { blocks[cached.removeFirst()] = nil }
    cached.append(index)
    blocks[index] = values
    return values
  }
}
