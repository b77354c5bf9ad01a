import Geography

/// The error that ends a job before its first row if a sentinel is out of range.
package struct SentinelFailure: CausedError {
  package var cause: ErrorCause { .implausible }
  /// All sentinels, with actual values and ranges.
  package let table: String
  let file: String
  let count: Int
  let failed: Int

  package var description: String {
    "\(file): \(failed) of \(count) \(count == 1 ? "sentinel is" : "sentinels are") out of range; no row was computed: "
      + "check the map, the profile and the speeds"
  }
}
