import OpeningHours

/// Formats for pages, pictures and the terminal, independent of the locale. `base.js` uses the same formats.
package enum Format {
  /// Returns a number with `places` decimals, and thousands separators if it has five or more digits.
  package static func decimal(_ value: Double, _ places: Int = 0) -> String {
    let scale = [1.0, 10, 100, 1000][places]
    guard value.isFinite, abs(value) * scale < 9e15 else { return "–" }
    let rounded = Int64((value * scale).rounded())
    var whole = String(rounded.magnitude / UInt64(scale))
    if whole.count > 4 {
      var grouped = ""
      for (index, digit) in whole.enumerated() {
        if index > 0 && (whole.count - index) % 3 == 0 { grouped += "\u{202F}" }
        grouped.append(digit)
      }
      whole = grouped
    }
    let decimals = String(rounded.magnitude % UInt64(scale))
    let fraction = places == 0 ? "" : "." + String(repeating: "0", count: places - decimals.count) + decimals
    return (rounded < 0 ? "−" : "") + whole + fraction
  }

  /// Returns a name for use in a sentence, wrapped in Unicode's FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE unless
  /// all letters are left-to-right: Arabic names and overrides must not affect the order of the surrounding text.
  package static func isolated(_ text: String) -> String {
    text.unicodeScalars.contains(where: isRightToLeft) ? "\u{2068}\(text)\u{2069}" : text
  }

  /// Returns whether a letter belongs to a right-to-left script: Hebrew, Arabic and others (the ranges that Unicode's
  /// bidirectional algorithm reserves for them), or is a directional mark, embedding or override.
  private static func isRightToLeft(_ letter: Unicode.Scalar) -> Bool {
    switch letter.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF, 0x200F, 0x202A...0x202E:
      true
    default: false
    }
  }

  /// Returns a sum of weights, rounded to a whole number from ten; below ten with two significant digits, unless whole.
  package static func weight(_ value: Double) -> String {
    decimal(value, value >= 9.95 || value == value.rounded() ? 0 : value >= 0.995 ? 1 : value >= 0.0995 ? 2 : 3)
  }

  /// Returns a count, with thousands separators if it has five or more digits.
  package static func count(_ value: Int) -> String { decimal(Double(value)) }

  /// Returns text such as "12 345 of 20 000".
  package static func count(_ part: Int, of all: Int) -> String { "\(count(part)) of \(count(all))" }

  /// Returns text such as "1 trip", "12 345 trips".
  package static func count(_ value: Int, _ noun: String) -> String {
    "\(count(value)) \(noun)\(value == 1 ? "" : "s")"
  }

  /// Returns a share as a percentage: "53 %", below ten "7.6 %"; "none" and "100 %" only if exact.
  package static func percent(_ share: Double) -> String {
    switch share * 100 {
    case 0: "none"
    case ..<0: "−" + percent(-share)
    case ..<0.05: "under 0.1 %"
    case ..<9.95: decimal(share * 100, 1) + " %"
    case 99.5..<100: "over 99 %"
    default: decimal(share * 100) + " %"
    }
  }

  /// Returns seconds as minutes: "12.5". Common thresholds are exact: "7.25".
  package static func minutes(_ seconds: Double) -> String {
    func divides(_ unit: Double) -> Bool { seconds.truncatingRemainder(dividingBy: unit) == 0 }
    return decimal(seconds / 60, divides(60) ? 0 : divides(6) || !divides(3) ? 1 : 2)
  }

  /// Returns a duration in seconds as text: "42 s", "7.5 min", "38 min", "1 h 37 min".
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 9e15 else { return "–" }
    if seconds < 59.5 { return decimal(seconds) + " s" }
    let tenths = (seconds / 6).rounded()
    if tenths < 100 { return decimal(tenths / 10, tenths.truncatingRemainder(dividingBy: 10) == 0 ? 0 : 1) + " min" }
    let minutes = (seconds / 60).rounded()
    if minutes < 60 { return decimal(minutes) + " min" }
    let rest = minutes.truncatingRemainder(dividingBy: 60)
    return decimal((minutes / 60).rounded(.down)) + " h" + (rest > 0 ? " \(decimal(rest)) min" : "")
  }

  /// Returns a length in metres as text: "850 m", "4.2 km", "41 km".
  package static func length(_ metres: Double) -> String {
    if metres < 999.5 { return decimal(metres) + " m" }
    let tenths = (metres / 100).rounded()
    return decimal(tenths / 10, tenths < 100 && tenths.truncatingRemainder(dividingBy: 10) != 0 ? 1 : 0) + " km"
  }

  /// Returns an area in square metres as text, small ones with two significant digits: "72 km²", "0.85 km²".
  package static func area(_ squareMetres: Double) -> String {
    guard squareMetres >= 9500 else { return decimal(squareMetres) + " m²" }
    let kilometres = squareMetres / 1_000_000
    return decimal(kilometres, kilometres < 0.0995 ? 3 : kilometres < 0.995 ? 2 : kilometres < 9.95 ? 1 : 0) + " km²"
  }

  /// Returns an ISO 8601 instant in readable form: "Mon 13 May 2019, 14:00"; other texts are returned unchanged.
  package static func moment(_ text: String) -> String {
    let parts = text.split(separator: "T", maxSplits: 1)
    guard parts.count == 2, let day = CalendarDay(String(parts[0])) else { return text }
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][day.weekday]
    return "\(weekday) \(self.day(text)), \(parts[1].prefix(5))"
  }

  /// Returns the day of an ISO 8601 date or instant in readable form: "13 May 2019"; other texts are returned
  /// unchanged.
  package static func day(_ text: String) -> String {
    guard let day = CalendarDay(String(text.prefix(10))) else { return text }
    let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][day.month - 1]
    return "\(day.day) \(month) \(day.year)"
  }
}
