import Foundation
import Geography

/// A reader of delimited rows of any length (RFC 4180; also with tabs or semicolons), block by block and without
/// creating a string per field.
///
///     let rows = try DelimitedRows(path)
///     let header = try rows.header()
///     while try rows.next() { rows[0].text }
///
/// The separator is the most frequent of comma, semicolon and tab in the header, or the one named by a first line such
/// as `sep=;`, as in files for Excel. Fields in double quotes may contain separators, line ends and doubled quotes; the
/// closing quote ends the field. Spaces around fields and quotes are ignored. Empty lines are skipped.
package final class DelimitedRows {
  private let buffer: InputBuffer
  private var separator = UInt8(ascii: ",")
  private var nextLine = 1
  /// The line at which the row begins.
  package private(set) var line = 0
  /// The bytes of the row in the file.
  private var row: UnsafePointer<UInt8>
  private var length = 0
  /// The fields of the row.
  private var fields: UnsafeMutablePointer<RowField>
  private var fieldCapacity = 1 << 6
  /// The number of fields in the row.
  package private(set) var count = 0
  private var openQuoteLine: Int?
  /// Whether a quoted field of the row has text after its closing quote.
  private var hasTextAfterQuote = false
  /// Whether any row so far is not UTF-8.
  private var hasInvalidUTF8 = false
  static let maximumFields = 2048
  /// The fields of a row with quotes, unquoted.
  private var unquoted: UnsafeMutablePointer<UInt8>
  private var unquotedCapacity = 1 << 12

  /// The maximum length of a row in bytes: a day's polyline takes two megabytes.
  private static let maximumRowBytes = 64 << 20

  /// *Throws*: `OdometerError`.
  package convenience init(_ path: String) throws { try self.init(InputBuffer(path)) }

  init(_ buffer: InputBuffer) {
    self.buffer = buffer
    unquoted = .allocate(capacity: unquotedCapacity)
    row = UnsafePointer(unquoted)
    fields = .allocate(capacity: fieldCapacity)
    if let named = namedSeparator() {
      separator = named.separator
      buffer.consume(named.length)
      nextLine = 2
    } else {
      separator = headerSeparator()
    }
  }

  deinit {
    unquoted.deallocate()
    fields.deallocate()
  }

  var path: String { buffer.path }
  package subscript(index: Int) -> RowField {
    precondition(index < count, "no such field")
    return fields[index]
  }

  /// Returns the text of a field; nil if it is empty, or the row does not have it.
  func text(at index: Int?) -> String? {
    guard let index, index < count, !self[index].isEmpty else { return nil }
    return self[index].text
  }

  /// Whether commas are decimal commas: true if semicolons separate fields.
  package var hasDecimalCommas: Bool { separator == UInt8(ascii: ";") }

  /// Returns the degrees in a field. `column` is for messages.
  func degrees(_ index: Int, in column: String) throws(RowProblem) -> Double {
    let field = self[index]
    if let number = DecimalText.number(field.bytes) { return number }
    return try CoordinateCheck.degrees(field.text, in: column, decimalCommas: hasDecimalCommas)
  }

  /// Notes about the rows so far.
  var notes: [String] { hasInvalidUTF8 ? [InputText.note(on: path)] : [] }

  /// The fields of the row, as strings.
  package var strings: [String] { (0..<count).map { self[$0].text } }

  /// Rejects a row with more or fewer fields than its header, or with text after a closing quote.
  package func check(_ expected: Int) throws(RowProblem) {
    try checkQuotes()
    guard count == expected else { throw RowProblem("got \(count) fields, expected \(expected) as in the header") }
  }

  func checkQuotes() throws(RowProblem) {
    if hasTextAfterQuote {
      throw RowProblem("got text after a closing quote, expected a separator; quotes within a field are doubled")
    }
  }

  /// Reads the header, of at most `maximumFields` columns by default. *Throws*: `OdometerError` if there is none, or it
  /// has too many columns or no names.
  package func header(maximumColumns: Int = DelimitedRows.maximumFields) throws -> [String] {
    guard try next() else { throw .input(path, "the file has no rows") }
    do { try checkQuotes() } catch { throw .input(path, line: line, error.reason) }
    let header = strings
    if let problem = InputText.problem(ofHeader: header) {
      throw .input(path, line: line, problem)
    }
    guard count <= maximumColumns else {
      throw .input(path, line: line, "got \(count) columns, expected at most \(maximumColumns)")
    }
    return header
  }

  /// Returns the columns of the header just read; errors about them get its line. *Throws*: `OdometerError`.
  package func inHeader<Columns>(_ columns: () throws -> Columns) throws -> Columns {
    do { return try columns() } catch var error as OdometerError where error.file == path && error.line == nil {
      error.line = line
      throw error
    }
  }

  private var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: row, count: length) }

  private var isASCII: Bool {
    var bits: UInt8 = 0
    for at in 0..<length { bits |= row[at] }
    return bits < 0x80
  }

  package var text: String { String(input: rowBytes) }

  /// The bytes of the row in the file, without its line end.
  var rowBytes: Slice<UnsafeBufferPointer<UInt8>> { bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...] }

  /// Advances to the next non-empty row; returns false if there is none. *Throws*: `OdometerError`.
  package func next() throws -> Bool {
    while true {
      line = nextLine
      hasTextAfterQuote = false
      guard let length = try lengthOfRow() else { return false }
      (row, self.length) = (UnsafePointer(buffer.bytes + buffer.start), length)
      split()
      if !hasInvalidUTF8, !isASCII { hasInvalidUTF8 = String(validating: bytes, as: UTF8.self) == nil }
      buffer.consume(min(buffer.count, length + 1))
      nextLine += 1
      if count > 1 || length > 1 || (length == 1 && row[0] != UInt8(ascii: "\r")) { return true }
    }
  }

  private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// The unread bytes.
  private var rest: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: buffer.bytes + buffer.start, count: buffer.count)
  }

  private func headerSeparator() -> UInt8 {
    // Empty lines above the header are skipped.
    let header = rest.drop { $0 == 0x0A || $0 == 0x0D }.prefix { $0 != 0x0A }
    func count(_ separator: UInt8) -> Int { header.count { $0 == separator } }
    return DelimitedRows.separators.max { count($0) < count($1) } ?? UInt8(ascii: ",")
  }

  /// Returns the separator that the first line names, and the length of that line; nil if it names none.
  private func namedSeparator() -> (separator: UInt8, length: Int)? {
    let line = rest.prefix { $0 != 0x0A }
    guard line.count < buffer.count else { return nil }
    let text = String(decoding: line, as: UTF8.self).lowercased().filter { !"\" \r".contains($0) }
    guard text.hasPrefix("sep="), let named = text.utf8.dropFirst(4).first else { return nil }
    // Spreadsheet programs pad the line to as many fields as other lines have.
    guard DelimitedRows.separators.contains(named), text.utf8.dropFirst(4).allSatisfy({ $0 == named }) else {
      return nil
    }
    return (named, line.count + 1)
  }

  /// Returns the length of the next row, reading as much data as needed; nil at the end of the file.
  private func lengthOfRow() throws -> Int? {
    var scanned = 0
    while true {
      let text = buffer.bytes + buffer.start
      if let found = memchr(text + scanned, 0x0A, buffer.count - scanned) {
        let length = text.distance(to: found.assumingMemoryBound(to: UInt8.self))
        // A quoted field may contain line ends.
        guard memchr(text, 0x22, length) != nil else { return length }
        if let length = try lengthOfQuotedRow() { return length }
      }
      scanned = buffer.count
      guard !buffer.isAtEnd else {
        guard scanned > 0 else { return nil }
        if memchr(text, 0x22, scanned) != nil, try lengthOfQuotedRow() == nil, let openQuoteLine {
          throw .input(path, line: openQuoteLine, "a quote is opened here and never closed")
        }
        nextLine += UnsafeBufferPointer(start: text, count: scanned).count { $0 == 0x0A }
        return scanned
      }
      guard scanned <= DelimitedRows.maximumRowBytes else {
        throw .input(path, line: line, "a row is longer than 64 MB: is a closing quote missing?")
      }
      try buffer.fill(line: line)
    }
  }

  /// Returns the length of a row with quotes; nil if its end has not been read yet: `openQuoteLine` is then the line of
  /// an unclosed quote. *Throws*: `OdometerError` if text follows the closing quote of a field that spans lines: the quote
  /// was probably never meant to open the field, and the rows in between would be lost.
  private func lengthOfQuotedRow() throws -> Int? {
    let (text, count) = (buffer.bytes + buffer.start, buffer.count)
    var (isQuoted, isClosed, isFieldEmpty, at, lines) = (false, false, true, 0, 0)
    hasTextAfterQuote = false
    while at < count {
      let byte = text[at]
      at += 1
      if isQuoted {
        if byte == 0x22 {
          // A doubled quote stands for one quote in the text.
          if at < count, text[at] == 0x22 {
            (at, isFieldEmpty) = (at + 1, false)
          } else {
            (isQuoted, isClosed) = (false, true)
          }
        } else {
          isFieldEmpty = false
          if byte == 0x0A { lines += 1 }
        }
      } else if byte == 0x0A {
        nextLine += lines
        return at - 1
      } else if byte == separator {
        (isFieldEmpty, isClosed) = (true, false)
      } else if isClosed {
        // Spaces around fields are ignored.
        guard byte > 0x20 else { continue }
        guard openQuoteLine == line + lines else {
          throw .input(
            path, line: openQuoteLine,
            "a quote is opened here and closed in line \(line + lines), where no separator follows it")
        }
        hasTextAfterQuote = true
      } else if byte == 0x22, isFieldEmpty {
        isQuoted = true
        openQuoteLine = line + lines
      } else if !RowField.isSpace(byte) {
        isFieldEmpty = false
      }
    }
    if !isQuoted { openQuoteLine = nil }
    return nil
  }

  /// Splits the row into its fields.
  private func split() {
    guard memchr(row, 0x22, length) == nil else { return splitQuoted() }
    let (row, length, separator) = (row, length, separator)
    var (from, count) = (0, 0)
    for at in 0..<length where row[at] == separator {
      appendField(row + from, at - from, &count)
      from = at + 1
    }
    appendField(row + from, length - from, &count)
    self.count = count
  }

  private func splitQuoted() {
    if length > unquotedCapacity {
      unquoted.deallocate()
      unquotedCapacity = length * 2
      unquoted = .allocate(capacity: unquotedCapacity)
    }
    let (row, length, separator, unquoted) = (row, length, separator, unquoted)
    var (isQuoted, isClosed, from, to, at, count) = (false, false, 0, 0, 0, 0)
    while at < length {
      let byte = row[at]
      at += 1
      if isQuoted, byte == 0x22 {
        guard at < length, row[at] == byte else {
          (isQuoted, isClosed) = (false, true)
          continue
        }
        at += 1
      } else if !isQuoted, byte == separator {
        appendField(unquoted + from, to - from, &count)
        (isClosed, from) = (false, to)
        continue
      } else if !isQuoted, !isClosed, from == to, byte == 0x22 || RowField.isSpace(byte) {
        isQuoted = byte == 0x22
        continue
      }
      unquoted[to] = byte
      to += 1
    }
    appendField(unquoted + from, to - from, &count)
    self.count = count
  }

  private func appendField(_ text: UnsafePointer<UInt8>, _ length: Int, _ count: inout Int) {
    if count == fieldCapacity {
      let larger = UnsafeMutablePointer<RowField>.allocate(capacity: 2 * count)
      larger.update(from: fields, count: count)
      fields.deallocate()
      (fields, fieldCapacity) = (larger, 2 * count)
    }
    fields[count] = RowField(trimming: text, count: length)
    count += 1
  }
}
