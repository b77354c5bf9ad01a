/// A lattice of points, each with its squared distance to the nearest line, up to a given reach. Points far from all
/// lines use no memory.
///
/// Distances are in millionths of a degree of latitude, in all directions.
struct LineField {
  /// The distance between neighbouring points, in millionths of a degree of longitude and of latitude.
  let (width, height): (Int, Int)
  /// The length of a degree of longitude relative to a degree of latitude.
  private let xScale: Double
  /// The maximum distance to compute.
  private let reach: Float

  /// Tiles of 16 x 16 points; each has four vectors in `squaredDistances` per row of points.
  private(set) var tiles: [Tile] = []
  private var tileAt = LatticeTable()
  private var squaredDistances: [SIMD4<Float>] = []

  static let side = 16
  private static let vectors = side * side / 4

  struct Tile: Comparable {
    var column: Int32
    var row: Int32

    static func < (a: Tile, b: Tile) -> Bool { (a.column, a.row) < (b.column, b.row) }
  }

  /// - Parameters:
  ///   - reach: The maximum distance to compute.
  ///   - pitch: The maximum distance between neighbouring points.
  init(reach: Double, pitch: Double, xScale: Double) {
    height = max(1, Int(pitch))
    width = max(1, Int(pitch / xScale))
    (self.reach, self.xScale) = (Float(reach), xScale)
  }

  /// The most recently used tile.
  struct Cursor {
    fileprivate var tile = Tile(column: .max, row: .max)
    fileprivate var index = -1
  }

  /// Returns the index of a tile; negative if it is far from all lines.
  private func index(of tile: Tile, _ cursor: inout Cursor) -> Int {
    if tile != cursor.tile {
      (cursor.tile, cursor.index) = (tile, tileAt[tile.column, tile.row].map(Int.init) ?? -1)
    }
    return cursor.index
  }

  /// Returns the squared distance of a point; the squared reach if no line is near.
  func squaredDistance(_ column: Int32, _ row: Int32, _ cursor: inout Cursor) -> Float {
    let tile = index(of: Tile(column: column >> 4, row: row >> 4), &cursor)
    guard tile >= 0 else { return reach * reach }
    return squaredDistances[tile * LineField.vectors + Int(row & 15) * 4 + Int(column & 15) >> 2][Int(column & 3)]
  }

  /// Returns one word per row of each tile, with one bit per point from the west: whether the point is within
  /// `distance` of a line.
  func near(_ distance: Float) -> [UInt16] {
    let limit = SIMD4<Float>(repeating: distance * distance)
    return (0..<tiles.count * LineField.side).map { row in
      (0..<4).reduce(0) { bits, vector in
        let isNear = squaredDistances[row * 4 + vector] .< limit
        let lanes = SIMD4<Int32>(1, 2, 4, 8).replacing(with: 0, where: .!isNear)
        return bits | UInt16(lanes.wrappedSum()) << UInt16(vector * 4)
      }
    }
  }

  /// Returns the index of a point's row in the result of `near`; nil if the point is far from all lines.
  func nearRow(_ column: Int32, _ row: Int32, _ cursor: inout Cursor) -> Int? {
    let tile = index(of: Tile(column: column >> 4, row: row >> 4), &cursor)
    return tile < 0 ? nil : tile * LineField.side + Int(row & 15)
  }

  mutating func draw(_ line: ArraySlice<FixedCoordinate>, _ cursor: inout Cursor) {
    for end in line.indices.dropFirst() { draw(Segment(line[end - 1], line[end], xScale), &cursor) }
  }

  /// A segment between two points, in millionths of a degree.
  private struct Segment {
    let (west, east, south, north): (Double, Double, Double, Double)
    /// The start.
    let (x, y): (Double, Double)
    /// The vector from start to end, in millionths of a degree of latitude.
    let (dx, dy): (Float, Float)
    /// The inverse of the squared length; 0 if the length is 0.
    let inverse: Float

    init(_ a: FixedCoordinate, _ b: FixedCoordinate, _ xScale: Double) {
      (x, y) = (Double(a.longitude) / 10, Double(a.latitude) / 10)
      let (endX, endY) = (Double(b.longitude) / 10, Double(b.latitude) / 10)
      (west, east, south, north) = (min(x, endX), max(x, endX), min(y, endY), max(y, endY))
      (dx, dy) = (Float((endX - x) * xScale), Float(endY - y))
      let squaredLength = dx * dx + dy * dy
      inverse = squaredLength > 0 ? 1 / squaredLength : 0
    }
  }

  private mutating func draw(_ segment: Segment, _ cursor: inout Cursor) {
    let (high, wide) = (Double(reach), Double(reach) / xScale)
    let columns =
      Int(
        ((segment.west - wide) / Double(width)).rounded(.up))...Int(
        ((segment.east + wide) / Double(width)).rounded(.down))
    let rows =
      Int(
        ((segment.south - high) / Double(height)).rounded(.up))...Int(
        ((segment.north + high) / Double(height)).rounded(.down))
    for tileRow in rows.lowerBound >> 4...rows.upperBound >> 4 {
      for tileColumn in columns.lowerBound >> 4...columns.upperBound >> 4 {
        let tile = Tile(column: Int32(tileColumn), row: Int32(tileRow))
        if index(of: tile, &cursor) < 0 { cursor.index = makeTile(tile) }
        let (left, low) = (tileColumn * LineField.side, tileRow * LineField.side)
        draw(
          segment, tile: cursor.index * LineField.vectors, left: left, low: low,
          vectors: max(0, columns.lowerBound - left) >> 2...min(15, columns.upperBound - left) >> 2,
          rows: max(0, rows.lowerBound - low)...min(15, rows.upperBound - low))
      }
    }
  }

  private mutating func makeTile(_ tile: Tile) -> Int {
    squaredDistances.append(contentsOf: repeatElement(SIMD4(repeating: reach * reach), count: LineField.vectors))
    tileAt[tile.column, tile.row] = UInt32(tiles.count)
    tiles.append(tile)
    return tiles.count - 1
  }

  private mutating func draw(
    _ segment: Segment, tile: Int, left: Int, low: Int, vectors: ClosedRange<Int>, rows: ClosedRange<Int>
  ) {
    let step = Float(Double(width) * xScale)
    let lanes = SIMD4<Float>(0, step, 2 * step, 3 * step)
    squaredDistances.withUnsafeMutableBufferPointer { squaredDistances in
      for row in rows {
        let y = Float(Double((low + row) * height) - segment.y)
        let points = squaredDistances.baseAddress! + tile + row * 4
        for vector in vectors {
          let x = lanes + Float((Double((left + vector * 4) * width) - segment.x) * xScale)
          var part = (x * segment.dx + y * segment.dy) * segment.inverse
          part.replace(with: 0, where: part .< 0)
          part.replace(with: 1, where: part .> 1)
          let (awayX, awayY) = (x - part * segment.dx, y - part * segment.dy)
          let squaredDistance = awayX * awayX + awayY * awayY
          points[vector].replace(with: squaredDistance, where: squaredDistance .< points[vector])
        }
      }
    }
  }
}
