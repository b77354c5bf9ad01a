// The row of a rank holds the heads of its arcs in one half. To avoid duplicates, each thread has a table that marks the
// heads of the current row. Each rank has a linked list of the lower rows that contain it. Threads share the tables of
// rows and lists; each thread writes only the entries of its own ranks.

/// Both halves of a customizable hierarchy during construction.
struct GrowingArcs {
  private let shares: RankShares
  private let outgoingNeighbours: Grouped<UInt32>
  private let incomingNeighbours: Grouped<UInt32>

  init(_ graph: ArcGraph, _ ranks: Column<UInt32>, _ shares: RankShares, workers: Int) {
    self.shares = shares
    (outgoingNeighbours, incomingNeighbours) = inParallel(workers: workers) {
      .upwardNeighbours(graph, ranks, isOutgoing: true)
    } _: {
      .upwardNeighbours(graph, ranks, isOutgoing: false)
    }
  }

  /// The heads of all rows in order of rank, and the start of each row, plus the end offset.
  typealias Rows = (first: [UInt32], heads: [UInt32])

  func rows(workers: Int) -> (outgoing: Rows, incoming: Rows) {
    let count = shares.isTop.count
    let tables = (RowTables(count), RowTables(count))
    let parts = inParallel(shares.shares, workers: workers, with: { RankTables(count, repeating: false) }) {
      share, marks in
      var (outgoing, incoming) = (GrowingRows(tables.0), GrowingRows(tables.1))
      append(share, to: &outgoing, &incoming, marks, linkingTop: false)
      return (outgoing, incoming)
    }
    var (outgoing, incoming) = inParallel(workers: workers) {
      GrowingRows(parts.map(\.0), of: shares)
    } _: {
      GrowingRows(parts.map(\.1), of: shares)
    }
    append(shares.top, to: &outgoing, &incoming, RankTables(count, repeating: false), linkingTop: true)
    let (up, down) = (outgoing, incoming)
    return inParallel(workers: workers, { up.byRank() }, { down.byRank() })
  }

  /// Appends the rows of the given ranks: the heads reached by an upward arc of the graph, or via a lower rank.
  ///
  /// - Parameters:
  ///   - marks: Whether the current row contains each rank; all false between rows.
  ///   - isTop: Whether to link the rows to their heads in `shares.top` or to all others.
  private func append(
    _ ranks: [UInt32], to outgoing: inout GrowingRows, _ incoming: inout GrowingRows, _ marks: RankTables<Bool>,
    linkingTop isTop: Bool
  ) {
    for rank in ranks {
      outgoing.begin(outgoingNeighbours[rank], marks.outgoing)
      incoming.begin(incomingNeighbours[rank], marks.incoming)
      incoming.forEachBelow(rank) { outgoing.add(from: $0, above: rank, marks.outgoing) }
      outgoing.forEachBelow(rank) { incoming.add(from: $0, above: rank, marks.incoming) }
      outgoing.end(rank, marks.outgoing) { shares.isTop[Int($0)] == isTop }
      incoming.end(rank, marks.incoming) { shares.isTop[Int($0)] == isTop }
    }
  }
}

/// A value for each rank and each half. Used by one thread.
final class RankTables<Value> {
  let outgoing: UnsafeMutablePointer<Value>
  let incoming: UnsafeMutablePointer<Value>

  init(_ count: Int, repeating value: Value) {
    (outgoing, incoming) = (.allocate(capacity: max(1, count)), .allocate(capacity: max(1, count)))
    for table in [outgoing, incoming] { table.initialize(repeating: value, count: count) }
  }

  deinit {
    outgoing.deallocate()
    incoming.deallocate()
  }
}

/// The rows of a half, indexed by rank.
private final class RowTables: @unchecked Sendable {
  let count: Int
  /// The position of each row within its share.
  let rows: UnsafeMutablePointer<(start: UInt32, end: UInt32)>
  /// The last link in the list of rows that contain each rank.
  let last: UnsafeMutablePointer<UInt32>

