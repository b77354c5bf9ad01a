import Foundation

/// The outlines of nested areas around lines. An area consists of all points within a radius of a line.
///
/// The distance to the lines is computed on a lattice, and outlines are interpolated between its points (marching
/// squares: W. E. Lorensen, H. E. Cline 1987). The lattice is fine enough that squares crossed by a line are entirely
/// inside, so an area contains its lines. Two opposite corners of a square are connected if both are inside.
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
  ///   - radius: In millionths of a degree of latitude, as are the other lengths.
  ///   - smallRadius: The radius up to which the spacing is proportional to the radius. Beyond it, the spacing grows
  ///     with the square root of the radius, so that arcs between lattice points bulge no farther.
  ///   - tolerance: The maximum deviation of outlines; less than the radius.
  ///   - xScale: The length of a degree of longitude relative to a degree of latitude.
  init(radius: Double, smallRadius: Double, tolerance: Double, xScale: Double) {
    (self.radius, self.tolerance, self.xScale) = (radius, tolerance, xScale)
    let pitch = (radius * min(radius, smallRadius)).squareRoot() * AreaOutline.pitch
    field = LineField(reach: radius + pitch, pitch: pitch, xScale: xScale)
  }

  /// Extends the area to the surroundings of `lines` and returns its polygons, each with a counterclockwise outer ring
  /// and clockwise holes.
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
  private(set) var gates: [Gate] = []
  /// The range of each ring's gates and, for a hole, another ring of the same polygon to its west.
  private(set) var rings: [(gates: Range<Int>, around: Int?)] = []
  private let field: LineField
  private let radius: Float
  private let near: [UInt16]
  private var cursor = LineField.Cursor()
  private var bitCursor = LineField.Cursor()
  /// For each gate whose outside neighbour is to the east or west, the index of its ring.
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

  /// Traces the ring that starts at the eastern gate of an inside point.
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
    rings.append((start..<gates.count, nil))
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

/// A point where an outline crosses the lattice edge from an inside point to an outside neighbour.
struct Gate {
  /// The inside point.
  var column: Int32
  var row: Int32
  /// The direction of the outside neighbour: 0 east, 1 north, 2 west, 3 south.
  var side: UInt8
  /// The interpolated distance of the outline from the inside point, in whole millionths of a degree; the outline lies
  /// strictly between the two points.
  var interpolated: Int32
  /// The distance at which the outline is drawn, in millionths of a degree; a whole number at a corner.
  var drawn = 0.0
  var isCorner = false

  static let east: UInt8 = 0
  static let west: UInt8 = 2

  static func step(_ side: UInt8) -> (x: Int32, y: Int32) {
    switch side {
    case 0: (1, 0)
    case 1: (0, 1)
    case 2: (-1, 0)
    default: (0, -1)
    }
  }
}

/// The gates of an outline, indexed by lattice edge.
struct InnerOutline {
  private let gates: [Gate]
  private var index: LatticeTable

  init(_ gates: [Gate]) {
    self.gates = gates
    index = LatticeTable(capacity: gates.count)
    for (position, gate) in gates.enumerated() { index[gate.column, gate.row, gate.side] = UInt32(position) }
  }

  var isEmpty: Bool { gates.isEmpty }

  /// The gate on the same edge, from the same inside point.
  subscript(gate: Gate) -> Gate? { isEmpty ? nil : index[gate.column, gate.row, gate.side].map { gates[Int($0)] } }
}

/// A ring of an outline, simplified to a few corners.
///
/// A ring passes its gates in order, with the inside on its left. It may deviate slightly at each gate, so that a
/// straight edge passes many of them: an edge continues as long as it passes all gates since its start within their
/// ranges. Two rings never share a gate, and edges between neighbouring gates do not cross, so rings touch neither
/// themselves nor others.
///
/// A ring around an inner outline stays outside it, and coincides with it where both are interpolated to the same
/// points.
struct OutlineRing {
  /// The gates in order. The first one does not coincide with the inner outline, unless all do.
  private(set) var gates: [Gate]
  /// Whether each gate is passed at the same position as in the inner outline.
  private var isKept: [Bool]
  /// The index of the next kept gate after the current corner; the number of gates if there is none.
  private var stop = -1
  /// For each gate, the range of distances from the inside point at which the outline may pass it.
  private var spans: [ClosedRange<Double>] = []
  private let (width, height): (Int, Int)

