import Geography
import Hierarchy

// Columns are read through their base addresses, at indices that the rules have validated: a call per value would take
// longer than everything else.

/// Checks the columns of a network against one another, after each has passed its rule: streets meet at their
/// junctions, arcs lead along streets, and so on. This guarantees that every path is a trip over consecutive streets,
/// every search terminates, and no subtraction underflows. Names, coordinates and times may still be forged.
struct NetworkCoherence {
  private let file: NetworkFile
  private let streets: Column<Street>
  private let points: Column<FixedCoordinate>
  private let ends: StreetEnds
  private let junctions: Column<JunctionStates>

  init(_ file: NetworkFile) throws {
    self.file = file
    streets = try file.column(.streets)
    points = try file.column(.points)
    ends = try StreetEnds(first: file.column(.firstEnd), ends: file.column(.ends))
    junctions = try file.column(.junctions)
  }

  /// *Throws*: `InvalidColumnFile`.
  func check() throws {
    try require(.streets, streets.indices.allSatisfy { shape(of: $0).count >= 2 })
    try require(.ends, streets.indices.allSatisfy(isListedAtEnds))
    try require(.parts, haveParts())
    try require(.maneuvers, haveManeuvers())
    try require(.junctions, zip(junctions, junctions.dropFirst()).allSatisfy(hasStates))
    let junctionOf = junctionOfStates
    let graph = try checkedArcs(junctionOf)
    try require(.starts, areStartsValid(junctionOf))
    let hierarchy = try Hierarchy(file)
    if hierarchy.brokenInvariant(over: graph) != nil { throw InvalidColumnFile.invalid("outgoing") }
    try checkIndices()
    try checkSquares()
    let kinds: Column<UInt8> = try file.column(.backdropKinds)
    let kindCount = kinds.buffer.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let records: Column<Backdrop.Record> = try file.column(.backdropRecords)
    try require(.backdropKinds, records.buffer.allSatisfy { $0.kind < kindCount })
  }

  private func require(_ section: NetworkSection, _ holds: Bool) throws {
    guard holds else { throw InvalidColumnFile.invalid("\(section)") }
  }

  // MARK: Streets

  private func shape(of street: Int) -> Range<Int> {
    let next = street + 1
    return Int(
      streets.base[street].firstPoint)..<(next < streets.count ? Int(streets.base[next].firstPoint) : points.count)
  }

  /// Returns whether the junctions at the street's ends list the street.
  private func isListedAtEnds(_ index: Int) -> Bool {
    let street = streets.base[index]
    func isListed(at junction: UInt32, _ end: UInt16, isReversed: Bool) -> Bool {
      let position = Int(ends.first.base[Int(junction)]) + Int(end)
      guard position < Int(ends.first.base[Int(junction) + 1]) else { return false }
      return ends.ends.base[position] == DirectedStreet(StreetID(index), isReversed: isReversed)
    }
    return isListed(at: street.tail, street.tailEnd, isReversed: false)
      && isListed(at: street.head, street.headEnd, isReversed: true)
  }

  private func haveParts() throws -> Bool {
    let parts = try StreetParts(first: file.column(.firstPart), records: file.column(.parts))
    return streets.indices.allSatisfy { street in
      let last = shape(of: street).count - 1
      var previous = 0
      for index in Int(parts.first.base[street])..<Int(parts.first.base[street + 1]) {
        let point = Int(parts.records.base[index].firstPoint)
        guard point >= previous, point <= last else { return false }
        previous = point
      }
      return true
    }
  }

  /// Returns whether each junction has a maneuver for every pair of ends.
  private func haveManeuvers() throws -> Bool {
    let first: Column<UInt32> = try file.column(.firstManeuver)
    let count = file.count(of: .maneuvers)
    return first.indices.allSatisfy { junction in
      let next = junction + 1 < first.count ? Int(first[junction + 1]) : count
      let ends = ends.count(at: junction)
      return next - Int(first[junction]) == ends * ends
    }
  }

  // MARK: States

  private func hasStates(_ junction: JunctionStates, _ next: JunctionStates) -> Bool {
    junction.first <= junction.lastTarget && junction.lastTarget <= next.first
      && (junction.free == StateGraph.none || junction.free >= junction.first && junction.free < next.first)
  }

  private var junctionOfStates: [UInt32] {
    var junctionOf: [UInt32] = []
    junctionOf.reserveCapacity(Int(junctions.last?.first ?? 0))
    for (junction, next) in junctions.dropFirst().enumerated() {
      while junctionOf.count < Int(next.first) { junctionOf.append(UInt32(junction)) }
    }
    return junctionOf
  }

  private func end(of street: DirectedStreet) -> UInt32 {
    streets.base[Int(street.street.index)].start(isReversed: !street.isReversed)
  }

