/// The lines of rows, by the rows' indices: of rows on consecutive lines the first alone is kept.
struct LineColumn: Sendable {
  private var runs: [(index: Int, line: Int)] = []

  /// - Parameter index: The row's, one more than that of the row before.
  mutating func append(_ line: Int, at index: Int) {
    if let last = runs.last, last.line + index - last.index == line { return }
    runs.append((index, line))
  }

  subscript(index: Int) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].index <= index { low = middle + 1 } else { high = middle }
    }
    return runs[low - 1].line + index - runs[low - 1].index
  }
}
