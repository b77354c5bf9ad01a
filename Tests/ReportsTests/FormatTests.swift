import Reports
import Testing

/// Numbers and text as pages have them.
struct FormatTests {
  @Test(
    arguments: [
      (0, 0, "0"), (1234, 0, "1234"), (12345, 0, "12\u{202F}345"), (1_234_567.8, 0, "1\u{202F}234\u{202F}568"),
      (-3, 0, "−3"), (2.345, 2, "2.35"), (2.05, 1, "2.1"), (0.004, 2, "0.00"), (-0.004, 2, "0.00"), (7, 3, "7.000"),
      (.infinity, 0, "–"), (.nan, 2, "–"), (1e16, 0, "–"),
    ] as [(Double, Int, String)])
  func writesDecimals(value: Double, places: Int, expected: String) {
    #expect(Format.decimal(value, places) == expected)
  }

  @Test(arguments: [(0.5, "50.0 %"), (1, "100.0 %"), (0.005, "0.50 %"), (0.0005, "0.050 %"), (0, "0.000 %")])
  func writesSmallSharesWithMoreDecimals(share: Double, expected: String) { #expect(Format.percent(share) == expected) }

  @Test(arguments: [(900, "15"), (90, "1.5"), (0, "0"), (100, "1.7")])
  func writesSecondsAsMinutes(seconds: Double, expected: String) { #expect(Format.minutes(seconds) == expected) }

  @Test(arguments: [
    ("a & b", "a &amp; b"), ("<script>", "&lt;script&gt;"), ("\"'", "&quot;&#39;"), ("ä\n\t", "ä\n\t"),
    ("\u{0}\u{1B}", "\u{FFFD}\u{FFFD}"), ("&amp;", "&amp;amp;"),
  ])
  func escapesText(text: String, expected: String) { #expect(HTML.escaped(text) == expected) }
}
