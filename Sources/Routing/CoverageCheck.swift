import Foundation
import Geography
import Settings
import StreetNetwork

/// Validates a coverage file against the rules for routing apps. Errors reject the file; advice is optional.
public struct CoverageCheck: Sendable {
  /// The findings, in the order of the file.
  public private(set) var findings: [Finding] = []
  /// The area of the file; nil if the file has errors.
  public private(set) var area: MultiPolygon?

  /// An error or a piece of advice, and its location.
  public struct Finding: Sendable, CustomStringConvertible {
    /// Whether this is an error, which rejects the file.
    public var isError: Bool
    /// The location in the file, such as `coordinates[0][0][3]` or `line 4`; empty for the whole file.
    public var location: String
    /// The problem or the possible improvement.
    public var problem: String
    /// Location and problem.
    public var description: String { location.isEmpty ? problem : "\(location): \(problem)" }
  }

  /// Whether the file is rejected.
  public var hasErrors: Bool { findings.contains { $0.isError } }

  /// Reads and validates a file.
  ///
  /// - Throws: `OdometerError` if the file cannot be read.
  public init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { throw .input(path, "there is no such file") }
    if let problem = FileManager.irregularity(of: path, expecting: "a file") {
      throw .input(path, problem)
    }
    do { self.init(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
      throw .input(path, "the file cannot be read: \(POSIXError.reason(for: error))")
    }
  }

  init(_ bytes: Data) { validate(bytes) }

  private mutating func validate(_ bytes: Data) {
    for line in commentLines(in: bytes) { error("line \(line)", "comments are not allowed in JSON") }
    guard !hasErrors else { return }
    guard let parsed = try? JSONSerialization.jsonObject(with: bytes, options: [.fragmentsAllowed]) else {
      return reportSyntaxError(bytes)
    }
    guard let object = parsed as? [String: Any] else {
      return error("", "got \(name(of: parsed)), expected \(CoverageCheck.expected)")
    }
    guard let type = object["type"] as? String, type == "MultiPolygon" else {
      let found = object["type"].map { "\"\($0)\"" } ?? "nothing"
      return error(
        "type", "got \(found), expected \"MultiPolygon\" at the top level, not inside a Feature or a collection")
    }
    for key in object.keys.sorted() where key != "type" && key != "coordinates" && key != "bbox" {
      advise(key, "this member is ignored")
    }
    guard let polygons = object["coordinates"] as? [Any], !polygons.isEmpty else {
      return error("coordinates", "expected a list of at least one polygon")
    }
    if polygons.count > Coverage.maximumPolygons {
      advise("coordinates", "got \(polygons.count) polygons; at most \(Coverage.maximumPolygons) are recommended")
    }
    let rings = polygons.enumerated().compactMap { ring(ofPolygon: $1, at: "coordinates[\($0)]") }
    if !hasErrors { area = MultiPolygon(rings: rings) }
  }

  private static let expected = "a coverage: one GeoJSON object of type MultiPolygon"

