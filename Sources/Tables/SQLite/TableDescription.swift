/// A table or view of the results as documents and help show it.
package struct TableDescription: Sendable {
  package var name: String
  /// What one row is of: "pair".
  package var summary: String
  package var columns: [Column]

  package struct Column: Sendable {
    package var name: String
    /// `id`: integer where all ids of the job are whole numbers, else text.
    package var type: String
    package var note: String
  }
}
