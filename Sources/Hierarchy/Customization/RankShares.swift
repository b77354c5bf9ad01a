/// The ranks of an elimination tree in independent shares, and the ranks above all shares.
///
/// Work on a rank needs only its descendants or its ancestors: subtrees can be processed in parallel, before or after
/// the ranks above them.
struct RankShares: Sendable {
  /// Each consists of whole subtrees, in ascending order.
  let shares: [[UInt32]]
  /// Ascending.
  let top: [UInt32]
  /// By rank.
  let isTop: [Bool]
  /// A thread takes ten bytes per rank: more threads would take more memory than everything else for a country.
  static let mostWorkers = 8

  /// Some shares per worker; a single worker gets one with all ranks.
  init(parents: Column<UInt32>, workers: Int) {
    let parents = parents.buffer
    guard workers > 1 else {
      (shares, top) = ([Array(0..<UInt32(parents.count))], [])
      isTop = Array(repeating: false, count: parents.count)
      return
    }
    var sizes = [Int](repeating: 1, count: parents.count)
    for (rank, parent) in parents.enumerated() where parent != rank { sizes[Int(parent)] += sizes[rank] }
    let most = max(1, parents.count / (workers * 8))
    var shareOf = [Int](repeating: -1, count: parents.count)
    // Small subtrees are collected until a share is full.
    var counts = [0]
    for (rank, parent) in parents.enumerated().reversed() {
      if parent != rank, shareOf[Int(parent)] >= 0 {
        shareOf[rank] = shareOf[Int(parent)]
      } else if sizes[rank] <= most {
        if counts[counts.count - 1] + sizes[rank] > most { counts.append(0) }
        shareOf[rank] = counts.count - 1
        counts[counts.count - 1] += sizes[rank]
      }
    }
    var shares = counts.map { count in
      var share: [UInt32] = []
      share.reserveCapacity(count)
      return share
    }
    var top: [UInt32] = []
    for (rank, share) in shareOf.enumerated() {
      if share >= 0 { shares[share].append(UInt32(rank)) } else { top.append(UInt32(rank)) }
    }
    (self.shares, self.top, isTop) = (shares, top, shareOf.map { $0 < 0 })
  }
}