  /// - Parameters:
  ///   - tolerance: The maximum deviation at a gate, in millionths of a degree of latitude.
  ///   - xScale: The length of a degree of longitude relative to a degree of latitude.
  ///   - inner: The gates of an outline inside this one.
  init(_ gates: ArraySlice<Gate>, of field: LineField, tolerance: Double, xScale: Double, inner: InnerOutline) {
    (self.gates, width, height) = (Array(gates), field.width, field.height)
    isKept = [Bool](repeating: false, count: gates.count)
    if !inner.isEmpty {
      guard let start = gates.firstIndex(where: { inner[$0]?.interpolated != $0.interpolated }) else {
        self.gates = gates.map { inner[$0]! }
        return
      }
      self.gates = Array(gates[start...]) + gates[..<start]
      keepCorners(of: inner)
    }
    spans = self.gates.indices.map { span(of: $0, tolerance, xScale, inner) }
    draw()
  }

  /// Makes the ring follow the inner outline between the first and last corner of each run of shared gates.
  private mutating func keepCorners(of inner: InnerOutline) {
    let shared = gates.map { gate in inner[gate].flatMap { $0.interpolated == gate.interpolated ? $0 : nil } }
    var start = 0
    while let first = shared[start...].firstIndex(where: { $0 != nil }) {
      let end = shared[first...].firstIndex { $0 == nil } ?? shared.count
      let corners = (first..<end).filter { shared[$0]!.isCorner }
      if let first = corners.first, let last = corners.last {
        for index in first...last { (gates[index], isKept[index]) = (shared[index]!, true) }
      }
      start = end
    }
  }

  /// Returns the range within which a gate may be passed. The tolerance is measured perpendicular to the outline, whose
  /// direction is given by the previous and the next gate.
  private func span(
    of index: Int, _ tolerance: Double, _ xScale: Double, _ inner: InnerOutline
  ) -> ClosedRange<Double> {
    let gate = gates[index]
    guard !isKept[index] else { return gate.drawn...gate.drawn }
    let isHorizontal = gate.side & 1 == 0
    let (previous, next) = (gates[(index + gates.count - 1) % gates.count], gates[(index + 1) % gates.count])
    let way = point(next, Double(next.interpolated)) - point(previous, Double(previous.interpolated))
    let (dx, dy) = (way.x * xScale, way.y)
    let across = abs(isHorizontal ? dy : dx) / max(1, (dx * dx + dy * dy).squareRoot())
    let deviation = tolerance / max(across, 0.1) / (isHorizontal ? xScale : 1)
    let end = Double((isHorizontal ? width : height) - 1)
    var low = max(1, Double(gate.interpolated) - deviation)
    if let other = inner[gate] { low = min(end, max(low, other.drawn + 1)) }
    return low...min(end, max(Double(gate.interpolated) + deviation, low.rounded(.up)))
  }

  private struct Vector {
    var x: Double
    var y: Double
    static func - (a: Vector, b: Vector) -> Vector { Vector(x: a.x - b.x, y: a.y - b.y) }
    /// Returns the cross product: positive if the other vector is to the left.
    func cross(_ other: Vector) -> Double { x * other.y - y * other.x }
  }

  /// Returns the position at a distance from a gate's inside point, in millionths of a degree.
  private func point(_ gate: Gate, _ distance: Double) -> Vector {
    let step = Gate.step(gate.side)
    return Vector(
      x: Double(Int(gate.column) * width) + Double(step.x) * distance,
      y: Double(Int(gate.row) * height) + Double(step.y) * distance)
  }

  /// The corners; the first one is repeated at the end.
  var points: [FixedCoordinate] {
    let corners = gates.filter(\.isCorner).map { gate -> FixedCoordinate in
      let point = point(gate, gate.drawn)
      return FixedCoordinate(longitude: Int32(point.x) * 10, latitude: Int32(point.y) * 10)
    }
    return corners + corners.prefix(1)
  }

  // MARK: Edges

  private mutating func draw() {
    place(0, at: Double(gates[0].interpolated))
    var corner = 0
    while corner < gates.count {
      let isKept = isKept[corner] && corner + 1 < gates.count && isKept[corner + 1]
      corner = isKept ? gates[(corner + 1)...].firstIndex(where: \.isCorner)! : drawEdge(from: corner)
    }
  }

  /// Makes a gate a corner, at the nearest whole position.
  private mutating func place(_ index: Int, at position: Double) {
    let span = spans[index]
    gates[index].drawn = min(max(position.rounded(), span.lowerBound.rounded(.up)), span.upperBound.rounded(.down))
    gates[index].isCorner = true
  }

