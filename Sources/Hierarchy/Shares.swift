extension RandomAccessCollection where Index == Int {
  /// Divides elements into ranges of almost equal length; fewer ranges if there are few elements.
  package func shares(_ most: Int) -> [SubSequence] {
    let size = Swift.max(1, (count + most - 1) / most)
    return stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
  }
}
