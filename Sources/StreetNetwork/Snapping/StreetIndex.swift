import Geography
import Hierarchy

/// Finds the nearest street: a packed Hilbert R-tree (I. Kamel, C. Faloutsos 1993) over runs of at most eight segments,
/// with sixteen boxes per node, in two flat columns.
///
/// The boxes of the runs come first, then the boxes of each level above; the root is last. Distances are measured in
/// the tangent plane at the place, so that the search compares squared distances.
package struct StreetIndex: Sendable {
  package let runs: Column<Run>
  package let boxes: Column<BoundingBox>
  /// The start of each level's boxes, and the end of the last level's.
  let levels: [Int]

  /// Segments `segment ..< segment + 8` of a street; fewer at its end.
  package struct Run: Sendable, BitwiseCopyable {
    package var street: UInt32
    package var segment: UInt32
  }

  static let fanOut = 16
  static let runLength = 8

  package init(runs: Column<Run>, boxes: Column<BoundingBox>) {
    self.runs = runs
    self.boxes = boxes
    levels = StreetIndex.levels(runCount: runs.count)
    precondition(levels.last! == boxes.count, "columns of different indices")
  }

  /// Creates an index of the streets with certain flags.
  init(_ streets: [Street], points: [FixedCoordinate], where isIncluded: (StreetFlags) -> Bool) {
    var runs: [(run: Run, box: BoundingBox)] = []
    for (index, street) in streets.enumerated() where isIncluded(street.flags) {
      let shape = points[streets.shape(of: index, points.count)]
      for segment in stride(from: 0, to: shape.count - 1, by: StreetIndex.runLength) {
        let box = BoundingBox(around: shape.dropFirst(segment).prefix(StreetIndex.runLength + 1))
        runs.append((Run(street: UInt32(index), segment: UInt32(segment)), box))
      }
    }
    self.init(runs)
  }

  /// Creates an index of runs, each with a box around it.
  init(_ runs: [(run: Run, box: BoundingBox)]) {
    let whole = runs.reduce(into: BoundingBox.empty) { $0.formUnion($1.box) }
    let order = HilbertIndex.order(of: runs.map(\.box.centre), in: whole)
    var boxes = order.map { runs[$0].box }
    let levels = StreetIndex.levels(runCount: runs.count)
    for level in 1..<levels.count - 1 {
      for start in stride(from: levels[level - 1], to: levels[level], by: StreetIndex.fanOut) {
        // In two statements: appending while a slice is alive would copy all boxes.
        let union = boxes[start..<min(start + StreetIndex.fanOut, levels[level])]
          .reduce(into: BoundingBox.empty) { $0.formUnion($1) }
        boxes.append(union)
      }
    }
    self.init(runs: Column(order.map { runs[$0].run }), boxes: Column(boxes))
  }

  static func levels(runCount: Int) -> [Int] {
    var levels = [0]
    var count = runCount
    repeat {
      levels.append(levels.last! + count)
      count = (count + fanOut - 1) / fanOut
    } while levels[levels.count - 1] - levels[levels.count - 2] > 1
    return levels
  }

  /// Calls `body` with each run whose box contains a point.
  func forEachRun(around point: FixedCoordinate, _ body: (Run) -> Void) {
    guard !runs.isEmpty else { return }
    forEachRun(around: point, node: 0, level: levels.count - 2, body)
  }

  private func forEachRun(around point: FixedCoordinate, node: Int, level: Int, _ body: (Run) -> Void) {
    guard boxes[levels[level] + node].contains(point) else { return }
    guard level > 0 else { return body(runs[node]) }
    let first = node * StreetIndex.fanOut
    for child in first..<min(first + StreetIndex.fanOut, levels[level] - levels[level - 1]) {
      forEachRun(around: point, node: child, level: level - 1, body)
    }
  }
}
