import Geography

// Geometries in GeoPackage format: "GP", version, flags, reference system; a box, except for points; then well-known
// binary, all little-endian (OGC 12-128r18, 2.1.3). Sixteen bytes per point, written without checking each write.

/// A geometry in GeoPackage format.
package struct GeometryBlob: Sendable, Hashable {
  package let bytes: [UInt8]

  fileprivate static let (point, line, polygon, multiPolygon): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 3, 6)
  private static let headBytes = 8
  private static let boxBytes = 32

  static let pointBytes = headBytes + 21

  package init(point: FixedCoordinate) { bytes = .written(count: GeometryBlob.pointBytes) { $0.put(geometry: point) } }

  /// Writes a point's geometry, which takes `pointBytes` bytes.
  package static func write(_ point: FixedCoordinate, at start: UnsafeMutableRawPointer) {
    var writer = Writer(at: start)
    writer.put(geometry: point)
  }

  /// Encodes a line of at least two points.
  package init(line points: ArraySlice<FixedCoordinate>) {
    bytes = points.withUnsafeBufferPointer { points in
      .written(count: GeometryBlob.headBytes + GeometryBlob.boxBytes + 9 + points.count * 16) { writer in
        writer.head(box: GeometryBlob.box(around: points))
        writer.begin(GeometryBlob.line)
        writer.put(points)
      }
    }
  }

  /// Returns the same as `BoundingBox(around:)`. Takes a microsecond for a line of a thousand points; the generic
  /// version, in another module, takes fifty.
  private static func box(around points: UnsafeBufferPointer<FixedCoordinate>) -> BoundingBox {
    var (west, south, east, north) = (Int32.max, Int32.max, Int32.min, Int32.min)
    for index in 0..<points.count {
      let point = points[index]
      west = min(west, point.longitude)
      south = min(south, point.latitude)
      east = max(east, point.longitude)
      north = max(north, point.latitude)
    }
    return BoundingBox(minLongitude: west, minLatitude: south, maxLongitude: east, maxLatitude: north)
  }

  /// Encodes polygons, each an outer ring and its holes; rings are closed.
  package init(polygons: [[[FixedCoordinate]]]) {
    let box = polygons.isEmpty ? nil : BoundingBox(around: polygons.joined().joined())
    let size = polygons.reduce(9) { $0 + $1.reduce(9) { $0 + 4 + $1.count * 16 } }
    bytes = .written(count: GeometryBlob.headBytes + (box == nil ? 0 : GeometryBlob.boxBytes) + size) { writer in
      writer.head(box: box, isEmpty: polygons.isEmpty)
      writer.begin(GeometryBlob.multiPolygon)
      writer.put(UInt32(polygons.count))
      for rings in polygons {
        writer.begin(GeometryBlob.polygon)
        writer.put(UInt32(rings.count))
        for ring in rings { ring.withUnsafeBufferPointer { writer.put($0) } }
      }
    }
  }

  /// Wraps bytes read from a database.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The bounding box, from the header or a point; nil if there is none.
  package var box: BoundingBox? {
    bytes.withUnsafeBytes { bytes in
      var reader = Reader(bytes: bytes)
      return reader.box()
    }
  }

  /// The lines to draw: a point, a line, or the rings of polygons; empty for other geometries.
  package var lines: [[FixedCoordinate]] {
    bytes.withUnsafeBytes { bytes in
      var reader = Reader(bytes: bytes)
      return reader.lines()
    }
  }
}

private struct Writer {
  var at: UnsafeMutableRawPointer

  mutating func put<T: BitwiseCopyable>(_ value: T) {
    at.storeBytes(of: value, as: T.self)
    at += MemoryLayout<T>.size
  }

  mutating func put(_ point: FixedCoordinate) {
    put(Double(point.longitude) / 1e7)
    put(Double(point.latitude) / 1e7)
  }

  mutating func put(geometry point: FixedCoordinate) {
    head(box: nil)
    begin(GeometryBlob.point)
    put(point)
  }

  mutating func put(_ points: UnsafeBufferPointer<FixedCoordinate>) {
    put(UInt32(points.count))
    for index in 0..<points.count { put(points[index]) }
  }

