import Foundation

/// The rows of a CSV of any length, read as `CSVReader` reads them, but block by block and without a string per field.
///
///     let rows = try DelimitedRows(path)
///     while try rows.next() { rows[0].text }
final class DelimitedRows {
  let path: String
  private let blocks: InputBlocks
  /// What was read and not yet taken: `start..<end`.
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 20
  private var (start, end) = (0, 0)
  private var isAtEnd = false
  private var separator = UInt8(ascii: ",")
  private var nextLine = 1
  /// The line at which the row begins.
  private(set) var line = 0
  /// The row as it is in the file.
  private var row = 0..<0
  private var fields: [RowField] = []
  /// Fields that had quotes.
  private var unquoted: UnsafeMutablePointer<UInt8>
  private var unquotedCapacity = 1 << 12

  /// The longest row: a day's polyline takes two megabytes.
  private static let longestRow = 64 << 20

  /// *Throws*: `InputError`.
  init(_ path: String) throws {
    self.path = path
    blocks = try InputBlocks(path: path)
    buffer = .allocate(capacity: capacity)
    unquoted = .allocate(capacity: unquotedCapacity)
    try fill()
    guard end > 0 else { throw InputError(file: path, problem: "the file is empty") }
    guard memchr(buffer, 0, min(4096, end)) == nil else {
      throw InputError(file: path, problem: "not UTF-8 text, expected a CSV, GPX or GeoJSON")
    }
    if end >= 3, (buffer[0], buffer[1], buffer[2]) == (0xEF, 0xBB, 0xBF) { start = 3 }
    separator = headerSeparator()
  }

  deinit {
    buffer.deallocate()
    unquoted.deallocate()
  }

  var count: Int { fields.count }
  subscript(index: Int) -> RowField { fields[index] }
  var text: String {
    let bytes = UnsafeBufferPointer(start: buffer + row.lowerBound, count: row.count)
    return String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }

  /// Goes to the next row that is not empty; false where there is none. *Throws*: `InputError`.
  func next() throws -> Bool {
    while true {
      line = nextLine
      guard let length = try lengthOfRow() else { return false }
      row = start..<start + length
      split()
      start = min(end, start + length + 1)
      nextLine += 1
      if fields.count > 1 || length > 1 || (length == 1 && buffer[row.lowerBound] != UInt8(ascii: "\r")) { return true }
    }
  }

  private func headerSeparator() -> UInt8 {
    let header = UnsafeBufferPointer(start: buffer + start, count: end - start).prefix { $0 != UInt8(ascii: "\n") }
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    func count(_ separator: UInt8) -> Int { header.count { $0 == separator } }
    return separators.max { count($0) < count($1) } ?? UInt8(ascii: ",")
  }

  /// Up to the line's end, which no quotes enclose; nil at the end of the file.
  private func lengthOfRow() throws -> Int? {
    var scanned = 0
    while true {
      let from = start + scanned
      if let found = memchr(buffer + from, 0x0A, end - from) {
        let length = UnsafePointer(buffer + start).distance(to: found.assumingMemoryBound(to: UInt8.self))
        guard memchr(buffer + start, 0x22, length) != nil else { return length }
        // Quotes may hide the line's end.
        if let length = quotedLength() { return length }
      }
      scanned = end - start
      guard !isAtEnd else {
        guard scanned > 0 else { return nil }
        countLines(scanned)
        return scanned
      }
      try fill()
    }
  }

  /// The length of a row with quotes; nil where its end was not read yet.
  private func quotedLength() -> Int? {
    var (isQuoted, isFieldEmpty, at, lines) = (false, true, start, 0)
    while at < end {
      let byte = buffer[at]
      at += 1
      if isQuoted {
        if byte == 0x22 {
          // Twice it is one quote of the text.
          if at < end, buffer[at] == 0x22 { (at, isFieldEmpty) = (at + 1, false) } else { isQuoted = false }
        } else {
          isFieldEmpty = false
          if byte == 0x0A { lines += 1 }
        }
      } else if byte == 0x0A {
        nextLine += lines
        return at - 1 - start
      } else if byte == 0x22, isFieldEmpty {
        isQuoted = true
      } else {
        isFieldEmpty = byte == separator
      }
    }
    return nil
  }

  private func countLines(_ length: Int) {
    nextLine += UnsafeBufferPointer(start: buffer + start, count: length).count { $0 == 0x0A }
  }

  /// Reads more, behind what is left. *Throws*: `InputError`.
  private func fill() throws {
    let left = end - start
    guard left <= DelimitedRows.longestRow else {
      throw InputError(file: path, line: line, problem: "a row is longer than 64 MB: is a quote not closed?")
    }
    if left > capacity / 2 {
      capacity *= 2
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: buffer + start, count: left)
      buffer.deallocate()
      buffer = larger
    } else if left > 0 {
      memmove(buffer, buffer + start, left)
    }
    (start, end) = (0, left)
    while end < capacity, !isAtEnd {
      let count = try blocks.read(into: UnsafeMutableBufferPointer(start: buffer + end, count: capacity - end))
      isAtEnd = count == 0
      end += count
    }
  }

  /// Cuts the row into its fields.
  private func split() {
    fields.removeAll(keepingCapacity: true)
    let (text, length) = (UnsafePointer(buffer + row.lowerBound), row.count)
    guard memchr(text, 0x22, length) == nil else { return splitQuoted() }
    var from = 0
    for at in 0..<length where text[at] == separator {
      fields.append(RowField(trimming: text + from, count: at - from))
      from = at + 1
    }
    fields.append(RowField(trimming: text + from, count: length - from))
  }

  private func splitQuoted() {
    if row.count > unquotedCapacity {
      unquoted.deallocate()
      unquotedCapacity = row.count * 2
      unquoted = .allocate(capacity: unquotedCapacity)
    }
    var (isQuoted, from, to, at) = (false, 0, 0, row.lowerBound)
    while at < row.upperBound {
      let byte = buffer[at]
      at += 1
      if isQuoted, byte == 0x22 {
        guard at < row.upperBound, buffer[at] == byte else {
          isQuoted = false
          continue
        }
        at += 1
      } else if !isQuoted, byte == 0x22, from == to {
        isQuoted = true
        continue
      } else if !isQuoted, byte == separator {
        fields.append(RowField(trimming: unquoted + from, count: to - from))
        from = to
        continue
      }
      unquoted[to] = byte
      to += 1
    }
    fields.append(RowField(trimming: unquoted + from, count: to - from))
  }
}
