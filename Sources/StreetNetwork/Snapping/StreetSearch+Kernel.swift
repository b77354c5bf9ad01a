import Geography
import Hierarchy

// The search of StreetIndex: with a bound from the run that was nearest to the place before, down to the nearest box of
// each node first, so that there soon is a better one; then what it leaves of the others. About six nodes of sixteen
// boxes (16 bytes each) and six runs per place. The bound only leaves out what is too far: the order of the rest, and
// so which of them tie, is the same without.

/// Searches one index, with working memory: one object per thread.
package final class StreetSearch {
  let network: StreetNetwork
  let index: StreetIndex
  let points: Column<FixedCoordinate>
  /// Whether it searches where trips start and end, squares among it.
  let findsSquares: Bool

  private let memory: SnapMemory
  /// Where each level's boxes start, the last one's end behind it.
  private let levels: UnsafeMutablePointer<Int>
  private let levelCount: Int
  /// Boxes yet to be looked into: those of the deepest node last, and of these the nearest.
  private let waiting: UnsafeMutablePointer<WaitingBox>
  /// What the last search found as near as the nearest, itself included.
  private(set) var ties: [Segment] = []
  /// The run that was the nearest to the last place: places that follow one another are often neighbours.
  private var lastRun = 0

  private struct WaitingBox {
    var squared: Double
    /// Its index in its level.
    var node: UInt32
    var level: UInt32
  }

  /// - Parameter index: Of the streets to search; nil for those that places are snapped to.
  package init(_ network: StreetNetwork, among index: StreetIndex? = nil) {
    self.network = network
    findsSquares = index == nil
    let index = index ?? network.index
    self.index = index
    points = network.points
    memory = SnapMemory(network)
    levelCount = index.levels.count - 1
    levels = .allocate(capacity: index.levels.count)
    levels.initialize(from: index.levels, count: index.levels.count)
    waiting = .allocate(capacity: index.levels.count * StreetIndex.fanOut)
  }

  deinit {
    memory.deallocate()
    levels.deallocate()
    waiting.deallocate()
  }

  struct Segment {
    var street: UInt32
    var segment: Int
    /// 0…1 between the segment's ends.
    var along: Double
    /// In the plane, with the street's penalty.
    var distance: Double
    var isEndsOnly: Bool
  }

  /// The segment nearest to a place, at most `limit` metres away in the plane.
  func nearestSegment(to place: Coordinate, limit: Double) -> Segment? {
    guard !index.runs.isEmpty else { return nil }
    var search = NearestSearch(place, limit: limit, memory)
    search.expect(index.runs.base[lastRun])
    // Their memory moves to and fro.
    swap(&ties, &search.ties)
    search.ties.removeAll(keepingCapacity: true)
    visitAll(&search)
    swap(&ties, &search.ties)
    return ties.min { $0.precedes($1) }
  }

  /// Looks at the runs that the bound allows, of the children of each node the nearest first.
  private func visitAll(_ search: inout NearestSearch) {
    var count = 1
    waiting[0] = WaitingBox(squared: 0, node: 0, level: UInt32(levelCount - 1))
    while count > 0 {
      count -= 1
      let box = waiting[count]
      guard box.squared <= search.bound else { continue }
      if box.level > 0 {
        open(box, search, &count)
      } else if search.look(at: index.runs.base[Int(box.node)]) {
        lastRun = Int(box.node)
      }
    }
  }

  /// Has those children of a node wait that may hold something near, the nearest last; of equally near ones the first.
  @inline(__always)
  private func open(_ box: WaitingBox, _ search: borrowing NearestSearch, _ count: inout Int) {
    let level = Int(box.level) - 1
    let first = Int(box.node) * StreetIndex.fanOut
    let children = min(StreetIndex.fanOut, levels[level + 1] - levels[level] - first)
    var near = search.near(index.boxes.base + levels[level] + first, children)
    let bottom = count
    while near != 0 {
      let child = near.trailingZeroBitCount
      near &= near - 1
      let squared = memory.squares[child]
      var position = count
      while position > bottom, waiting[position - 1].squared <= squared {
        waiting[position] = waiting[position - 1]
        position -= 1
      }
      waiting[position] = WaitingBox(squared: squared, node: UInt32(first + child), level: UInt32(level))
      count += 1
    }
  }
}

extension StreetSearch.Segment {
  fileprivate func precedes(_ other: Self) -> Bool {
    distance != other.distance ? distance < other.distance : isBefore(other)
  }

  /// Of segments at the same point: those open to all first.
  func isBefore(_ other: Self) -> Bool {
    if isEndsOnly != other.isEndsOnly { return other.isEndsOnly }
    return (street, segment) < (other.street, other.segment)
  }
}
