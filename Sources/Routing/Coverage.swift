import Foundation
import Geography
import StreetNetwork

/// The area in which directions are available: a GeoJSON MultiPolygon that follows the rules for a routing app's
/// coverage file.
///
///     let coverage = try Coverage(path: "coverage.geojson")
///     coverage.contains(request)
public struct Coverage: Hashable, Sendable {
  /// The area.
  public let area: MultiPolygon

  /// The most polygons that a coverage file should have.
  public static let mostPolygons = 20
  /// The most points that a polygon of a coverage file should have.
  public static let mostCorners = 20

  /// The coverage of an area.
  public init(area: MultiPolygon) { self.area = area }

  /// Reads a coverage file.
  ///
  /// - Throws: `CoverageError` with the first error of the file.
  public init(path: String) throws {
    let check = try CoverageCheck(path: path)
    guard let area = check.area else {
      throw CoverageError(file: path, problem: check.findings.first { $0.isError }!.description)
    }
    self.area = area
  }

  /// Whether both ends of a request lie inside.
  public func contains(_ request: DirectionsRequest) -> Bool {
    area.contains([request.source.coordinate, request.destination.coordinate]).allSatisfy(\.self)
  }

  /// The area that a network covers: around the streets that places are snapped to, without ferries' and railways'.
  public init(of network: StreetNetwork) {
    area = MultiPolygon(
      around: network.occupiedCells(), polygons: Coverage.mostPolygons, corners: Coverage.mostCorners)
  }

  /// The content of a coverage file: one MultiPolygon.
  public var geoJSON: String {
    let rings = area.rings.map { ring in
      "    [[\n" + ring.map { "      [\($0.longitude), \($0.latitude)]" }.joined(separator: ",\n") + "\n    ]]"
    }
    return "{\n  \"type\": \"MultiPolygon\",\n  \"coordinates\": [\n\(rings.joined(separator: ",\n"))\n  ]\n}"
  }
}

/// Why a file is not a coverage file, as one sentence.
public struct CoverageError: Error, CustomStringConvertible {
  /// The file.
  public var file: String
  /// What is wrong with it.
  public var problem: String
  /// File and problem.
  public var description: String { "\(file): \(problem)" }
}

extension StreetNetwork {
  /// Squares of a few hundred metres that contain streets that places are snapped to.
  fileprivate func occupiedCells() -> [BoundingBox] {
    // Ferries and trains lead over water and land on which nobody sets out.
    let streets = (0..<streetCount).map { StreetID($0) }.filter {
      street($0).flags.contains(.snappable) && !attributes(of: $0).kind.isVehicle
    }
    var box = BoundingBox.empty
    for street in streets { box.formUnion(BoundingBox(around: points[shape(of: street)])) }
    let extent = max(
      Int64(box.maxLongitude) - Int64(box.minLongitude), Int64(box.maxLatitude) - Int64(box.minLatitude))
    let size = max(20_000, Int32(min(extent / 100, 10_000_000)))
    var cells: Set<Cell> = []
    for street in streets {
      let shape = self.shape(of: street)
      for (a, b) in zip(points[shape].dropLast(), points[shape].dropFirst()) {
        // Long stretches lie in cells between their points, too.
        let (dx, dy) = (Int64(b.longitude) - Int64(a.longitude), Int64(b.latitude) - Int64(a.latitude))
        let count = max(1, max(abs(dx), abs(dy)) / Int64(size / 2))
        for part in 0...count {
          cells.insert(
            Cell(
              x: Int32(Int64(a.longitude) + dx * part / count) / size,
              y: Int32(Int64(a.latitude) + dy * part / count) / size))
        }
      }
    }
    return cells.sorted { ($0.x, $0.y) < ($1.x, $1.y) }.map { cell in
      // Division cuts towards zero: a cell at zero reaches to both sides.
      BoundingBox(
        minLongitude: (cell.x <= 0 ? cell.x - 1 : cell.x) * size,
        minLatitude: (cell.y <= 0 ? cell.y - 1 : cell.y) * size,
        maxLongitude: (cell.x >= 0 ? cell.x + 1 : cell.x) * size,
        maxLatitude: (cell.y >= 0 ? cell.y + 1 : cell.y) * size)
    }
  }
}

private struct Cell: Hashable {
  var x: Int32
  var y: Int32
}