  private mutating func reportSyntaxError(_ bytes: Data) {
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), let text = String(validating: bytes, as: UTF8.self)
    else { return error("", "not JSON, expected \(CoverageCheck.expected)") }
    // Foundation does not report the line.
    do {
      _ = try JSON5Parser.parse(text)
      error("", "got JSON5, expected JSON: names in double quotes, and no comma after the last member")
    } catch {
      self.error("line \(error.line)", "not JSON: \(error.problem)")
    }
  }

  private mutating func ring(ofPolygon polygon: Any, at location: String) -> [Coordinate]? {
    guard let rings = polygon as? [Any], let first = rings.first else {
      error(location, "expected a polygon: a list of one ring")
      return nil
    }
    if rings.count > 1 { error("\(location)[1]", "got a hole, expected none") }
    guard let positions = first as? [Any] else {
      error("\(location)[0]", "expected a ring: a list of positions")
      return nil
    }
    let points = positions.enumerated().compactMap { position($1, at: "\(location)[0][\($0)]") }
    guard points.count == positions.count else { return nil }
    guard points.count >= 4 else {
      error("\(location)[0]", "got \(points.count) positions, expected at least four, the last one equal to the first")
      return nil
    }
    guard points.first == points.last else {
      error("\(location)[0][\(points.count - 1)]", "the ring is not closed: its last position must equal its first")
      return nil
    }
    if points.count > Coverage.maximumCorners {
      advise(
        "\(location)[0]",
        "got \(points.count) points, including the repeated first; at most \(Coverage.maximumCorners) are recommended")
    }
    if let flaw = MultiPolygon.flaw(in: points) {
      error("\(location)[0]", "the ring is invalid: \(flaw)")
      return nil
    }
    if signedArea(points) < 0 { advise("\(location)[0]", "the ring runs clockwise; outer rings run counterclockwise") }
    return points
  }

  private mutating func position(_ position: Any, at location: String) -> Coordinate? {
    guard let numbers = position as? [Any], numbers.count >= 2, let longitude = number(numbers[0]),
      let latitude = number(numbers[1])
    else {
      error(location, "expected a position: [longitude, latitude]")
      return nil
    }
    if numbers.count > 2 { advise(location, "got \(numbers.count) numbers; heights are ignored") }
    guard abs(longitude) <= 180, abs(latitude) <= 90 else {
      let isSwapped = abs(longitude) <= 90 && abs(latitude) <= 180
      error(
        location,
        "[\(longitude), \(latitude)] lies outside longitude -180…180, latitude -90…90"
          + (isSwapped ? "; longitude comes first" : ""))
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private func number(_ value: Any) -> Double? { (value as? NSNumber)?.doubleValue }

  private mutating func error(_ location: String, _ problem: String) {
    findings.append(Finding(isError: true, location: location, problem: problem))
  }

  private mutating func advise(_ location: String, _ problem: String) {
    findings.append(Finding(isError: false, location: location, problem: problem))
  }

  private func name(of value: Any) -> String { value is [Any] ? "a list" : value is String ? "a string" : "a value" }
}

private func signedArea(_ ring: [Coordinate]) -> Double {
  zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.longitude * $1.1.latitude - $1.1.longitude * $1.0.latitude }
}

/// Returns the lines on which a comment starts, outside strings.
private func commentLines(in bytes: Data) -> [Int] {
  var lines: [Int] = []
  var (line, isString, isEscaped, isComment) = (1, false, false, false)
  var last: UInt8 = 0
  for byte in bytes {
    if byte == UInt8(ascii: "\n") { (line, isComment) = (line + 1, false) }
    if isString {
      if byte == UInt8(ascii: "\"") && !isEscaped { isString = false }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    } else if byte == UInt8(ascii: "\"") && !isComment {
      isString = true
    } else if last == UInt8(ascii: "/") && (byte == last || byte == UInt8(ascii: "*")) && !isComment {
      lines.append(line)
      isComment = true
    }
    last = byte
  }
  return lines
}

/// The area in which directions are available: a GeoJSON MultiPolygon that follows the rules for a routing app's
/// coverage file.
///
///     let coverage = try Coverage(path: "coverage.geojson")
///     coverage.contains(request)
public struct Coverage: Hashable, Sendable {
  /// The area.
  public let area: MultiPolygon

  /// The recommended maximum number of polygons in a coverage file.
  public static let maximumPolygons = 20
  /// The recommended maximum number of points per polygon, including the last, which repeats the first.
  public static let maximumCorners = 20

  /// Creates the coverage of an area.
  public init(area: MultiPolygon) { self.area = area }

  /// Reads a coverage file.
  ///
  /// - Throws: `OdometerError` with the first error of the file.
  public init(path: String) throws {
    let check = try CoverageCheck(path: path)
    guard let area = check.area else {
      throw .input(path, check.findings.first { $0.isError }!.description)
    }
    self.area = area
  }

