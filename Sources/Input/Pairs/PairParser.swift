import Routing
import Tables

/// Parses the rows of a table of pairs, batch by batch. Only one thread uses it at a time.
final class PairParser: @unchecked Sendable {
  private let rows: DelimitedRows
  private let columns: PairColumns
  private let fieldCount: Int
  private let typeName: String
  private let currentLocation: Place?
  /// The column of weights as far as it has been read; nil for none.
  private(set) var weights: NumberColumn?

  /// The maximum rows of a batch, and the number of bytes after which it ends.
  private static let (maximumRows, batchBytes) = (4096, 1 << 20)

  /// - Parameters:
  ///   - fields: The number of fields in the header.
  ///   - typeName: The transport type that links must have, if they name one.
  ///   - currentLocation: The source of links that have none.
  init(
    _ rows: DelimitedRows, _ columns: PairColumns, fields: Int, for typeName: String, _ currentLocation: Place?
  ) {
    (self.rows, self.columns, fieldCount) = (rows, columns, fields)
    (self.typeName, self.currentLocation) = (typeName, currentLocation)
    weights = columns.weight.map { NumberColumn($0.name, decimalCommas: rows.hasDecimalCommas) }
  }

  /// Returns the next rows; none at the end of the file. *Throws*: `InputError`.
  func next() throws -> [InputRow<PairValues>] {
    var batch: [InputRow<PairValues>] = []
    var bytes = 0
    while batch.count < PairParser.maximumRows, bytes < PairParser.batchBytes, try rows.next() {
      bytes += rows.rowBytes.count
      let values = Result { () throws(RowProblem) in try self.values() }
      batch.append(InputRow(line: rows.line, content: values, source: .bytes(Array(rows.rowBytes)[...])))
    }
    return batch
  }

  private func values() throws(RowProblem) -> PairValues {
    try rows.check(fieldCount)
    var values = try columns.values(of: rows, for: typeName, currentLocation)
    if let index = columns.weight?.index { values.weight = try weights?.weight(rows[index].text, row: rows.line) }
    return values
  }
}
