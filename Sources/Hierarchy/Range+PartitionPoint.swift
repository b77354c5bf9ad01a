extension Range where Bound: FixedWidthInteger {
  /// Returns the first number that satisfies a monotone predicate; the upper bound if there is none.
  @inlinable
  package func partitionPoint(where predicate: (Bound) throws -> Bool) rethrows -> Bound {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if try predicate(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
