// Shortest augmenting paths over streets of capacity one, with labels as lower bounds on the distance to the sinks: a
// cut takes two or three searches through the cell, while Dinic's algorithm takes one per path length. Memory is
// allocated once for the whole map, since cells are cut one after another. Residual capacities are 0, 1 or 2, one byte
// each.

/// A bisection of cells by inertial flow: in each of four directions, the first and last quarter of the junctions are
/// the sources and the sinks. The minimum cut with the fewest streets relative to the size of its smaller side is used.
///
/// Source: A. Schild and C. Sommer 2015; flow by R. K. Ahuja and J. B. Orlin 1991.
final class InertialCut {
  /// The streets of junction j in both directions are `first[j] ..< first[j + 1]`, sorted by their other ends.
  private let first: UnsafeMutablePointer<UInt32>
  private let ends: UnsafeMutablePointer<UInt32>
  /// The index of each street as seen from its other end.
  private let twins: UnsafeMutablePointer<UInt32>
  private let residual: UnsafeMutablePointer<Int8>
  private let cursor: UnsafeMutablePointer<UInt32>
  /// A lower bound on the number of streets between each junction and a sink.
  private let level: UnsafeMutablePointer<Int32>
  /// The number of junctions at each level.
  private let counts: UnsafeMutablePointer<Int32>
  /// The number of streets examined since levels were last exact.
  private var work = 0
  private let queue: UnsafeMutablePointer<UInt32>
  private let path: UnsafeMutablePointer<UInt32>
  private let scratch: UnsafeMutablePointer<(UInt32, UInt32)>
  private var count = 0

  /// Allocates memory for a cell and its parts.
  init(_ cell: DissectionCell) {
    let junctionCount = cell.junctionCount
    let streets = max(1, cell.heads.count * 2)
    first = .allocate(capacity: junctionCount + 1)
    (ends, twins, residual) = (.allocate(capacity: streets), .allocate(capacity: streets), .allocate(capacity: streets))
    (level, counts) = (.allocate(capacity: junctionCount + 1), .allocate(capacity: junctionCount + 1))
    cursor = .allocate(capacity: junctionCount + 1)
    (queue, path) = (.allocate(capacity: junctionCount + 1), .allocate(capacity: junctionCount + 1))
    scratch = .allocate(capacity: streets * 2)
  }

  deinit {
    first.deallocate()
    for column in [ends, twins, cursor, queue, path] { column.deallocate() }
    residual.deallocate()
    level.deallocate()
    counts.deallocate()
    scratch.deallocate()
  }

  /// Returns the side of each junction of a cell with at least two junctions; neither side is empty.
  func sides(of cell: DissectionCell) -> [Bool] {
    connect(cell)
    var best: Cut?
    // A cut with `limit` streets cannot be better, even if it halves the cell.
    for order in cell.orders {
      let limit = best.map { ($0.flow * (count / 2) + $0.smallerSize - 1) / $0.smallerSize } ?? .max
      for cut in cuts(along: order, below: limit) where best.map({ cut.isBetter(than: $0) }) ?? true { best = cut }
    }
    return best!.sides
  }

  /// Returns the same sides as `sides(of:)`, but computes the directions in parallel: for large cells, of which there
  /// are few.
  static func sides(of cell: DissectionCell, workers: Int) -> [Bool] {
    let cuts = inParallel(cell.orders, workers: workers) {
      let cut = InertialCut(cell)
      cut.connect(cell)
      return cut
    } _: {
      $1.cuts(along: $0, below: .max)
    }
    // Of equal cuts, the first is used, as in `sides(of:)`.
    return cuts.flatMap(\.self).reduce(nil) { best, cut in
      best.map { cut.isBetter(than: $0) ? cut : $0 } ?? cut
    }!.sides
  }

  private struct Cut {
    var flow: Int
    var smallerSize: Int
    var sides: [Bool]

    func isBetter(than other: Cut) -> Bool { flow * other.smallerSize < other.flow * smallerSize }
  }

