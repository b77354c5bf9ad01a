import Geography

/// Reads rows of separated values in the simplest way, each with its line number and its text: the reference
/// implementation for `DelimitedRows`.
///
/// The separator is the most frequent of comma, semicolon and tab in the header. Fields in double quotes may contain
/// separators, line ends and doubled quotes. Empty lines are ignored.
struct CSVReader: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private let columns: Set<Int>?
  let separator: UInt8
  private var at = 0
  private var line = 1
  private var problem: (line: Int, sentence: String)?

  struct Row {
    var line: Int
    var fields: [String]
    /// The row as it is in the file.
    var bytes: ArraySlice<UInt8>
    /// Whether a quote is closed inside a field.
    var hasOddQuote = false
    var text: String { String(input: bytes) }
  }

  /// - Parameter columns: The requested columns; nil for all. Fields of other columns are left empty, which is faster.
  init(_ bytes: [UInt8], columns: Set<Int>? = nil) {
    self.bytes = bytes
    self.columns = columns
    let header = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    func count(_ separator: UInt8) -> Int { header.count { $0 == separator } }
    separator = separators.max { count($0) < count($1) } ?? UInt8(ascii: ",")
  }

  mutating func next() -> Row? {
    while at < bytes.count {
      let row = nextRow()
      if row.fields.count > 1 || !row.bytes.isEmpty { return row }
    }
    return nil
  }

  /// Returns the file's first quote error, with the line on which the quote is opened: it is never closed, or is closed
  /// on a later line inside a field.
  static func problem(of bytes: [UInt8]) -> (line: Int, sentence: String)? {
    var reader = CSVReader(bytes)
    while reader.problem == nil, reader.next() != nil {}
    return reader.problem
  }

  private mutating func nextRow() -> Row {
    let (start, startLine) = (at, line)
    var fields: [String] = []
    var field: [UInt8] = []
    var (isQuoted, isClosed, hasOddQuote, opened) = (false, false, false, line)
    var end = bytes.count
    scan: while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        if at < bytes.count && bytes[at] == byte {
          field.append(byte)
          at += 1
        } else {
          (isQuoted, isClosed) = (false, true)
        }
      case _ where isQuoted:
        field.append(byte)
      case separator:
        isClosed = false
        append(field, to: &fields)
        field.removeAll(keepingCapacity: true)
      case UInt8(ascii: "\n"):
        end = at - 1
        break scan
      case UInt8(ascii: "\"") where field.isEmpty && !isClosed:
        (isQuoted, opened) = (true, line)
      case _ where field.isEmpty && !isClosed && CSVReader.isSpace(byte): break
      default:
        if isClosed, byte > 0x20 {
          hasOddQuote = true
          if line > opened, problem == nil {
            problem = (opened, "a quote is opened here and closed in line \(line), where no separator follows it")
          }
        }
        field.append(byte)
      }
    }
    if isQuoted, problem == nil { problem = (opened, "a quote is opened here and never closed") }
    append(field, to: &fields)
    if bytes[start..<end].last == UInt8(ascii: "\r") { end -= 1 }
    return Row(line: startLine, fields: fields, bytes: bytes[start..<end], hasOddQuote: hasOddQuote)
  }

  private func append(_ field: [UInt8], to fields: inout [String]) {
    fields.append(columns?.contains(fields.count) == false ? "" : text(field))
  }

  /// Returns a field without surrounding spaces and without the line's carriage return.
  private func text(_ field: [UInt8]) -> String {
    let start = field.firstIndex { !CSVReader.isSpace($0) } ?? field.count
    let end = (field.lastIndex { !CSVReader.isSpace($0) } ?? start - 1) + 1
    return String(input: field[start..<end])
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }
}
