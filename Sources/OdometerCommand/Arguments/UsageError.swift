import Geography

/// Why a command line cannot be used, as one sentence.
struct UsageError: CausedError {
  var cause: ErrorCause { .usage }
  var description: String
  init(_ description: String) { self.description = description }
}
