/// What rows of a file are counted by.
package enum RowUnit: String, Sendable {
  case line, feature
}
