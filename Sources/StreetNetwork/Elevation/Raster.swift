import CGDAL
import Foundation

/// Rasters that GDAL reads, as one grid in degrees. Reads blocks as they are needed and keeps those of late.
final class Raster: HeightField {
  private let raster: OpaquePointer
  private let grid: CGDALGrid
  private let path: String
  private var blocks: [Int: [Float]] = [:]
  private var last: (index: Int, values: [Float]) = (-1, [])
  private static let blockSize = 256
  /// A quarter of a gigabyte.
  private static let mostBlocks = 1024

  /// *Throws*: `MapError` where GDAL is not there, or a file is no raster with a place on the earth.
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
      throw MapError(
        map: path,
        problem: isMissing != 0
          ? "elevation: reading it needs GDAL, which is not installed (Debian: apt-get install gdal-bin); tiles such as "
            + "N49E008.hgt are read without it"
          : "elevation: \(reason)")
    }
    raster = opened
    grid = CGDALGridOf(opened)
  }

  deinit { CGDALClose(raster) }

  func height(longitude: Double, latitude: Double) throws -> Double? {
    let x = (longitude - grid.west) / grid.east_step
    let y = (latitude - grid.north) / grid.north_step
    // Half a pixel beyond the centres of the outermost the raster ends.
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
      throw MapError(map: path, problem: "elevation: GDAL cannot read it at pixel \(x), \(y)")
    }
    if blocks.count >= Raster.mostBlocks { blocks = [:] }
    blocks[index] = values
    return values
  }
}
