import Geography
import Tables

/// A row of an input file: the fields of a CSV row, a GeoJSON feature, or a link.
struct InputRow<Content: Sendable>: Sendable {
  let line: Int
  /// The id, even if the content is invalid; nil if the row has none or it cannot be read.
  var id: String?
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
  func rejected(of file: String, _ problem: RowProblem, id: String?, at points: [FixedCoordinate] = []) -> RejectedRow {
    RejectedRow(file: file, line: line, id: id, text: source.text, reason: problem.reason, points: points)
  }
}

extension DelimitedRows {
  /// Returns the current row without its fields, which stay in `self`; a failure unless there are `count`, as in the
  /// header.
  func row(_ count: Int) -> InputRow<Void> {
    InputRow(
      line: line, content: Result { () throws(RowProblem) in try check(count) }, source: .bytes(Array(rowBytes)[...]))
  }
}

/// The unit that row numbers of a file count, for messages.
package enum RowUnit: String, Sendable {
  case line, feature
}

/// The reason why an input row is rejected, as a sentence for table `rejected`.
package struct RowProblem: Error {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }

  /// Returns a value from the input for use in a sentence: at most 60 characters, then an ellipsis.
  package static func excerpt(_ value: some CustomStringConvertible) -> String {
    let text = value.description
    let start = text.prefix(60)
    return start.endIndex < text.endIndex ? "\(start)…" : text
  }

  /// Returns names from the input for use in a sentence: at most `limit`, each as an excerpt.
  package static func list(_ names: some Collection<String>, atMost limit: Int = 30) -> String {
    names.prefix(limit).map { excerpt($0) }.joined(separator: ", ") + (names.count > limit ? ", …" : "")
  }
}

/// Handling of a row with a duplicate id.
package enum DuplicateRule: String, Hashable, Sendable, CaseIterable {
  case reject
  /// The row is kept as `id#2`, `id#3` and so on.
  case number
}