  /// Returns whether both ends of a request are inside the area.
  public func contains(_ request: DirectionsRequest) -> Bool {
    area.contains([request.source.coordinate, request.destination.coordinate]).allSatisfy(\.self)
  }

  /// Returns whether a place is inside the area or on its border.
  public func contains(_ place: Place) -> Bool { area.contains([place.coordinate])[0] }

  package var box: BoundingBox? { BoundingBox(around: area.rings.joined()) }

  /// Returns whether the area would overlap a box if the area's latitudes and longitudes were swapped.
  package func overlapsIfSwapped(on box: BoundingBox) -> Bool {
    let swapped = area.rings.joined().map { Coordinate(latitude: $0.longitude, longitude: $0.latitude) }
    return swapped.allSatisfy(\.isValid) && BoundingBox(around: swapped)?.intersects(box) == true
  }

  /// The total area; overlaps of polygons count twice.
  package var squareKilometres: Double {
    area.rings.reduce(0) { sum, ring in
      let middle = ring.reduce(0) { $0 + $1.latitude } / Double(ring.count)
      let degree = Coordinate.metresPerDegree / 1000
      return sum + abs(signedArea(ring)) / 2 * degree * degree * cos(middle * .pi / 180)
    }
  }

  /// Creates the coverage of a network: the area around its streets for snapping, without ferries and railways.
  public init(of network: StreetNetwork) {
    area = MultiPolygon(
      around: network.occupiedCells(), polygons: Coverage.maximumPolygons, corners: Coverage.maximumCorners - 1)
  }

  /// The content of a coverage file: one MultiPolygon.
  public var geoJSON: String {
    let rings = area.rings.map { ring in
      "    [[\n" + ring.map { "      [\($0.longitude), \($0.latitude)]" }.joined(separator: ",\n") + "\n    ]]"
    }
    return "{\n  \"type\": \"MultiPolygon\",\n  \"coordinates\": [\n\(rings.joined(separator: ",\n"))\n  ]\n}"
  }
}

extension StreetNetwork {
  /// Returns the squares of a grid that contain streets for snapping; their sides are a few hundred metres or more.
  fileprivate func occupiedCells() -> [BoundingBox] {
    // Ferries and trains cross water and land where no trip starts.
    let streets = (0..<streetCount).map { StreetID($0) }.filter {
      street($0).flags.contains(.snappable) && !attributes(of: $0).kind.isVehicle
    }
    var box = BoundingBox.empty
    for street in streets { box.formUnion(BoundingBox(around: points[shape(of: street)])) }
    let extent = max(Int64(box.maxLongitude) - Int64(box.minLongitude), Int64(box.maxLatitude) - Int64(box.minLatitude))
    let size = max(20_000, Int32(min(extent / 100, 10_000_000)))
    var cells: Set<SIMD2<Int32>> = []
    for street in streets {
      let shape = self.shape(of: street)
      for (a, b) in zip(points[shape].dropLast(), points[shape].dropFirst()) {
        // Long segments also cover the cells between their points.
        let (dx, dy) = (Int64(b.longitude) - Int64(a.longitude), Int64(b.latitude) - Int64(a.latitude))
        let count = max(1, max(abs(dx), abs(dy)) / Int64(size / 2))
        for part in 0...count {
          cells.insert(
            SIMD2(
              Int32(Int64(a.longitude) + dx * part / count) / size,
              Int32(Int64(a.latitude) + dy * part / count) / size))
        }
      }
    }
    return cells.sorted { ($0.x, $0.y) < ($1.x, $1.y) }.map { cell in
      // Integer division rounds toward zero, so a cell at zero extends to both sides.
      BoundingBox(
        minLongitude: (cell.x <= 0 ? cell.x - 1 : cell.x) * size,
        minLatitude: (cell.y <= 0 ? cell.y - 1 : cell.y) * size,
        maxLongitude: (cell.x >= 0 ? cell.x + 1 : cell.x) * size,
        maxLatitude: (cell.y >= 0 ? cell.y + 1 : cell.y) * size)
    }
  }
}
