extension [UInt64] {
  /// Sorts by digits of eleven bits, least significant first; skips digits that are equal in all elements.
  /// Short arrays are sorted by comparison.
  ///
  /// *Complexity*: O(elements).
  package mutating func radixSort() {
    let (bits, places) = (11, 6)
    guard count > 1 << bits else { return sort() }
    let size = 1 << bits
    var counts = [Int](repeating: 0, count: size * places)
    for key in self {
      for place in 0..<places {
        let digit = Int(truncatingIfNeeded: key &>> UInt64(place &* bits)) & (size &- 1)
        counts[place &* size &+ digit] &+= 1
      }
    }
    var other = self
    withUnsafeMutableBufferPointer { buffer in
      other.withUnsafeMutableBufferPointer { other in
        var (from, to) = (buffer.baseAddress!, other.baseAddress!)
        for place in 0..<places {
          let shift = UInt64(place * bits)
          let first = Int(truncatingIfNeeded: from[0] &>> shift) & (size - 1)
          guard counts[place * size + first] < buffer.count else { continue }
          var next = 0
          for digit in place * size..<(place + 1) * size { (counts[digit], next) = (next, next + counts[digit]) }
          for index in 0..<buffer.count {
            let key = from[index]
            let digit = place &* size &+ Int(truncatingIfNeeded: key &>> shift) & (size &- 1)
            to[counts[digit]] = key
            counts[digit] &+= 1
          }
          (from, to) = (to, from)
        }
        if from != buffer.baseAddress! { buffer.baseAddress!.update(from: from, count: buffer.count) }
      }
    }
  }
}
