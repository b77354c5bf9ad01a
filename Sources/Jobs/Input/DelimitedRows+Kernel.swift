import Foundation

/// The rows of a CSV of any length, read as `CSVReader` reads them, but block by block and without a string per field.
///
///     let rows = try DelimitedRows(path)
///     while try rows.next() { rows[0].text }
final class DelimitedRows {
  private let buffer: InputBuffer
  private var separator = UInt8(ascii: ",")
  private var nextLine = 1
  /// The line at which the row begins.
  private(set) var line = 0
  /// The row as it is in the file.
  private var row: UnsafePointer<UInt8>
  private var length = 0
  /// Fields of the row: of more than `mostFields` there is the count alone.
  private let fields: UnsafeMutablePointer<RowField>
  /// How many fields the row has.
  private(set) var count = 0
  private var openQuote: Int?
  /// Whether a row was met that is not UTF-8.
  private var isForeign = false
  static let mostFields = 2048
  /// Fields that had quotes.
  private var unquoted: UnsafeMutablePointer<UInt8>
  private var unquotedCapacity = 1 << 12

  /// The longest row: a day's polyline takes two megabytes.
  private static let longestRow = 64 << 20

  /// *Throws*: `InputError`.
  init(_ path: String) throws {
    buffer = try InputBuffer(path)
    unquoted = .allocate(capacity: unquotedCapacity)
    row = UnsafePointer(unquoted)
    fields = .allocate(capacity: DelimitedRows.mostFields)
    separator = headerSeparator()
  }

  deinit {
    unquoted.deallocate()
    fields.deallocate()
  }

  var path: String { buffer.path }
  subscript(index: Int) -> RowField {
    precondition(index < min(count, DelimitedRows.mostFields), "no such field")
    return fields[index]
  }

  /// Whether commas are decimals: where semicolons separate fields.
  var hasDecimalCommas: Bool { separator == UInt8(ascii: ";") }

  /// The degrees in a field. `column` is for the sentence.
  func degrees(_ index: Int, in column: String) throws(RowProblem) -> Double {
    let field = self[index]
    if let number = DecimalText.number(field.bytes) { return number }
    return try CoordinateCheck.degrees(field.text, in: column, decimalCommas: hasDecimalCommas)
  }

  /// What whoever runs the job should know of the rows so far.
  var notes: [String] { isForeign ? [InputText.note(on: path)] : [] }

  /// The names of the columns, where the row in hand is the header. *Throws*: `InputError` where they are too many, or
  /// name nothing.
  func header() throws -> [String] {
    let header = (0..<min(count, DelimitedRows.mostFields)).map { self[$0].text }
    if let problem = InputText.problem(ofHeader: header) { throw InputError(file: path, line: line, problem: problem) }
    guard count <= DelimitedRows.mostFields else {
      throw InputError(
        file: path, line: line, problem: "got \(count) columns, expected at most \(DelimitedRows.mostFields)")
    }
    return header
  }

