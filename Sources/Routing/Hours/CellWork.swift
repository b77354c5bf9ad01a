import Hierarchy

/// What is left of a trip that is estimated as one street: its duration is that of the quickest path under the speeds of
/// each stretch of time, and what is begun in one stretch is finished in the next.
///
/// Whole numbers, with roundings against the traveller as in `StreetClock`: who sets out later never arrives earlier. A
/// trip that ends within its first stretch takes what it takes there, and that is exact.
struct CellWork: BitwiseCopyable {
  /// In 2^-31 of the trip; 0 for a trip that is over.
  private var left: UInt32
  /// Milliseconds for which there has been no path.
  private var idle: UInt32 = 0

  /// A trip that has not begun.
  static let whole = CellWork(left: 1 << 31)
  static let none = CellWork(left: 0)

  private init(left: UInt32) { self.left = left }

  var isOver: Bool { left == 0 }

  /// Continues for a stretch.
  ///
  /// - Parameters:
  ///   - duration: Milliseconds of the whole trip in this stretch; `MatrixBlock.unreachable` where there is none: who is
  ///     under way waits.
  ///   - room: Milliseconds until the stretch ends.
  ///   - limit: Milliseconds that one waits at most.
  /// - Returns: What the rest takes, if it fits; `MatrixBlock.unreachable` where one waits for too long; else nil.
  @inline(__always)
  mutating func advance(_ duration: UInt32, room: UInt32, waiting limit: UInt32) -> UInt32? {
    guard duration < MatrixBlock.unreachable else {
      idle = idle.addingReportingOverflow(room).overflow ? .max : idle + room
      return idle > limit ? MatrixBlock.unreachable : nil
    }
    idle = 0
    let rest = (UInt64(left) * UInt64(duration) + (1 << 31 - 1)) >> 31
    guard rest > UInt64(room) else {
      left = 0
      return UInt32(rest)
    }
    left -= UInt32((UInt64(room) << 31) / UInt64(duration))
    return nil
  }
}
