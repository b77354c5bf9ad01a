// Rows start at multiples of 64 bytes and are padded to 32 columns, so vectors need no remainder loop.

/// A block of rows of a matrix: times and, if requested, lengths. Filled repeatedly by a `MatrixQuery`.
///
///     let block = MatrixBlock(matrix)
///     query.fill(block, rows: 0..<100)
///     block.weight(row: 7, column: 3)
///
/// Takes 4 bytes per cell, 4 more with lengths, 4 more with waits. Not to be shared between threads.
public final class MatrixBlock {
  /// The time of a cell with an unreachable target, in milliseconds; all other times are less. Its length is zero.
  public static let unreachable = Weight.infinity.milliseconds

  /// The number of columns.
  public let columns: Int
  /// The rows of the matrix in the block.
  public internal(set) var rows: Range<Int> = 0..<0
  /// Whether cells have lengths as well as times.
  public let hasLengths: Bool
  /// Whether cells have waiting times.
  package let hasWaits: Bool
  private let stride: Int
  private var capacity = 0
  private var times = HugeMemory<UInt32>(count: 0)
  private var lengths = HugeMemory<UInt32>(count: 0)
  private var waits = HugeMemory<UInt32>(count: 0)
  private let scratchRow: HugeMemory<UInt32>

  /// An empty block for rows of `matrix`.
  public convenience init(_ matrix: Matrix) { self.init(columns: matrix.targets.count, hasLengths: matrix.hasLengths) }

  /// An empty block for rows of `columns` cells.
  package init(columns: Int, hasLengths: Bool, hasWaits: Bool = false) {
    self.columns = columns
    (self.hasLengths, self.hasWaits) = (hasLengths, hasWaits)
    stride = (columns + 31) / 32 * 32
    scratchRow = HugeMemory(count: max(32, stride))
  }

  deinit {
    times.deallocate()
    lengths.deallocate()
    waits.deallocate()
    scratchRow.deallocate()
  }

  /// A scratch row for lanes without a point.
  var scratch: UnsafeMutablePointer<UInt32> { scratchRow.base }

  /// Allocates memory for `rows`; previous content is lost.
  package func reset(_ rows: Range<Int>) {
    self.rows = rows
    guard rows.count > capacity else { return }
    capacity = rows.count
    times.deallocate()
    times = HugeMemory(count: capacity * stride)
    if hasWaits {
      waits.deallocate()
      waits = HugeMemory(count: capacity * stride)
    }
    guard hasLengths else { return }
    lengths.deallocate()
    lengths = HugeMemory(count: capacity * stride)
  }

  /// Returns the times of a row in milliseconds, for writing; rows start at multiples of 64 bytes and are padded to 32
  /// columns.
  package func milliseconds(row: Int) -> UnsafeMutablePointer<UInt32> { times.base + row &* stride }
  func centimetres(row: Int) -> UnsafeMutablePointer<UInt32> { lengths.base + row &* stride }

  /// Returns the times of a row in milliseconds, `unreachable` if there is no path; rows are counted from the block's
  /// first. Valid until the block is filled again.
  public func times(row: Int) -> UnsafeBufferPointer<UInt32> {
    precondition(row >= 0 && row < rows.count, "the block has no such row")
    return UnsafeBufferPointer(start: milliseconds(row: row), count: columns)
  }

  /// Returns the lengths of a row in centimetres; undefined if there is no path.
  public func lengths(row: Int) -> UnsafeBufferPointer<UInt32> {
    precondition(hasLengths && row >= 0 && row < rows.count, "the block has no such row, or no lengths")
    return UnsafeBufferPointer(start: centimetres(row: row), count: columns)
  }

  /// Returns the waiting times of a row in milliseconds; undefined if there is no path.
  package func waits(row: Int) -> UnsafeBufferPointer<UInt32> {
    precondition(hasWaits && row >= 0 && row < rows.count, "the block has no such row, or no waits")
    return UnsafeBufferPointer(start: waits.base + row &* stride, count: columns)
  }

  package func setWait(row: Int, column: Int, to milliseconds: UInt32) {
    (waits.base + row &* stride)[column] = milliseconds
  }

  /// Returns the weight of a cell; `infinity` if there is no path. In a block without lengths, its length is zero.
  public func weight(row: Int, column: Int) -> Weight {
    let time = times(row: row)[column]
    guard time < MatrixBlock.unreachable else { return .infinity }
    return Weight(milliseconds: time, centimetres: hasLengths ? lengths(row: row)[column] : 0)
  }

  /// Lowers a cell to `weight` if that is less: for paths that are not in the graph.
  public func lower(row: Int, column: Int, to weight: Weight) {
    precondition(row >= 0 && row < rows.count && column >= 0 && column < columns, "the block has no such cell")
    if weight < self.weight(row: row, column: column) { set(row: row, column: column, to: weight) }
  }

  /// Copies a row of another block with the same number of columns.
  package func copy(row: Int, fromRow other: Int, of block: MatrixBlock) {
    precondition(block.columns == columns && block.hasLengths == hasLengths, "a block of another matrix")
    milliseconds(row: row).update(from: block.milliseconds(row: other), count: columns)
    if hasLengths { centimetres(row: row).update(from: block.centimetres(row: other), count: columns) }
  }

  package func set(row: Int, column: Int, to weight: Weight) {
    milliseconds(row: row)[column] = weight.milliseconds
    if hasLengths { centimetres(row: row)[column] = weight.centimetres }
  }
}