  init(_ count: Int) {
    self.count = count
    (rows, last) = (.allocate(capacity: max(1, count)), .allocate(capacity: max(1, count)))
    rows.initialize(repeating: (0, 0), count: count)
    last.initialize(repeating: .max, count: count)
  }

  deinit {
    rows.deallocate()
    last.deallocate()
  }
}

/// The rows of a half for one share or for all ranks.
private struct GrowingRows: @unchecked Sendable {
  private let tables: RowTables
  private let rows: UnsafeMutablePointer<(start: UInt32, end: UInt32)>
  private let last: UnsafeMutablePointer<UInt32>
  private var heads: [UInt32] = []
  private var chain: [(rank: UInt32, previous: UInt32)] = []
  private var row: [UInt32] = []

  init(_ tables: RowTables) {
    self.tables = tables
    (rows, last) = (tables.rows, tables.last)
  }

  /// Joins the rows of all shares and links them to the ranks above.
  init(_ parts: [GrowingRows], of shares: RankShares) {
    self = parts[0]
    guard parts.count > 1 || !shares.top.isEmpty else { return }
    heads.reserveCapacity(parts.reduce(0) { $0 + $1.heads.count } * 5 / 4)
    chain.removeAll()
    for (index, (share, own)) in zip(shares.shares, parts).enumerated() {
      let offset = index == 0 ? 0 : UInt32(heads.count)
      if index > 0 { heads += own.heads }
      for rank in share {
        let row = (start: rows[Int(rank)].start + offset, end: rows[Int(rank)].end + offset)
        rows[Int(rank)] = row
        for position in (row.start..<row.end).reversed() {
          guard shares.isTop[Int(heads[Int(position)])] else { break }
          link(rank, to: heads[Int(position)])
        }
      }
    }
  }

  mutating func begin(_ heads: ArraySlice<UInt32>, _ isMarked: UnsafeMutablePointer<Bool>) {
    for head in heads { insert(head, isMarked) }
  }

  /// Adds the heads above `rank` in the row of a lower rank.
  @inline(__always)
  mutating func add(from lower: UInt32, above rank: UInt32, _ isMarked: UnsafeMutablePointer<Bool>) {
    let (start, end) = rows[Int(lower)]
    var position = end
    while position > start, heads[Int(position) &- 1] > rank {
      position &-= 1
      insert(heads[Int(position)], isMarked)
    }
  }

  /// Ends a row and links it to the heads that `isLinked` selects.
  @inline(__always)
  mutating func end(_ rank: UInt32, _ isMarked: UnsafeMutablePointer<Bool>, where isLinked: (UInt32) -> Bool) {
    row.sort()
    let start = UInt32(heads.count)
    for head in row {
      isMarked[Int(head)] = false
      if isLinked(head) { link(rank, to: head) }
      heads.append(head)
    }
    rows[Int(rank)] = (start, UInt32(heads.count))
    row.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  func forEachBelow(_ rank: UInt32, _ body: (UInt32) -> Void) {
    var link = last[Int(rank)]
    while link != .max {
      body(chain[Int(link)].rank)
      link = chain[Int(link)].previous
    }
  }

  func byRank() -> GrowingArcs.Rows {
    var first: [UInt32] = [0]
    first.reserveCapacity(tables.count + 1)
    var isSorted = true
    for rank in 0..<tables.count {
      isSorted = isSorted && rows[rank].start == first[rank]
      first.append(first[rank] + rows[rank].end - rows[rank].start)
    }
    guard !isSorted else { return (first, heads) }
    var sorted: [UInt32] = []
    sorted.reserveCapacity(heads.count)
    for rank in 0..<tables.count { sorted += heads[Int(rows[rank].start)..<Int(rows[rank].end)] }
    return (first, sorted)
  }

  @inline(__always)
  private mutating func insert(_ head: UInt32, _ isMarked: UnsafeMutablePointer<Bool>) {
    guard !isMarked[Int(head)] else { return }
    isMarked[Int(head)] = true
    row.append(head)
  }

  @inline(__always)
  private mutating func link(_ rank: UInt32, to head: UInt32) {
    chain.append((rank, last[Int(head)]))
    last[Int(head)] = UInt32(chain.count - 1)
  }
}
