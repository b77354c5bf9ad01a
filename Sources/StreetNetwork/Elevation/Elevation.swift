import Foundation
import Geography

/// Where the height of the ground is known: a raster that GDAL reads, or a folder of such tiles, or of tiles in SRTM's
/// layout (`N49E008.hgt`), for which no GDAL is needed.
public struct Elevation: Sendable {
  /// The raster, or the folder.
  public let path: String
  /// Hexadecimal SHA-256 of the files.
  package let digest: String
  /// The rasters, by name.
  let files: [String]
  /// The same, as they were when their digest was computed.
  let watched: [WatchedFile]

  private static let extensions: Set = [
    "hgt", "tif", "tiff", "img", "bil", "asc", "dem", "dt0", "dt1", "dt2", "jp2",
  ]

  /// Finds the files at `path`. *Throws*: `MapError` where there is none.
  public init(path: String) throws {
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw MapError(map: path, problem: "elevation: there is no such file or folder")
    }
    if isFolder.boolValue {
      let all: [String]
      do { all = try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
        throw MapError(map: path, problem: "elevation: the folder cannot be read: \(reason(error))")
      }
      let names = all.filter { Elevation.extensions.contains(($0 as NSString).pathExtension.lowercased()) }
      guard !names.isEmpty else {
        throw MapError(
          map: path,
          problem: "elevation: there is no raster in this folder, expected tiles such as N49E008.hgt or a.tif")
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
      throw MapError(map: path, problem: "elevation: cannot be read: \(reason(error))")
    }
  }

  /// Opens the files. *Throws*: `MapError` where one is no raster.
  func heights() throws -> any HeightField {
    files.allSatisfy { ($0 as NSString).pathExtension.lowercased() == "hgt" }
      ? try SRTMTiles(files) : try Raster(files, named: path)
  }
}

/// The height of the ground, interpolated bilinearly between the four values around a place (or those of them that are
/// known).
protocol HeightField: AnyObject {
  /// Metres above the sea; nil where nothing is known. *Throws*: `MapError` where it cannot be read.
  func height(longitude: Double, latitude: Double) throws -> Double?
}

extension HeightField {
  /// Between four values, by how far to the right and down a place lies among them; not a number is none.
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
