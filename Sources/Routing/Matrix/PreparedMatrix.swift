import Hierarchy

/// A matrix whose places are snapped: blocks of rows, and what fills them, on as many threads as one likes.
package struct PreparedMatrix: Sendable {
  /// Of origins, in their order.
  package let blocks: [Range<Int>]
  /// What fills blocks on one thread, the same block again and again.
  package let makeFill: @Sendable () -> (Range<Int>) -> MatrixBlock
}
