import Geography
import Hierarchy

/// Streets and junctions as plain tables, sorted along the map: near ones have near indices.
struct StreetTable {
  private(set) var streets: [Street] = []
  /// The points of all streets, both ends included, one street after the other.
  private(set) var points: [FixedCoordinate] = []
  /// OpenStreetMap's ID of the node of each point.
  private(set) var pointNodes: [Int64] = []
  private(set) var junctionCount = 0
  /// Ways of more than 2,684 km or 74 hours, which weights cannot hold.
  private(set) var tooLong = 0
  /// What else is known of each street while the network is built.
  private(set) var delays: [(head: UInt32, tail: UInt32)] = []
  private(set) var ways: [(tail: UInt32, head: UInt32)] = []
  private(set) var hours: [PieceTimes] = []
  /// For each street the number of streets in its strongly connected component of junctions: few on an island.
  private(set) var componentSizes: [UInt32] = []
  /// The index of each junction, by its index among the pieces'.
  let junctionIndices: [UInt32]

  /// The parts of each street.
  let parts: StreetParts

  init(_ pieces: [Piece], junctionCount: Int, of map: OSMImport) {
    (junctionIndices, self.junctionCount) = hilbertOrder(of: pieces, junctionCount: junctionCount)
    let indices = junctionIndices
    let keys = pieces.map { UInt64(indices[Int($0.tail)]) << 32 | UInt64(indices[Int($0.head)]) }
    let order = pieces.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    streets.reserveCapacity(pieces.count + 1)
    points.reserveCapacity(pieces.reduce(0) { $0 + $1.points.count })
    pointNodes.reserveCapacity(points.capacity)
    var parts = StreetParts.Builder(streetCount: pieces.count)
    for index in order {
      let piece = pieces[index]
      // A gate has no length, but every arc takes a millisecond at least: what takes none has no hours.
      let isGate = piece.flags.contains(.gate)
      let metres = isGate ? 0 : Polyline(points: piece.points[...]).length
      let times = [(piece.forwardSpeed, piece.forwardWait), (piece.backwardSpeed, piece.backwardWait)].map {
        speed, wait in speed > 0 ? max(1, (metres / speed * 1000).rounded() + wait) : 0
      }
      guard metres * 100 < Double(Weight.arcLimit), times.max()! < Double(Weight.arcLimit / 2) else {
        tooLong += 1
        continue
      }
      let gateHeading = piece.heading.map(heading(ofDegrees:))
      streets.append(
        Street(
          tail: indices[Int(piece.tail)], head: indices[Int(piece.head)], firstPoint: UInt32(points.count),
          attributes: piece.attributes, forwardMilliseconds: UInt32(times[0]), backwardMilliseconds: UInt32(times[1]),
          centimetres: UInt32((metres * 100).rounded()),
          tailHeading: gateHeading ?? heading(ofDegrees: piece.points.initialHeading),
          headHeading: gateHeading ?? heading(ofDegrees: piece.points.reversed().initialHeading) &+ 0x8000,
          tailEnd: 0, headEnd: 0, flags: piece.flags))
      points.append(contentsOf: piece.points)
      pointNodes.append(contentsOf: piece.nodes.lazy.map { map.nodeIDs[Int($0)] })
      delays.append((piece.headDelay, piece.tailDelay))
      ways.append((piece.tailWay, piece.headWay))
      parts.append(isGate ? [] : piece.parts, of: map)
      hours.append(piece.times)
    }
    self.parts = parts.parts
    markComponents(map.closedWithoutDate)
  }

  /// Marks the streets that only serve a trip's ends: those that can be reached only over such streets (a park behind a
  /// gate) are such streets too. Within each component, all but the largest part that is connected without them.
  private mutating func markComponents(_ closed: Set<UInt32>) {
    let whole = components(closed) { _ in true }
    countComponents(whole)
    let open = components(closed) { !$0.flags.contains(.endsOnly) }
    var main: [UInt32: UInt32] = [:]
    for junction in 0..<junctionCount {
      let (component, part) = (whole.ofState[junction], open.ofState[junction])
      guard let known = main[component] else {
        main[component] = part
        continue
      }
      let (size, knownSize) = (open.sizes[Int(part)], open.sizes[Int(known)])
      if (size, known) > (knownSize, part) { main[component] = part }
    }
    let isMain = (0..<junctionCount).map { main[whole.ofState[$0]] == open.ofState[$0] }
    for index in streets.indices where !isMain[Int(streets[index].tail)] || !isMain[Int(streets[index].head)] {
      streets[index].flags.insert(.endsOnly)
    }
  }

  /// A street from one component to another is one of its own.
  private mutating func countComponents(_ components: StrongComponents) {
    let component = streets.map { street -> Int? in
      let (tail, head) = (components.ofState[Int(street.tail)], components.ofState[Int(street.head)])
      return tail == head ? Int(tail) : nil
    }
    var sizes = [UInt32](repeating: 0, count: components.sizes.count)
    for (street, component) in zip(streets, component) where !street.flags.contains(.gate) {
      if let component { sizes[component] += 1 }
    }
    componentSizes = component.map { $0.map { sizes[$0] } ?? 1 }
  }

  private func components(_ closed: Set<UInt32>, of isIncluded: (Street) -> Bool) -> StrongComponents {
    var arcs: [ArcGraph.Arc] = []
    let any = Weight(milliseconds: 1, centimetres: 0)
    for (index, street) in streets.enumerated() where isIncluded(street) {
      let isClosed = [false, true].map { closed.contains(hours[index].closing(isReversed: $0)) }
      let (tail, head) = (StateID(street.tail), StateID(street.head))
      if street.flags.contains(.forward) && !isClosed[0] { arcs.append(.init(from: tail, to: head, weight: any)) }
      if street.flags.contains(.backward) && !isClosed[1] { arcs.append(.init(from: head, to: tail, weight: any)) }
    }
    return StrongComponents(ArcGraph(stateCount: junctionCount, arcs: arcs))
  }
}

private func heading(ofDegrees degrees: Double) -> UInt16 {
  UInt16(truncatingIfNeeded: Int((degrees / 360 * 65_536).rounded()))
}

/// Sorts the junctions that pieces end at along a Hilbert curve over the map.
private func hilbertOrder(of pieces: [Piece], junctionCount: Int) -> (indices: [UInt32], count: Int) {
  var points = [FixedCoordinate?](repeating: nil, count: junctionCount)
  for piece in pieces {
    points[Int(piece.tail)] = piece.points[0]
    points[Int(piece.head)] = piece.points[piece.points.count - 1]
  }
  let box = BoundingBox(around: points.lazy.compactMap(\.self))
  let sorted = points.enumerated().compactMap { index, point in
    point.map { UInt64(HilbertIndex($0, in: box).value) << 32 | UInt64(index) }
  }.sorted()
  var indices = [UInt32](repeating: .max, count: points.count)
  for (index, key) in sorted.enumerated() { indices[Int(UInt32(truncatingIfNeeded: key))] = UInt32(index) }
  return (indices, sorted.count)
}
