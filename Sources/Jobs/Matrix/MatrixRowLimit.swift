import Tables

/// How many destinations a row of table `matrix_row` holds: its arrays are in one row of SQLite, which has a limit.
package enum MatrixRowLimit {
  /// Bytes of a row beyond its cells.
  private static let rest = 1024

  /// Refuses a matrix whose rows might be too long, before anything is computed. *Throws*: `InputError`.
  ///
  /// - Parameter longestRow: Bytes of a row.
  package static func check(destinations: Int, in file: String, hasDistances: Bool, longestRow: Int) throws {
    let bytes = CellText.longestCell * (hasDistances ? 2 : 1)
    let most = (longestRow - rest) / bytes
    guard destinations <= most else {
      throw InputError(
        file: file,
        problem: "got \(destinations) destinations, expected at most \(most): SQLite's rows have \(longestRow) bytes, "
          + "a destination takes up to \(bytes); split the list, or leave sqlite out of format (npy has no limit)")
    }
  }
}