  /// Returns two minimum cuts between the ends of an order, one next to the sources and one next to the sinks; none if
  /// they have at least `limit` streets.
  private func cuts(along order: [UInt32], below limit: Int) -> [Cut] {
    let quarter = max(1, count / 4)
    let (sources, sinks) = (order[..<quarter], order[(count - quarter)...])
    for street in 0..<Int(first[count]) { residual[street] = 1 }
    guard let flow = flow(from: sources, to: sinks, below: limit) else { return [] }
    // The sources' side: the junctions reachable from the sources, or those that do not reach the sinks.
    let near = reached(from: sources) { street in residual[street] > 0 }
    let far = reached(from: sinks) { street in residual[Int(twins[street])] > 0 }.map { !$0 }
    return [near, far].map { sides in
      let sourceSide = sides.count { $0 }
      return Cut(flow: flow, smallerSize: min(sourceSide, count - sourceSide), sides: sides)
    }
  }

  /// Builds the streets of a cell: one between any two junctions joined by arcs, regardless of the number and direction
  /// of the arcs.
  private func connect(_ cell: DissectionCell) {
    count = cell.junctionCount
    let streets = scratch
    let sorted = scratch + cell.heads.count * 2
    var streetCount = 0
    for junction in 0...count { cursor[junction] = 0 }
    cell.junctions.withUnsafeBufferPointer { junctions in
      for state in 0..<junctions.count {
        for arc in cell.firstArc[state]..<cell.firstArc[state + 1] {
          let (tail, head) = (junctions[state], junctions[Int(cell.heads[Int(arc)])])
          guard tail != head else { continue }
          streets[streetCount] = (tail, head)
          streets[streetCount &+ 1] = (head, tail)
          streetCount &+= 2
          cursor[Int(tail)] &+= 1
          cursor[Int(head)] &+= 1
        }
      }
    }
    // Radix sort by the other end, then by the near end, so that equal streets are adjacent.
    var sum: UInt32 = 0
    for junction in 0...count {
      first[junction] = sum
      sum &+= cursor[junction]
      cursor[junction] = first[junction]
    }
    for street in 0..<streetCount {
      let end = Int(streets[street].1)
      sorted[Int(cursor[end])] = streets[street]
      cursor[end] &+= 1
    }
    for junction in 0...count { cursor[junction] = first[junction] }
    for street in 0..<streetCount {
      let (junction, end) = sorted[street]
      ends[Int(cursor[Int(junction)])] = end
      cursor[Int(junction)] &+= 1
    }
    var kept: UInt32 = 0
    for junction in 0..<count {
      let range = Int(first[junction])..<Int(cursor[junction])
      first[junction] = kept
      for street in range where street == range.lowerBound || ends[street] != ends[Int(kept) &- 1] {
        ends[Int(kept)] = ends[street]
        kept &+= 1
      }
    }
    first[count] = kept
    // Junctions are visited in ascending order, as in each junction's list, so the first street of `end` without a twin
    // leads back.
    for junction in 0..<count { cursor[junction] = first[junction] }
    for junction in 0..<count {
      for street in Int(first[junction])..<Int(first[junction + 1]) {
        let end = Int(ends[street])
        twins[street] = cursor[end]
        cursor[end] &+= 1
      }
    }
  }

  /// Returns the maximum flow; nil if it is at least `limit`.
  private func flow(from sources: ArraySlice<UInt32>, to sinks: ArraySlice<UInt32>, below limit: Int) -> Int? {
    var flow = 0
    setLevels(sources, sinks, hasNoFlow: true)
    for source in sources {
      for street in Int(first[Int(source)])..<Int(first[Int(source) + 1]) where level[Int(ends[street])] < count {
        guard augment(over: street, sources, sinks) else { continue }
        flow += 1
        guard flow < limit else { return nil }
      }
    }
    return flow
  }

  /// The levels of sources, which no path may pass through, and of junctions that reach no sink.
  private static let source = Int32.max
  private static let dead = Int32.max - 1

