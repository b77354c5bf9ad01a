import Geography
import Tables

/// How high the points of a route's line lie, as a table has it: a list of metres, `[12.3,12.9,null]`.
package struct RouteHeights: Sendable, Hashable {
  package let text: String

  /// - Parameter centimetres: The least number where a height is not known.
  package init(centimetres: [Int32]) {
    var buffer = TextBuffer()
    buffer.append("[")
    for (index, height) in centimetres.enumerated() {
      if index > 0 { buffer.append(",") }
      if height == .min {
        buffer.append("null")
      } else {
        buffer.append(decimal: Int64((Double(height) / 10).rounded()), places: 1)
      }
    }
    buffer.append("]")
    text = buffer.string()
  }

  /// Nil for what is no such list: it goes into pages as it is.
  init?(text: String) {
    guard text.utf8.allSatisfy({ "[]0123456789.,-nul".utf8.contains($0) }) else { return nil }
    self.text = text
  }
}

extension RouteHeights: Journaled {
  package func write(to journal: inout JournalWriter) { journal.put(text) }

  package init(from journal: inout JournalReader) throws {
    guard let heights = RouteHeights(text: try journal.take()) else { throw JournalReader.Failure() }
    self = heights
  }
}
