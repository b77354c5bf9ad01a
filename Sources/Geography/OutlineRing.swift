/// A point where an outline crosses the lattice edge from an inside point to an outside neighbour.
struct Gate {
  /// The inside point.
  var column: Int32
  var row: Int32
  /// The direction of the outside neighbour: 0 east, 1 north, 2 west, 3 south.
  var side: UInt8
  /// The interpolated distance of the outline from the inside point, in whole units; it lies between the two points.
  var interpolated: Int32
  /// The distance at which the outline is drawn; a whole number at a corner.
  var drawn = 0.0
  var isCorner = false

  static let east: UInt8 = 0
  static let west: UInt8 = 2

  /// Returns the step to the neighbour on a side.
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
  /// The gates in order; the first one is not marked in `isKept`, unless all are.
  private(set) var gates: [Gate]
  /// Whether each gate is passed at the same position as in the inner outline.
  private var isKept: [Bool]
  /// The next kept gate after the current corner; the number of gates if there is none.
  private var stop = -1
  /// The range within which each gate may be passed.
  private var spans: [ClosedRange<Double>] = []
  private let (width, height): (Int, Int)

  /// - Parameters:
  ///   - tolerance: The maximum deviation at a gate, in units.
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