  private var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: row, count: length) }

  private var isASCII: Bool {
    var bits: UInt8 = 0
    for at in 0..<length { bits |= row[at] }
    return bits < 0x80
  }

  var text: String {
    InputText.string(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...])
  }

  /// Goes to the next row that is not empty; false where there is none. *Throws*: `InputError`.
  func next() throws -> Bool {
    while true {
      line = nextLine
      guard let length = try lengthOfRow() else { return false }
      (row, self.length) = (UnsafePointer(buffer.bytes + buffer.start), length)
      split()
      if !isForeign, !isASCII { isForeign = String(validating: bytes, as: UTF8.self) == nil }
      buffer.take(min(buffer.count, length + 1))
      nextLine += 1
      if count > 1 || length > 1 || (length == 1 && row[0] != UInt8(ascii: "\r")) { return true }
    }
  }

  private func headerSeparator() -> UInt8 {
    let header = UnsafeBufferPointer(start: buffer.bytes + buffer.start, count: buffer.count).prefix {
      $0 != UInt8(ascii: "\n")
    }
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    func count(_ separator: UInt8) -> Int { header.count { $0 == separator } }
    return separators.max { count($0) < count($1) } ?? UInt8(ascii: ",")
  }

  /// Up to the line's end, which no quotes enclose; nil at the end of the file.
  private func lengthOfRow() throws -> Int? {
    var scanned = 0
    while true {
      let text = buffer.bytes + buffer.start
      if let found = memchr(text + scanned, 0x0A, buffer.count - scanned) {
        let length = text.distance(to: found.assumingMemoryBound(to: UInt8.self))
        // Quotes may hide the line's end.
        guard memchr(text, 0x22, length) != nil else { return length }
        if let length = lengthOfQuotedRow() { return length }
      }
      scanned = buffer.count
      guard !buffer.isAtEnd else {
        guard scanned > 0 else { return nil }
        if memchr(text, 0x22, scanned) != nil, lengthOfQuotedRow() == nil, let openQuote {
          throw InputError(file: path, line: openQuote, problem: InputText.openQuote)
        }
        nextLine += UnsafeBufferPointer(start: text, count: scanned).count { $0 == 0x0A }
        return scanned
      }
      guard scanned <= DelimitedRows.longestRow else {
        throw InputError(file: path, line: line, problem: "a row is longer than 64 MB: is a quote not closed?")
      }
      try buffer.fill()
    }
  }

  /// The length of a row with quotes; nil where its end was not read yet: `openQuote` is the line of a quote without an end.
  private func lengthOfQuotedRow() -> Int? {
    let (text, count) = (buffer.bytes + buffer.start, buffer.count)
    var (isQuoted, isFieldEmpty, at, lines) = (false, true, 0, 0)
    while at < count {
      let byte = text[at]
      at += 1
      if isQuoted {
        if byte == 0x22 {
          // Twice it is one quote of the text.
          if at < count, text[at] == 0x22 { (at, isFieldEmpty) = (at + 1, false) } else { isQuoted = false }
        } else {
          isFieldEmpty = false
          if byte == 0x0A { lines += 1 }
        }
      } else if byte == 0x0A {
        nextLine += lines
        return at - 1
      } else if byte == 0x22, isFieldEmpty {
        isQuoted = true
        openQuote = line + lines
      } else {
        isFieldEmpty = byte == separator
      }
    }
    if !isQuoted { openQuote = nil }
    return nil
  }

  /// Cuts the row into its fields.
  private func split() {
    guard memchr(row, 0x22, length) == nil else { return splitQuoted() }
    let (row, length, separator) = (row, length, separator)
    var (from, count) = (0, 0)
    for at in 0..<length where row[at] == separator {
      put(row + from, at - from, &count)
      from = at + 1
    }
    put(row + from, length - from, &count)
    self.count = count
  }

  private func splitQuoted() {
    if length > unquotedCapacity {
      unquoted.deallocate()
      unquotedCapacity = length * 2
      unquoted = .allocate(capacity: unquotedCapacity)
    }
    let (row, length, separator, unquoted) = (row, length, separator, unquoted)
    var (isQuoted, from, to, at, count) = (false, 0, 0, 0, 0)
    while at < length {
      let byte = row[at]
      at += 1
      if isQuoted, byte == 0x22 {
        guard at < length, row[at] == byte else {
          isQuoted = false
          continue
        }
        at += 1
      } else if !isQuoted, byte == 0x22, from == to {
        isQuoted = true
        continue
      } else if !isQuoted, byte == separator {
        put(unquoted + from, to - from, &count)
        from = to
        continue
      }
      unquoted[to] = byte
      to += 1
    }
    put(unquoted + from, to - from, &count)
    self.count = count
  }

  private func put(_ text: UnsafePointer<UInt8>, _ length: Int, _ count: inout Int) {
    if count < DelimitedRows.mostFields { fields[count] = RowField(trimming: text, count: length) }
    count += 1
  }
}
