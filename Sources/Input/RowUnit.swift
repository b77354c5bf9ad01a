/// The unit of a file's rows.
package enum RowUnit: String, Sendable {
  case line, feature
}
