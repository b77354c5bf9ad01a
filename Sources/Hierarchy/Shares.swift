extension RandomAccessCollection where Index == Int {
  /// Divides the elements into at most `maximumCount` ranges of almost equal length; fewer if there are few elements.
  package func shares(_ maximumCount: Int) -> [SubSequence] {
    batches(of: Swift.max(1, (count + maximumCount - 1) / maximumCount))
  }

  /// Divides the elements into ranges of a given length; the last one may be shorter.
  @inlinable
  package func batches(of size: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
  }
}
