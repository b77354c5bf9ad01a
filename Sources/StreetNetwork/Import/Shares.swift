extension Array {
  /// So many runs of elements, of nearly the same length; fewer of few elements.
  func shares(_ most: Int) -> [ArraySlice<Element>] {
    let size = Swift.max(1, (count + most - 1) / most)
    return stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
