import Geography
import Input
import Tables
import Testing

import Jobs

/// Rows of matrices that SQLite cannot store are rejected in advance.
struct MatrixRowLimitTests {
  private func check(_ destinations: Int, hasDistances: Bool = false, longestRow: Int) throws {
    try MatrixRowLimit.check(
      destinations: destinations, in: "to.csv", hasDistances: hasDistances, longestRow: longestRow)
  }

  @Test func refusesOneDestinationTooMany() throws {
    try check(4, longestRow: 1024 + 48)
    let error = #expect(throws: OdometerError.self) { try check(5, longestRow: 1024 + 48) }
    #expect(
      error?.description == "to.csv: got 5 destinations, expected at most 4: SQLite rows have at most 1072 bytes, a "
        + "destination takes up to 12; split the list, or leave sqlite out of format (npy has no limit)")
  }

  @Test func distancesTakeHalfOfARow() throws {
    try check(2, hasDistances: true, longestRow: 1024 + 48)
    #expect(throws: OdometerError.self) { try check(3, hasDistances: true, longestRow: 1024 + 48) }
  }

  @Test func acceptsFortyMillionDestinations() throws {
    try check(40_000_000, hasDistances: true, longestRow: SQLite.longestRow())
  }

  @Test func noCellIsLongerThanAssumed() {
    let text = TextBytes(capacity: 1)
    let (times, lengths) = ([UInt32](repeating: 0x7FFF_FFFE, count: 100), [UInt32](repeating: .max, count: 100))
    times.withUnsafeBufferPointer { times in
      CellText().append(seconds: times, missing: 0x7FFF_FFFF, to: text)
      #expect(text.count <= 100 * CellText.longestCell + 1)
      let before = text.count
      lengths.withUnsafeBufferPointer {
        CellText().append(metres: $0, times: times, missing: 0x7FFF_FFFF, to: text)
      }
      #expect(text.count - before <= 100 * CellText.longestCell + 1)
    }
  }
}
