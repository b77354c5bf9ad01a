import Geography

/// Areas that are walked across: lines between the streets that lead onto them, around the corners and holes in
/// between.
///
///     ──a───────────b──         the outline is itself a street; a, b and c are nodes shared with other streets
///       │ `.      .'│
///       │   ┌───┐'  │
///       │   └───┘   │
///       └─────c─────┘
///             │
struct Squares {
  private(set) var counts = SquareCounts()
  /// The lines to add, each between two nodes.
  private(set) var lines: [(area: Int, from: UInt32, to: UInt32)] = []
  /// The crossed areas; a square may have several parts.
  private(set) var areas: [Area] = []
  let squares: [Square]

  /// A part of a square with its entrances and reflex corners.
  struct Area {
    var square: Int
    var rings: [[FixedCoordinate]]
    var corners: [(point: FixedCoordinate, node: UInt32, isEntrance: Bool)]
    /// All nodes of its rings.
    var nodes: [UInt32]
  }

  /// An area as mapped.
  struct Square {
    var origin: Origin
    /// The OpenStreetMap IDs of the ways around it and its holes.
    var ways: Set<Int64>
    /// The nodes of the ways around it and its holes.
    var outline: [[UInt32]]
  }

  /// The source of an area's properties: a relation, or a way by index.
  enum Origin {
    case relation(UsableWay)
    case way(Int)
  }

  /// Finds the areas and lines. `streets` contains the nodes of each way that is not the outline of a square.
  init(_ squares: [Square], streets: some Sequence<ArraySlice<UInt32>>, points: [FixedCoordinate?], mostCorners: Int) {
    self.squares = squares
    let outlines = squares.map { Rings(joining: $0.outline) }
    var uses = [UInt8](repeating: 0, count: squares.isEmpty ? 0 : points.count)
    for node in streets.joined() where !squares.isEmpty { uses[Int(node)] = 1 }
    // A node shared by two squares connects them.
    for node in outlines.flatMap({ Set($0.rings.joined()) }) { uses[Int(node)] = min(uses[Int(node)] + 1, 2) }
    for (index, outline) in outlines.enumerated() { add(index, outline, points, mostCorners) { uses[Int($0)] > 1 } }
  }

  private mutating func add(
    _ square: Int, _ outline: Rings, _ points: [FixedCoordinate?], _ mostCorners: Int, isEntrance: (UInt32) -> Bool
  ) {
    let nodes = outline.rings.joined()
    let rings = outline.rings.map { $0.compactMap { points[Int($0)] } }
    guard !outline.isOpen, !rings.isEmpty, rings.joined().count == nodes.count, let parts = RingedArea.areas(of: rings)
    else {
      counts.broken += 1
      return
    }
    // If several nodes share a point, an entrance represents them all.
    var nodeAt: [FixedCoordinate: UInt32] = [:]
    var entrances: Set<FixedCoordinate> = []
    for (node, point) in zip(nodes, rings.joined()) {
      if isEntrance(node) && entrances.insert(point).inserted { nodeAt[point] = node }
      if nodeAt[point] == nil { nodeAt[point] = node }
    }
    for area in parts {
      do throws(VisibleArea.Failure) {
        let ends = entrances.intersection(area.rings.joined())
        let visible = VisibleArea(area, ends: ends)
        let sights = try visible.linesOfSight(limit: mostCorners)
        counts.crossed += 1
        // A square without an entrance is crossed only between places on it.
        for line in sights where !ends.isEmpty {
          guard let from = nodeAt[line.from], let to = nodeAt[line.to] else { continue }
          lines.append((areas.count, from, to))
        }
        areas.append(
          Area(
            square: square, rings: area.rings,
            corners: visible.points.map { ($0, nodeAt[$0]!, ends.contains($0)) },
            nodes: area.rings.joined().compactMap { nodeAt[$0] }))
      } catch {
        switch error {
        case .tooManyCorners: counts.walkedAround += 1
        case .broken: counts.broken += 1
        }
      }
    }
  }
}

/// Counts of areas by whether they are walked across.
package struct SquareCounts: Sendable, BitwiseCopyable {
  package var crossed: UInt32 = 0
  /// Areas with too many corners, for which only the outline is used.
  var walkedAround: UInt32 = 0
  /// Areas whose outline is open, crosses itself, or is incomplete in the file.
  package var broken: UInt32 = 0
}

extension UsableWay {
  /// The properties of a line across the area: the same in both directions.
  var across: UsableWay {
    var line = self
    line.forward = forward ?? backward
    line.backward = line.forward
    if forward == nil { line.times.forward = times.backward }
    line.times.backward = line.times.forward
    if kind.isVehicle { line.duration = nil }
    return line
  }
}

/// Rings of nodes, joined from ways end to end.
struct Rings {
  /// The nodes of each ring; the first node is not repeated at the end.
  private(set) var rings: [[UInt32]] = []
  /// Whether some ways do not form a ring, or have no nodes.
  private(set) var isOpen = false

  init(joining ways: [[UInt32]]) {
    isOpen = ways.contains { $0.count < 2 }
    var open: [UInt32: [Int]] = [:]
    for (index, way) in ways.enumerated() where way.count > 1 && way.first != way.last {
      for end in [way[0], way[way.count - 1]] { open[end, default: []].append(index) }
    }
    var isUsed = [Bool](repeating: false, count: ways.count)
    for (index, way) in ways.enumerated() where way.count > 1 && !isUsed[index] {
      isUsed[index] = true
      var nodes = way
      while nodes[0] != nodes[nodes.count - 1], let end = nodes.last {
        guard let next = open[end]?.first(where: { !isUsed[$0] }) else { break }
        isUsed[next] = true
        nodes.append(contentsOf: ways[next][0] == end ? ways[next].dropFirst() : ways[next].reversed().dropFirst())
      }
      if nodes[0] == nodes[nodes.count - 1] { split(nodes) } else { isOpen = true }
    }
  }

  /// Splits a closed run of nodes that touches itself into several rings.
  private mutating func split(_ nodes: [UInt32]) {
    var run: [UInt32] = []
    var positions: [UInt32: Int] = [:]
    for node in nodes {
      if let start = positions[node] {
        if run.count - start > 2 { rings.append(Array(run[start...])) }
        for removed in run[(start + 1)...] { positions[removed] = nil }
        run.removeSubrange((start + 1)...)
      } else {
        positions[node] = run.count
        run.append(node)
      }
    }
  }
}
