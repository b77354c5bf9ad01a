/// The rows with the smallest keys, in ascending order of rows; of equal keys the first rows. A heap with the largest
/// at its root (J. W. J. Williams, 1964).
struct LeastRows<Key: Comparable> {
  private let limit: Int
  private var heap: [(key: Key, row: Int)] = []

  init(_ limit: Int) { self.limit = limit }

  /// In ascending order of keys.
  var rows: [Int] { heap.sorted { ($0.key, $0.row) < ($1.key, $1.row) }.map(\.row) }

  /// *Returns* whether the row is among them now.
  mutating func offer(_ key: Key, _ row: Int) -> Bool {
    guard heap.count == limit else {
      heap.append((key, row))
      rise()
      return true
    }
    guard let greatest = heap.first, key < greatest.key else { return false }
    sink((key, row))
    return true
  }

  /// Moves the last entry up to its place.
  private mutating func rise() {
    var index = heap.count - 1
    while index > 0, heap[(index - 1) / 2] < heap[index] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Replaces the largest entry.
  private mutating func sink(_ entry: (key: Key, row: Int)) {
    var index = 0
    while 2 * index + 1 < heap.count {
      var child = 2 * index + 1
      if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
      guard entry < heap[child] else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = entry
  }
}
