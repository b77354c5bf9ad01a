/// Why an input row is rejected: the sentence of table `rejected`.
struct RowProblem: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }

  /// A text, truncated for a sentence.
  static func excerpt(_ text: String) -> String { text.count > 40 ? "\(text.prefix(40))…" : text }
}
