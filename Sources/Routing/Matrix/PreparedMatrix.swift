import Hierarchy

/// A matrix with snapped places: blocks of rows, and queries that fill them, on any number of threads.
package struct PreparedMatrix: Sendable {
  /// Ranges of origins, in order.
  package let blocks: [Range<Int>]
  /// A query for one thread, which fills the same block repeatedly.
  package let makeFill: @Sendable () -> (Range<Int>) -> MatrixBlock
}
