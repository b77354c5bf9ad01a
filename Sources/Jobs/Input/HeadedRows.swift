/// The rows of a CSV below a header that names its columns.
struct HeadedRows: Sequence, IteratorProtocol {
  let header: [String]
  private let file: String
  private let bytes: [UInt8]
  private var rows: CSVReader
  /// How many fields a row has that can be used.
  private var widths: ClosedRange<Int>

  /// *Throws*: `InputError` where there is no header.
  init(_ bytes: [UInt8], file: String) throws {
    (self.bytes, self.file) = (bytes, file)
    rows = CSVReader(bytes)
    guard let header = rows.next()?.fields else { throw InputError(file: file, problem: "the file has no rows") }
    if let problem = InputText.problem(ofHeader: header) { throw InputError(file: file, line: 1, problem: problem) }
    if let line = rows.lineOfOpenQuote { throw InputError(file: file, line: line, problem: InputText.openQuote) }
    self.header = header
    widths = header.count...header.count
  }

  mutating func next() -> InputRow<[String]>? {
    rows.next().map { row in
      let count = row.fields.count
      return InputRow(
        line: row.line,
        content: widths.contains(count)
          ? .success(row.fields)
          : .failure(RowProblem("got \(count) fields, expected \(header.count) as in the header")),
        source: .bytes(row.bytes))
    }
  }

  /// Whether commas are decimals: where semicolons separate fields.
  var hasDecimalCommas: Bool { rows.separator == UInt8(ascii: ";") }

  /// The same rows with the fields of some columns only, which is faster: the others are empty. A row needs no more
  /// than the required columns.
  func with(required: [Int], optional: [Int]) -> HeadedRows {
    var copy = self
    copy.rows = CSVReader(bytes, columns: Set(required + optional))
    _ = copy.rows.next()
    copy.widths = ((required.max() ?? 0) + 1)...Int.max
    return copy
  }

  /// The index of a column that the file must have. *Throws*: `InputError`.
  func index(of column: String) throws -> Int {
    guard let index = header.firstIndex(of: column) else {
      throw InputError(file: file, line: 1, problem: "the header has no column \(column)")
    }
    return index
  }
}