  mutating func begin(_ type: UInt32) {
    put(UInt8(1))
    put(type)
  }

  /// Writes the header. Flags: 1 for little-endian, plus 2 for a box of four numbers, plus 16 for an empty geometry.
  mutating func head(box: BoundingBox?, isEmpty: Bool = false) {
    put(UInt8(ascii: "G"))
    put(UInt8(ascii: "P"))
    put(UInt8(0))
    put(UInt8(box == nil ? 1 : 3) | (isEmpty ? 16 : 0))
    put(Int32(4326))
    guard let box else { return }
    for edge in [box.minLongitude, box.maxLongitude, box.minLatitude, box.maxLatitude] { put(Double(edge) / 1e7) }
  }
}

extension [UInt8] {
  fileprivate static func written(count: Int, _ write: (inout Writer) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var writer = Writer(at: UnsafeMutableRawPointer(buffer.baseAddress!))
      write(&writer)
      precondition(writer.at == UnsafeMutableRawPointer(buffer.baseAddress! + count), "a geometry of another size")
      initialized = count
    }
  }
}

/// Reads the output of `Writer`, with bounds checks.
private struct Reader {
  let bytes: UnsafeRawBufferPointer
  var at = 0

  mutating func take<T: BitwiseCopyable>(_ type: T.Type) -> T? {
    guard bytes.count - at >= MemoryLayout<T>.size else { return nil }
    defer { at += MemoryLayout<T>.size }
    return bytes.loadUnaligned(fromByteOffset: at, as: type)
  }

  mutating func box() -> BoundingBox? {
    guard bytes.count > 8, bytes[0] == UInt8(ascii: "G"), bytes[1] == UInt8(ascii: "P") else { return nil }
    guard bytes[3] >> 1 & 7 == 1 else {
      at = 8
      guard take(UInt8.self) == 1, take(UInt32.self) == GeometryBlob.point else { return nil }
      return point().map { BoundingBox(around: CollectionOfOne($0)) }
    }
    at = 8
    let edges = (0..<4).compactMap { _ in take(Double.self) }.compactMap { Int32(exactly: ($0 * 1e7).rounded()) }
    guard edges.count == 4 else { return nil }
    return BoundingBox(minLongitude: edges[0], minLatitude: edges[2], maxLongitude: edges[1], maxLatitude: edges[3])
  }

  mutating func lines() -> [[FixedCoordinate]] {
    guard bytes.count > 8, bytes[0] == UInt8(ascii: "G"), bytes[1] == UInt8(ascii: "P") else { return [] }
    at = 8 + (bytes[3] >> 1 & 7 == 1 ? 32 : 0)
    return geometry() ?? []
  }

  private mutating func geometry() -> [[FixedCoordinate]]? {
    guard take(UInt8.self) == 1, let type = take(UInt32.self) else { return nil }
    switch type {
    case 1: return point().map { [[$0]] }
    case 2: return points().map { [$0] }
    case 3: return rings()
    // Only polygons: collections could be nested to any depth.
    case 6: return parts { $0.polygon() }
    default: return nil
    }
  }

  private mutating func polygon() -> [[FixedCoordinate]]? {
    take(UInt8.self) == 1 && take(UInt32.self) == GeometryBlob.polygon ? rings() : nil
  }

  private mutating func rings() -> [[FixedCoordinate]]? { parts { $0.points().map { [$0] } } }

  private mutating func parts(_ part: (inout Reader) -> [[FixedCoordinate]]?) -> [[FixedCoordinate]]? {
    guard let count = take(UInt32.self) else { return nil }
    var lines: [[FixedCoordinate]] = []
    for _ in 0..<count {
      guard let more = part(&self) else { return nil }
      lines += more
    }
    return lines
  }

  private mutating func points() -> [FixedCoordinate]? {
    guard let count = take(UInt32.self), Int(count) * 16 <= bytes.count - at else { return nil }
    return (0..<count).compactMap { _ in point() }
  }

  private mutating func point() -> FixedCoordinate? {
    guard let longitude = take(Double.self), let latitude = take(Double.self) else { return nil }
    let point = Coordinate(latitude: latitude, longitude: longitude)
    return point.isValid ? FixedCoordinate(point) : nil
  }
}
