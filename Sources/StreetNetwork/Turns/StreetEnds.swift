import Hierarchy

/// The street ends at each junction; a loop has two.
///
/// The ends at junction `j` are `ends[first[j] ..< first[j + 1]]`, in the order of the streets. A street knows its
/// indices among them (`tailEnd`, `headEnd`).
package struct StreetEnds: Sendable {
  package let first: Column<UInt32>
  package let ends: Column<StreetEnd>

  init(first: Column<UInt32>, ends: Column<StreetEnd>) {
    self.first = first
    self.ends = ends
  }

  /// Creates the ends, and stores their indices in the streets. At most 65,535 streets meet at a junction.
  init(_ streets: inout [Street], junctionCount: Int) {
    var first = [UInt32](repeating: 0, count: junctionCount + 1)
    for street in streets {
      first[Int(street.tail) + 1] += 1
      first[Int(street.head) + 1] += 1
    }
    for junction in 0..<junctionCount { first[junction + 1] += first[junction] }
    var next = first
    var ends = [StreetEnd](repeating: StreetEnd(StreetID(0), isHead: false), count: streets.count * 2)
    for index in streets.indices {
      for isHead in [false, true] {
        let junction = Int(isHead ? streets[index].head : streets[index].tail)
        let end = UInt16(next[junction] - first[junction])
        if isHead { streets[index].headEnd = end } else { streets[index].tailEnd = end }
        ends[Int(next[junction])] = StreetEnd(StreetID(index), isHead: isHead)
        next[junction] += 1
      }
    }
    self.init(first: Column(first), ends: Column(ends))
  }

  package var junctionCount: Int { first.count - 1 }

  package func count(at junction: Int) -> Int { Int(first[junction + 1] - first[junction]) }

  /// The number of pairs of ends at the same junction, including each end paired with itself.
  var pairCount: Int { (0..<junctionCount).reduce(0) { $0 + count(at: $1) * count(at: $1) } }

  package subscript(junction: Int, index: Int) -> StreetEnd { ends[Int(first[junction]) + index] }
}

/// The tail or the head of a street.
package struct StreetEnd: Sendable, BitwiseCopyable {
  private let index: UInt32
  init(_ street: StreetID, isHead: Bool) { index = street.index << 1 | (isHead ? 1 : 0) }
  package var street: StreetID { StreetID(index >> 1) }
  var isHead: Bool { index & 1 == 1 }
  /// The street in the direction of arrival at this end.
  package var arriving: DirectedStreet { DirectedStreet(street, isReversed: !isHead) }
  /// The street in the direction of departure from this end.
  package var leaving: DirectedStreet { DirectedStreet(street, isReversed: isHead) }
}
