/// Sizes and weights as tags have them: `3.8`, `3.8 m`, `380 cm`, `12'6"`, `12 ft`, `7.5`, `16535 lbs`, `10 st`.
enum TaggedSize {
  private static let metres = [
    "": 1, "m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1, "mt": 1, "cm": 0.01, "mm": 0.001, "ft": 0.3048,
    "feet": 0.3048, "'": 0.3048, "in": 0.0254, "\"": 0.0254, "''": 0.0254,
  ]
  private static let tonnes = [
    "": 1, "t": 1, "ton": 1, "tons": 1, "tonnes": 1, "to": 1, "kg": 0.001, "st": 0.907_184_74, "lbs": 0.000_453_592_37,
    "lb": 0.000_453_592_37, "lt": 1.016_046_908_8, "cwt": 0.050_802_345_44,
  ]

  /// In metres or tonnes; infinite for what says that there is no limit; nil for what says nothing (`default`, `0`).
  static func size(_ text: String, isWeight: Bool) -> Double? {
    // Thousands of small units: 16,000 lbs, 4,000 mm.
    let text = text.lowercased().replacing(/(\d),(\d\d\d)(?=\s*(?:lbs?|kg|mm|cm))/) { "\($0.1)\($0.2)" }
      .replacing(",", with: ".").replacing("′", with: "'").replacing("″", with: "\"")
      .filter { !$0.isWhitespace }
    if ["none", "no", "unlimited", "unsigned", "no_sign", "no_indications"].contains(text) { return .infinity }
    var rest = text[...]
    var sum: Double?
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { !($0.isASCII && ($0.isNumber || $0 == ".")) }
      rest = rest.dropFirst(unit.count)
      // Inches are often not called so behind feet: 12'6.
      let name = sum != nil && unit.isEmpty ? "\"" : String(unit)
      guard let number = Double(digits), let factor = (isWeight ? tonnes : metres)[name] else { return nil }
      // Feet and then inches, and nothing else in two parts.
      guard sum == nil || (!isWeight && factor == metres["\""]) else { return nil }
      sum = (sum ?? 0) + number * factor
    }
    return sum.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The least of a list: `3.5;7.5`, `3|3.5`.
  static func least(of text: String, isWeight: Bool) -> Double? {
    text.split { $0 == ";" || $0 == "|" }.compactMap { size(String($0), isWeight: isWeight) }.min()
  }
}
