/// The reason why an input row is rejected, as a sentence for table `rejected`.
package struct RowProblem: Error {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }

  /// Returns a string, truncated for use in a sentence.
  static func excerpt(_ text: String) -> String { text.count > 40 ? "\(text.prefix(40))…" : text }
}
