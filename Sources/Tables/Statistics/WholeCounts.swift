/// How often each of many whole numbers occurs, exactly, in memory that their range bounds and not their count.
///
/// Numbers are counted on pages of 4,096 consecutive ones. A page lists its numbers as long as they are few, at two bytes
/// each, and then has a counter per number.
struct WholeCounts {
  package private(set) var count = 0
  private var pages: [Page] = []

  private static let (pageBits, pageNumbers, mostListed) = (12, 1 << 12, 1 << 13)

  private struct Page {
    var count = 0
    /// The low bits of its numbers; empty once they are counted.
    var listed: [UInt16] = []
    var counters: [Int] = []

    mutating func add(_ low: UInt16) {
      count += 1
      if !counters.isEmpty {
        counters[Int(low)] += 1
      } else {
        listed.append(low)
        if listed.count == WholeCounts.mostListed {
          counters = counted
          listed = []
        }
      }
    }

    /// The counter of each of its numbers.
    var counted: [Int] {
      guard counters.isEmpty else { return counters }
      var counters = [Int](repeating: 0, count: WholeCounts.pageNumbers)
      for low in listed { counters[Int(low)] += 1 }
      return counters
    }
  }

  package mutating func add(_ number: UInt32) {
    let page = Int(number >> UInt32(WholeCounts.pageBits))
    while pages.count <= page { pages.append(Page()) }
    pages[page].add(UInt16(number & UInt32(WholeCounts.pageNumbers - 1)))
    count += 1
  }

  /// Each number that occurs and how often, in ascending order.
  package func forEach(_ body: (UInt32, Int) -> Void) {
    for (index, page) in pages.enumerated() where page.count > 0 {
      for (low, count) in page.counted.enumerated() where count > 0 {
        body(UInt32(index << WholeCounts.pageBits + low), count)
      }
    }
  }

  /// The number at a place in ascending order, from 0.
  package subscript(rank: Int) -> UInt32 {
    precondition(rank >= 0 && rank < count, "no such rank")
    var before = 0
    for (index, page) in pages.enumerated() {
      guard rank >= before + page.count else {
        for (low, count) in page.counted.enumerated() {
          before += count
          if rank < before { return UInt32(index << WholeCounts.pageBits + low) }
        }
        break
      }
      before += page.count
    }
    preconditionFailure("counts of pages do not add up")
  }
}