  /// Computes exact levels by a search from the sinks.
  ///
  /// - Parameter hasNoFlow: Whether there is no flow yet.
  private func setLevels(_ sources: ArraySlice<UInt32>, _ sinks: ArraySlice<UInt32>, hasNoFlow: Bool = false) {
    for junction in 0..<count {
      level[junction] = InertialCut.dead
      counts[junction] = 0
      cursor[junction] = first[junction]
    }
    for source in sources { level[Int(source)] = InertialCut.source }
    var (head, tail) = (0, 0)
    for sink in sinks {
      level[Int(sink)] = 0
      queue[tail] = sink
      tail &+= 1
    }
    while head < tail {
      let junction = Int(queue[head])
      head &+= 1
      let next = level[junction] &+ 1
      for street in Int(first[junction])..<Int(first[junction + 1]) {
        let end = Int(ends[street])
        guard level[end] == InertialCut.dead, hasNoFlow || residual[Int(twins[street])] > 0 else { continue }
        level[end] = next
        counts[Int(next)] &+= 1
        queue[tail] = UInt32(truncatingIfNeeded: end)
        tail &+= 1
      }
    }
    work = 0
  }

  /// Sends one unit along a street from a source and on through descending levels, if there is a path to a sink.
  private func augment(over street: Int, _ sources: ArraySlice<UInt32>, _ sinks: ArraySlice<UInt32>) -> Bool {
    let start = Int(ends[street])
    var (junction, length) = (start, 0)
    while true {
      let label = level[junction]
      if label == 0 {
        send(over: street)
        for step in 0..<length { send(over: Int(path[step])) }
        return true
      }
      let end = Int(first[junction + 1])
      var position = Int(cursor[junction])
      while position < end, residual[position] == 0 || level[Int(ends[position])] != label &- 1 { position &+= 1 }
      cursor[junction] = UInt32(truncatingIfNeeded: position)
      if position < end {
        path[length] = UInt32(truncatingIfNeeded: position)
        length &+= 1
        junction = Int(ends[position])
        continue
      }
      counts[Int(label)] &-= 1
      guard counts[Int(label)] > 0 else {
        cutOff(from: label)
        return false
      }
      relabel(junction)
      if work > Int(first[count]) {
        setLevels(sources, sinks)
        (junction, length) = (start, 0)
      } else if length > 0 {
        length &-= 1
        junction = Int(ends[Int(twins[Int(path[length])])])
      }
      guard level[start] < count else { return false }
    }
  }

  private func send(over street: Int) {
    residual[street] &-= 1
    residual[Int(twins[street])] &+= 1
  }

  /// Marks all junctions at or above a newly empty level as dead: they reach no sink.
  private func cutOff(from label: Int32) {
    for junction in 0..<count where level[junction] >= label { level[junction] = InertialCut.dead }
    for level in Int(label)..<count { counts[level] = 0 }
  }

  /// Sets a junction to the lowest level that its neighbours allow.
  private func relabel(_ junction: Int) {
    var minimum = InertialCut.dead
    for street in Int(first[junction])..<Int(first[junction + 1]) where residual[street] > 0 {
      minimum = min(minimum, level[Int(ends[street])])
    }
    work &+= Int(first[junction + 1]) &- Int(first[junction])
    guard minimum < count &- 1 else {
      level[junction] = InertialCut.dead
      return
    }
    level[junction] = minimum &+ 1
    counts[Int(minimum) + 1] &+= 1
    cursor[junction] = first[junction]
  }

  @inline(__always)
  private func reached(from start: ArraySlice<UInt32>, over isFree: (Int) -> Bool) -> [Bool] {
    var isReached = [Bool](repeating: false, count: count)
    var (head, tail) = (0, 0)
    for junction in start {
      isReached[Int(junction)] = true
      queue[tail] = junction
      tail &+= 1
    }
    while head < tail {
      let junction = Int(queue[head])
      head &+= 1
      for street in Int(first[junction])..<Int(first[junction + 1]) where isFree(street) {
        let end = Int(ends[street])
        guard !isReached[end] else { continue }
        isReached[end] = true
        queue[tail] = UInt32(truncatingIfNeeded: end)
        tail &+= 1
      }
    }
    return isReached
  }
}
