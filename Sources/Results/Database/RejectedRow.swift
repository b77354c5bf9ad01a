/// A row of table `rejected`: input that cannot be used, and why.
package struct RejectedRow: Sendable, Hashable {
  package var file: String
  package var line: Int
  package var text: String
  package var reason: String

  package init(file: String, line: Int, text: String, reason: String) {
    (self.file, self.line, self.text, self.reason) = (file, line, text, reason)
  }

  static let table = Table<RejectedRow>(
    "rejected", "row of the input that cannot be used",
    [
      .text("file", "the input's path") { $0.file },
      .integer("line", "from 1") { $0.line },
      .text("text", "the row as it is in the file; of traces at most 1,000 bytes") { $0.text },
      .text("reason", "why it cannot be used") { $0.reason },
    ])
}
