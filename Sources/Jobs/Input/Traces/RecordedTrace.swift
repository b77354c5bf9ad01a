import Results
import Routing

/// A trace as a file of the input has it.
package struct RecordedTrace: Sendable {
  package var id: Identifier
  /// What statistics are made per, too; nil where the file does not say.
  package var group: String?
  /// In the order of the file; those that cannot be read are rejected.
  package var fixes: [Fix]
  package var file: String
  /// Where it begins.
  package var line: Int
  package var unit = RowUnit.line
}
