extension Range where Bound: FixedWidthInteger {
  /// The first number of which something is true, where it is true of all behind that one; the upper bound where it is
  /// true of none.
  @inlinable
  package func partitionPoint(where isBehind: (Bound) throws -> Bool) rethrows -> Bound {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if try isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