  /// Draws the edge from a corner as far as possible and returns its end: `gates.count` at the ring's start.
  private mutating func drawEdge(from corner: Int) -> Int {
    let start = point(gates[corner], gates[corner].drawn)
    while stop <= corner { stop = isKept[(stop + 1)...].firstIndex(of: true) ?? gates.count }
    var (left, right) = (Vector(x: 0, y: 0), Vector(x: 0, y: 0))
    var last = corner
    while last < stop {
      let (gate, span) = gateAndSpan(at: last + 1)
      let (a, b) = (point(gate, span.lowerBound) - start, point(gate, span.upperBound) - start)
      let (narrowLeft, narrowRight) =
        last == corner ? (a, b) : (left.cross(a) < 0 ? a : left, right.cross(b) > 0 ? b : right)
      guard narrowRight.cross(narrowLeft) >= 0 else { break }
      (left, right, last) = (narrowLeft, narrowRight, last + 1)
    }
    last = max(last, corner + 1)
    while true {
      let (gate, span) = gateAndSpan(at: last)
      var away = gate.drawn
      if last < stop {
        let a = position(on: gate, from: start, along: left)
        let b = position(on: gate, from: start, along: right)
        let (first, second) = (a.isFinite ? a : b, b.isFinite ? b : a)
        let (low, high) = first.isFinite ? (min(first, second), max(first, second)) : (span.lowerBound, span.upperBound)
        place(last, at: min(max(Double(gate.interpolated), low), high))
        away = gates[last].drawn
      }
      if pass(corner + 1..<last, from: start, to: point(gate, away)) { return last }
      if last < stop { gates[last].isCorner = false }
      last = corner + 1 + (last - corner - 1) / 2
    }
  }

  /// Returns a gate and the range within which it may be passed; past the last gate, the ring's start.
  private func gateAndSpan(at index: Int) -> (Gate, ClosedRange<Double>) {
    guard index == gates.count else { return (gates[index], spans[index]) }
    return (gates[0], gates[0].drawn...gates[0].drawn)
  }

  /// Returns the position where a ray crosses the line of a gate.
  private func position(on gate: Gate, from start: Vector, along direction: Vector) -> Double {
    let (inside, step) = (point(gate, 0), Gate.step(gate.side))
    if step.y == 0 { return (start.x + (inside.y - start.y) / direction.y * direction.x - inside.x) * Double(step.x) }
    return (start.y + (inside.x - start.x) / direction.x * direction.y - inside.y) * Double(step.y)
  }

  /// Returns whether an edge passes gates in order, each within its range; stores the positions.
  private mutating func pass(_ range: Range<Int>, from start: Vector, to end: Vector) -> Bool {
    let way = end - start
    var last = 0.0
    for index in range {
      let (inside, isHorizontal) = (point(gates[index], 0), gates[index].side & 1 == 0)
      let part = isHorizontal ? (inside.y - start.y) / way.y : (inside.x - start.x) / way.x
      let away = position(on: gates[index], from: start, along: way)
      guard part >= last, part <= 1, spans[index].contains(away) else { return false }
      (gates[index].drawn, last) = (away, part)
    }
    return true
  }
}

/// A hash table of numbers keyed by lattice position, with linear probing. Faster than a `Dictionary`, which protects
/// against crafted keys.
struct LatticeTable {
  private var keys: [UInt64]
  private var values: [UInt32]
  private var count = 0

  /// Marks a free slot: the key of row `Int32.min`, since rows have fewer than 31 bits.
  private static let free = UInt64(1) << 33

  /// - Parameter capacity: The number of entries that fit without growth.
  init(capacity: Int = 0) {
    let slots = 1 << (Int.bitWidth - max(63, capacity * 2 - 1).leadingZeroBitCount)
    (keys, values) = (Array(repeating: LatticeTable.free, count: slots), Array(repeating: 0, count: slots))
  }

  /// - Parameter side: 0 to 3.
  subscript(column: Int32, row: Int32, side: UInt8 = 0) -> UInt32? {
    get {
      let slot = slot(of: key(column, row, side))
      return keys[slot] == LatticeTable.free ? nil : values[slot]
    }
    set {
      guard let newValue else { return }
      if count * 2 >= keys.count { grow() }
      set(key(column, row, side), newValue)
    }
  }

  private func key(_ column: Int32, _ row: Int32, _ side: UInt8) -> UInt64 {
    (UInt64(UInt32(bitPattern: column)) << 32 | UInt64(UInt32(bitPattern: row))) << 2 | UInt64(side)
  }

  /// Returns the slot of a key, or a free slot for it.
  private func slot(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while keys[slot] != key, keys[slot] != LatticeTable.free { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func set(_ key: UInt64, _ value: UInt32) {
    let slot = slot(of: key)
    if keys[slot] == LatticeTable.free { count += 1 }
    (keys[slot], values[slot]) = (key, value)
  }

  private mutating func grow() {
    var larger = LatticeTable(capacity: keys.count)
    for (key, value) in zip(keys, values) where key != LatticeTable.free { larger.set(key, value) }
    self = larger
  }
}
