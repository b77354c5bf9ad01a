import Geography

/// Why a job ends before its first row: what is known of some pairs is not so.
package struct SentinelFailure: CausedError {
  package var cause: ErrorCause { .implausible }
  /// All sentinels, what they took and what was allowed.
  package let table: String
  let file: String
  let count: Int
  let failed: Int

  package var description: String {
    "\(file): \(failed) of \(count) \(count == 1 ? "sentinel is" : "sentinels are") out of range; no row was computed: "
      + "look at the map, the profile and the speeds"
  }
}
