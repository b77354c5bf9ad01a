/// Why a row of the input cannot be used: the sentence of table `rejected`.
package struct RowProblem: Error {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }

  /// As much of a text as a sentence bears.
  static func excerpt(_ text: String) -> String { text.count > 40 ? "\(text.prefix(40))…" : text }
}
