import Geography
import Testing

struct DecimalTests {
  @Test(arguments: ["0x2", "0x1.8p1", "7.4\u{0}21", "7.4\u{0}", ""])
  func nonDecimalTextIsNotANumber(text: String) { #expect(Double(decimal: text) == nil) }
}
