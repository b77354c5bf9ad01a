import Geography

/// The reason why a command line is invalid, in one sentence.
struct UsageError: CausedError {
  var cause: ErrorCause { .usage }
  var description: String
  init(_ description: String) { self.description = description }
}
