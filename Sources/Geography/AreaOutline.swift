import Foundation

/// The outlines of nested areas around lines. An area consists of all points within a radius of a line.
///
/// The distance to the lines is computed on a lattice, and outlines are interpolated between its points (marching
/// squares: W. E. Lorensen, H. E. Cline 1987). The lattice is fine enough that squares crossed by a line are entirely
/// inside: an area contains its lines. Two opposite corners of a square are connected if both are inside.
struct AreaOutline {
  private let radius: Double
  private let tolerance: Double
  private let xScale: Double
  private var field: LineField
  /// The edge crossings of the previous area.
  private var gates: [Gate] = []

  /// The lattice spacing as a fraction of the radius; less than the square root of one half.
  private static let pitch = 0.69

  /// - Parameters:
  ///   - radius: In millionths of a degree of latitude, as is the tolerance.
  ///   - tolerance: The maximum deviation of outlines; less than the radius.
  ///   - xScale: The length of a degree of longitude relative to a degree of latitude.
  init(radius: Double, tolerance: Double, xScale: Double) {
    (self.radius, self.tolerance, self.xScale) = (radius, tolerance, xScale)
    let pitch = radius * AreaOutline.pitch
    field = LineField(reach: radius + pitch, pitch: pitch, xScale: xScale)
  }

  /// Extends the area and returns its polygons, each with a counterclockwise outer ring and clockwise holes.
  mutating func add(_ lines: LineList) -> [[[FixedCoordinate]]] {
    var cursor = LineField.Cursor()
    lines.forEach { field.draw($0, &cursor) }
    let (tracer, inner) = (OutlineTracer(field, radius: radius), InnerOutline(gates))
    let rings = tracer.rings
    let drawn = rings.map {
      OutlineRing(tracer.gates[$0.gates], of: field, tolerance: tolerance, xScale: xScale, inner: inner)
    }
    gates = drawn.flatMap(\.gates)
    var polygons: [[[FixedCoordinate]]] = []
    var polygon = [Int](repeating: -1, count: rings.count)
    for (index, ring) in rings.enumerated() where ring.around == nil {
      polygon[index] = polygons.count
      polygons.append([drawn[index].points])
    }
    for (index, ring) in rings.enumerated() {
      guard var outer = ring.around else { continue }
      while let next = rings[outer].around { outer = next }
      polygons[polygon[outer]].append(drawn[index].points)
    }
    return polygons
  }
}

/// The outlines around all points of a field within a radius of a line, found by tracing.
struct OutlineTracer {
  struct Ring {
    /// The range of its gates in `OutlineTracer.gates`.
    var gates: Range<Int>
    /// For a hole: another ring of the same polygon to the west of it.
    var around: Int?
  }

  private(set) var gates: [Gate] = []
  private(set) var rings: [Ring] = []
  private let field: LineField
  private let radius: Float
  private let near: [UInt16]
  private var cursor = LineField.Cursor()
  private var bitCursor = LineField.Cursor()
  /// The index of the ring of each gate to the east or west.
  private var ringAt = LatticeTable()

  /// Finds all rings. Each has a gate to the east: outer rings at their easternmost points, holes at their westernmost.
  init(_ field: LineField, radius: Double) {
    (self.field, self.radius) = (field, Float(radius))
    near = field.near(self.radius)
    for tile in field.tiles.sorted() {
      for row in tile.row << 4..<(tile.row + 1) << 4 {
        let bits = near[field.nearRow(tile.column << 4, row, &bitCursor)!]
        guard bits != 0 else { continue }
        let next: UInt16 = isInside((tile.column + 1) << 4, row) ? 1 << 15 : 0
        var eastern = bits & ~(bits >> 1 | next)
        while eastern != 0 {
          let column = tile.column << 4 + Int32(eastern.trailingZeroBitCount)
          eastern &= eastern - 1
          if ringAt[column, row, Gate.east] == nil { trace(column, row) }
        }
      }
    }
    for index in rings.indices where !isOuter(rings[index].gates) {
      var (column, row) = (gates[rings[index].gates.lowerBound].column, gates[rings[index].gates.lowerBound].row)
      while isInside(column - 1, row) { column -= 1 }
      rings[index].around = ringAt[column, row, Gate.west].map(Int.init)
    }
  }

  private mutating func isInside(_ column: Int32, _ row: Int32) -> Bool {
    field.nearRow(column, row, &bitCursor).map { near[$0] >> UInt16(column & 15) & 1 == 1 } ?? false
  }

  /// Traces the ring that starts at a gate to the east.
  private mutating func trace(_ column: Int32, _ row: Int32) {
    var (x, y, side) = (column, row, Gate.east)
    let start = gates.count
    repeat {
      gates.append(gate(x, y, side))
      if side == Gate.east || side == Gate.west { ringAt[x, y, side] = UInt32(rings.count) }
      // Continues to the next square, with the inside on the left.
      let (out, way) = (Gate.step(side), Gate.step((side + 1) & 3))
      if isInside(x + out.x + way.x, y + out.y + way.y) {
        (x, y, side) = (x + out.x + way.x, y + out.y + way.y, (side + 3) & 3)
      } else if isInside(x + way.x, y + way.y) {
        (x, y) = (x + way.x, y + way.y)
      } else {
        side = (side + 1) & 3
      }
    } while (x, y, side) != (column, row, Gate.east)
    rings.append(Ring(gates: start..<gates.count))
  }

  private mutating func gate(_ x: Int32, _ y: Int32, _ side: UInt8) -> Gate {
    let out = Gate.step(side)
    let inside = field.squaredDistance(x, y, &cursor).squareRoot()
    let outside = field.squaredDistance(x + out.x, y + out.y, &cursor).squareRoot()
    let length = side & 1 == 0 ? field.width : field.height
    let away = Int32(((radius - inside) / (outside - inside) * Float(length)).rounded())
    return Gate(column: x, row: y, side: side, interpolated: min(max(away, 1), Int32(length) - 1))
  }

  /// Counts turns from gate to gate: a counterclockwise ring has four more left turns than right turns.
  private func isOuter(_ ring: Range<Int>) -> Bool {
    var (turns, last) = (0, gates[ring.upperBound - 1].side)
    for gate in gates[ring] {
      switch (gate.side &- last) & 3 {
      case 1: turns += 1
      case 3: turns -= 1
      default: break
      }
      last = gate.side
    }
    return turns > 0
  }
}
