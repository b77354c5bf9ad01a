/// Reads rows of separated values (RFC 4180; also tab and semicolon), each with its line and its text.
///
/// The separator is the one of comma, semicolon and tab that is most frequent in the header. Fields in double quotes may
/// hold separators, line ends and doubled quotes. Empty lines are skipped.
package struct CSVReader: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private let columns: Set<Int>?
  let separator: UInt8
  private var at = 0
  private var line = 1

  package struct Row {
    package var line: Int
    package var fields: [String]
    /// The row as it is in the file.
    var bytes: ArraySlice<UInt8>
    package var text: String { InputText.string(bytes) }
  }

  /// - Parameter columns: Those that are wanted, if not all: the fields of others are left empty, which is faster.
  package init(_ bytes: [UInt8], columns: Set<Int>? = nil) {
    self.bytes = bytes
    self.columns = columns
    let header = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    func count(_ separator: UInt8) -> Int { header.count { $0 == separator } }
    separator = separators.max { count($0) < count($1) } ?? UInt8(ascii: ",")
  }

  package mutating func next() -> Row? {
    while at < bytes.count {
      let row = nextRow()
      if row.fields.count > 1 || !row.bytes.isEmpty { return row }
    }
    return nil
  }

  /// The line of a quote that is opened and never closed; nil if there is none.
  package var lineOfOpenQuote: Int? {
    let quote = UInt8(ascii: "\"")
    var (at, isOpen, opening) = (0, false, 0)
    while let next = bytes[at...].firstIndex(of: quote) {
      at = next + 1
      if !isOpen {
        isOpen = next == 0 || bytes[next - 1] == separator || bytes[next - 1] == UInt8(ascii: "\n")
        opening = next
      } else if at < bytes.count, bytes[at] == quote {
        at += 1
      } else {
        isOpen = false
      }
    }
    return isOpen ? 1 + bytes[..<opening].count { $0 == UInt8(ascii: "\n") } : nil
  }

  private mutating func nextRow() -> Row {
    let (start, startLine) = (at, line)
    var fields: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
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
          isQuoted = false
        }
      case _ where isQuoted:
        field.append(byte)
      case UInt8(ascii: "\"") where field.isEmpty:
        isQuoted = true
      case separator:
        append(field, to: &fields)
        field.removeAll(keepingCapacity: true)
      case UInt8(ascii: "\n"):
        end = at - 1
        break scan
      default:
        field.append(byte)
      }
    }
    append(field, to: &fields)
    if bytes[start..<end].last == UInt8(ascii: "\r") { end -= 1 }
    return Row(line: startLine, fields: fields, bytes: bytes[start..<end])
  }

  private func append(_ field: [UInt8], to fields: inout [String]) {
    fields.append(columns?.contains(fields.count) == false ? "" : text(field))
  }

  /// A field without the spaces around it and the line's carriage return.
  private func text(_ field: [UInt8]) -> String {
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }
    let start = field.firstIndex { !isSpace($0) } ?? field.count
    let end = (field.lastIndex { !isSpace($0) } ?? start - 1) + 1
    return InputText.string(field[start..<end])
  }
}
