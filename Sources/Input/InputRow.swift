import Geography
import Tables

/// A row of an input file: the fields of a CSV row, a GeoJSON feature, or a link.
struct InputRow<Content: Sendable>: Sendable {
  let line: Int
  let content: Result<Content, RowProblem>
  let source: Source

  /// The bytes of the row in the file, converted to text only if the row is rejected.
  enum Source: Sendable {
    case bytes(ArraySlice<UInt8>)
    case text(String)

    var text: String {
      switch self {
      case .bytes(let bytes): String(input: bytes)
      case .text(let text): text
      }
    }
  }

  /// - Parameter points: The coordinates of the row, if it has any.
  func rejected(of file: String, _ problem: RowProblem, at points: [FixedCoordinate] = []) -> RejectedRow {
    RejectedRow(file: file, line: line, text: source.text, reason: problem.reason, points: points)
  }
}

extension DelimitedRows {
  /// Returns the fields of the row as strings; a failure unless there are `count`, as in the header.
  func row(_ count: Int) -> InputRow<[String]> {
    let content = Result { () throws(RowProblem) in
      try check(count)
      return strings
    }
    return InputRow(line: line, content: content, source: .bytes(Array(rowBytes)[...]))
  }
}
