import Geography
import Hierarchy

/// Streets and junctions as plain tables, numbered along the map: near ones have near numbers.
struct StreetTable {
  private(set) var streets: [Street] = []
  /// The points of all streets, both ends included, one street after the other.
  private(set) var points: [FixedCoordinate] = []
  private(set) var junctionCount = 0
  /// Ways of more than 2,684 km or 74 hours, which weights have no room for.
  private(set) var tooLong = 0

  init(_ pieces: [Piece], junctionCount: UInt32, attributes: [StreetAttributes]) {
    let numbers = junctionNumbers(of: pieces, junctionCount: junctionCount)
    let keys = pieces.map { UInt64(numbers[Int($0.tail)]) << 32 | UInt64(numbers[Int($0.head)]) }
    let order = pieces.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    streets.reserveCapacity(pieces.count + 1)
    points.reserveCapacity(pieces.reduce(0) { $0 + $1.points.count })
    for index in order {
      let piece = pieces[index]
      let metres = Polyline(points: piece.points[...]).length
      let milliseconds = metres / Double(attributes[Int(piece.attributes)].metresPerSecond) * 1000
      guard metres * 100 < Double(Weight.arcLimit), milliseconds < Double(Weight.arcLimit) else {
        tooLong += 1
        continue
      }
      streets.append(
        Street(
          tail: numbers[Int(piece.tail)], head: numbers[Int(piece.head)], firstPoint: UInt32(points.count),
          attributes: piece.attributes, milliseconds: UInt32(max(1, milliseconds.rounded())),
          centimetres: UInt32((metres * 100).rounded()),
          tailHeading: heading(piece.points), headHeading: heading(piece.points.reversed()) &+ 0x8000,
          flags: piece.flags))
      points.append(contentsOf: piece.points)
    }
    markComponents()
  }

  /// Numbers the junctions that pieces end at along a Hilbert curve over the map.
  private mutating func junctionNumbers(of pieces: [Piece], junctionCount: UInt32) -> [UInt32] {
    var places = [FixedCoordinate?](repeating: nil, count: Int(junctionCount))
    for piece in pieces {
      places[Int(piece.tail)] = piece.points[0]
      places[Int(piece.head)] = piece.points[piece.points.count - 1]
    }
    let box = BoundingBox(around: places.lazy.compactMap(\.self))
    let sorted = places.enumerated().compactMap { number, place in
      place.map { UInt64(HilbertIndex($0, in: box).value) << 32 | UInt64(number) }
    }.sorted()
    var numbers = [UInt32](repeating: .max, count: places.count)
    for (number, key) in sorted.enumerated() { numbers[Int(UInt32(truncatingIfNeeded: key))] = UInt32(number) }
    self.junctionCount = sorted.count
    return numbers
  }

  /// Marks the streets that places may be put on, and those that only serve a trip's ends.
  ///
  /// - A place is put on a street only if both its junctions lie in large strongly connected components: from
  ///   everywhere there one gets everywhere. Islands of mapping and one-way stubs at an extract's edge do not count.
  /// - Streets that can be reached only over streets for a trip's ends (a park behind a gate) are such streets too:
  ///   within each component, all but the largest part that holds together without them.
  private mutating func markComponents() {
    let whole = components { _ in true }
    let open = components { !$0.flags.contains(.endsOnly) }
    let limit = min(1_000, ((whole.sizes.max() ?? 0) + 49) / 50)
    var main: [UInt32: UInt32] = [:]
    for junction in 0..<junctionCount {
      let (component, part) = (whole.numbers[junction], open.numbers[junction])
      guard let known = main[component] else {
        main[component] = part
        continue
      }
      let (size, knownSize) = (open.sizes[Int(part)], open.sizes[Int(known)])
      if (size, known) > (knownSize, part) { main[component] = part }
    }
    let isMain = (0..<junctionCount).map { main[whole.numbers[$0]] == open.numbers[$0] }
    for index in streets.indices {
      let (tail, head) = (Int(streets[index].tail), Int(streets[index].head))
      if !isMain[tail] || !isMain[head] { streets[index].flags.insert(.endsOnly) }
      let isLarge = [tail, head].allSatisfy { whole.sizes[Int(whole.numbers[$0])] >= limit }
      if isLarge { streets[index].flags.insert(.snappable) }
    }
  }

  private func components(of isIncluded: (Street) -> Bool) -> StrongComponents {
    var arcs: [ArcGraph.Arc] = []
    let any = Weight(milliseconds: 1, centimetres: 0)
    for street in streets where isIncluded(street) {
      let (tail, head) = (StateID(street.tail), StateID(street.head))
      if street.flags.contains(.forward) { arcs.append(.init(from: tail, to: head, weight: any)) }
      if street.flags.contains(.backward) { arcs.append(.init(from: head, to: tail, weight: any)) }
    }
    return StrongComponents(ArcGraph(stateCount: junctionCount, arcs: arcs))
  }
}

/// The heading in which a line leaves its first point, in 1/65,536 of a turn.
private func heading(_ points: some Collection<FixedCoordinate>) -> UInt16 {
  UInt16(truncatingIfNeeded: Int((points.initialHeading / 360 * 65_536).rounded()))
}