  /// Returns the arcs after checking that each leads along a street from a state at one end to a state at the other
  /// end, and takes at least the street's time.
  private func checkedArcs(_ junctionOf: [UInt32]) throws -> ArcGraph {
    let travelled: Column<DirectedStreet> = try file.column(.arcStreets)
    let (first, heads): (Column<UInt32>, Column<UInt32>) = try (file.column(.firstArc), file.column(.arcHeads))
    let weights: Column<Weight> = try file.column(.arcWeights)
    for (state, junction) in junctionOf.enumerated() {
      for arc in Int(first.base[state])..<Int(first.base[state + 1]) {
        let directed = travelled.base[arc]
        let (street, weight) = (streets.base[Int(directed.street.index)], weights.base[arc])
        try require(
          .arcStreets,
          street.isOpen(isReversed: directed.isReversed) && street.start(isReversed: directed.isReversed) == junction
            && street.start(isReversed: !directed.isReversed) == junctionOf[Int(heads.base[arc])])
        try require(
          .arcWeights,
          weight.milliseconds > 0 && weight.centimetres == street.centimetres
            && weight.milliseconds >= street.milliseconds(isReversed: directed.isReversed))
      }
    }
    return ArcGraph(firstArc: first, heads: heads, weights: weights)
  }

  private func areStartsValid(_ junctionOf: [UInt32]) throws -> Bool {
    let starts: Column<UInt32> = try file.column(.starts)
    let through: Column<StateGraph.StartThrough> = try file.column(.startsThrough)
    return starts.indices.allSatisfy { index in
      let state = starts.base[index]
      return state == StateGraph.none || junctionOf[Int(state)] == end(of: DirectedStreet(index: UInt32(index / 2)))
    } && through.allSatisfy { junctionOf[Int($0.state)] == end(of: $0.street) }
  }

  // MARK: Indices

  /// Checks that boxes contain their content, since a search skips everything in a distant box.
  private func checkIndices() throws {
    for (runs, boxes) in [(NetworkSection.runs, .boxes), (.islandRuns, .islandBoxes)] as [(_, NetworkSection)] {
      let runColumn: Column<StreetIndex.Run> = try file.column(runs)
      try require(runs, runColumn.buffer.allSatisfy { Int($0.segment) < shape(of: Int($0.street)).count - 1 })
      let boxColumn: Column<BoundingBox> = try file.column(boxes)
      try require(
        boxes,
        StreetIndex.areBoxesValid(boxColumn, runCount: runColumn.count) { run in
          let (street, segment) = (Int(runColumn.base[run].street), Int(runColumn.base[run].segment))
          let points = shape(of: street).dropFirst(segment).prefix(StreetIndex.runLength + 1)
          return BoundingBox(
            around: UnsafeBufferPointer(start: self.points.base + points.lowerBound, count: points.count))
        })
    }
  }

  private func checkSquares() throws {
    let areas: Column<SquareAreas.Record> = try file.column(.squares)
    let rings: Column<UInt32> = try file.column(.squareRings)
    let outlines: Column<FixedCoordinate> = try file.column(.squarePoints)
    let boxes: [BoundingBox] = zip(areas, areas.dropFirst()).map { area, next in
      let points = Int(rings[Int(area.firstRing)])..<Int(rings[Int(next.firstRing)])
      return BoundingBox(around: outlines.buffer[points])
    }
    // 64-bit integers suffice for boxes up to 107 degrees wide. A street of zero length would be infinitely slow.
    try require(
      .squares,
      zip(areas, boxes).allSatisfy { area, box in
        Int(area.street) < streets.count && streets[Int(area.street)].centimetres > 0
          && (box.isEmpty || box.width < 0x1p30 && box.height < 0x1p30)
      })
    let runs: Column<StreetIndex.Run> = try file.column(.squareRuns)
    try require(
      .squareBoxes,
      StreetIndex.areBoxesValid(try file.column(.squareBoxes), runCount: runs.count) { boxes[Int(runs[$0].segment)] })
  }
}

extension StreetIndex {
  /// Returns whether boxes match the runs, and each level contains the one below.
  fileprivate static func areBoxesValid(
    _ boxes: Column<BoundingBox>, runCount: Int, _ boxOfRun: (Int) -> BoundingBox
  ) -> Bool {
    let levels = levels(runCount: runCount)
    guard levels.last == boxes.count else { return false }
    for run in 0..<runCount where boxes.base[run] != boxOfRun(run) { return false }
    for level in 1..<levels.count - 1 {
      for node in levels[level]..<levels[level + 1] {
        let first = levels[level - 1] + (node - levels[level]) * fanOut
        let union = boxes.buffer[first..<min(first + fanOut, levels[level])]
          .reduce(into: BoundingBox.empty) { $0.formUnion($1) }
        guard boxes.base[node] == union else { return false }
      }
    }
    return true
  }
}
