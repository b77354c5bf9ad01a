/// Milliseconds as table `job` has them: seconds, with up to three decimals ("3600", "439.98").
package enum SecondsText {
  package static func text(milliseconds: UInt32) -> String {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    guard rest > 0 else { return String(seconds) }
    var decimals = String(String(1000 + rest).dropFirst())
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(seconds).\(decimals)"
  }

  /// Nil for what is not such a text.
  package static func milliseconds(_ text: String) -> UInt32? {
    Double(text).flatMap { UInt32(exactly: ($0 * 1000).rounded()) }
  }
}
