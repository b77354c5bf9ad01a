extension Double {
  /// Parses decimal notation, "nan" or "infinity"; nil for other text. `Double.init` also accepts hexadecimal digits
  /// ("0x2", "0x1.8p1") and stops at a NUL.
  // Inlinable, so that other modules specialize it: tables of places have two numbers in each row.
  @inlinable package init?(decimal text: some StringProtocol) {
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") || $0 == 0 }) else { return nil }
    self.init(text)
  }
}

extension Int {
  /// Returns the number followed by a noun, in the plural if necessary: "1 row", "12 rows".
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }

  /// The number with at least two digits, for clock times: 7 is "07".
  package var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
