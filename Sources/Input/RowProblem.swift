/// Why an input row is rejected: the sentence of table `rejected`.
package struct RowProblem: Error {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }

  /// A text, truncated for a sentence.
  static func excerpt(_ text: String) -> String { text.count > 40 ? "\(text.prefix(40))…" : text }
}
