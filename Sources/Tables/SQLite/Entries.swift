/// A key of table `job`.
package protocol EntryKey: Hashable, Sendable {
  var rawValue: String { get }
}

/// The entries of table `job`, in the order in which they were set. Values are stored as text and read as typed values.
package struct Entries<Key: EntryKey>: Sendable {
  package private(set) var keys: [Key] = []
  private var values: [Key: String] = [:]

  package init() {}

  package subscript(_ key: Key) -> String? {
    get { values[key] }
    set {
      if values[key] == nil, newValue != nil { keys.append(key) }
      if newValue == nil { keys.removeAll { $0 == key } }
      values[key] = newValue
    }
  }

  /// Sets a value; nil is stored as empty text.
  package mutating func set(_ key: Key, _ value: String?) { self[key] = value ?? "" }
  package mutating func set(_ key: Key, _ value: Int) { self[key] = String(value) }
  package mutating func set(_ key: Key, _ value: Double) { self[key] = String(value) }
  package mutating func set(_ key: Key, _ value: Bool) { self[key] = String(value) }
  package mutating func set(_ key: Key, _ list: [String]) { self[key] = ListText.joined(list) }

  /// Sets a duration, which is stored in seconds.
  package mutating func set(_ key: Key, milliseconds: UInt32?) {
    self[key] = milliseconds.map(SecondsText.text(milliseconds:)) ?? ""
  }

  /// Returns a value as text; nil if it is unset or empty.
  package func text(_ key: Key) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }
  package func integer(_ key: Key) -> Int? { values[key].flatMap { Int($0) } }
  package func number(_ key: Key) -> Double? { values[key].flatMap { Double($0) } }
  package func flag(_ key: Key) -> Bool? { values[key].flatMap { Bool($0) } }
  package func list(_ key: Key) -> [String] { ListText.split(values[key] ?? "") }
  package func integers(_ key: Key) -> [Int] { list(key).compactMap { Int($0) } }
  package func milliseconds(_ key: Key) -> UInt32? { text(key).flatMap(SecondsText.milliseconds) }

  package mutating func merge(_ other: Entries) { for key in other.keys { self[key] = other[key] } }

  package var entries: [(key: String, value: String)] { keys.map { ($0.rawValue, values[$0] ?? "") } }
}

/// Milliseconds in the format of table `job`: seconds with up to three decimals ("3600", "439.98").
package enum SecondsText {
  package static func text(milliseconds: UInt32) -> String {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    guard rest > 0 else { return String(seconds) }
    var decimals = String(String(1000 + rest).dropFirst())
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(seconds).\(decimals)"
  }

  /// Parses the format; nil for other text.
  package static func milliseconds(_ text: String) -> UInt32? {
    Double(text).flatMap { UInt32(exactly: ($0 * 1000).rounded()) }
  }
}

/// Lists of names in table `job`, joined by commas; names with a comma or a quote are quoted as in CSV (RFC 4180).
package enum ListText {
  package static func joined(_ names: [String]) -> String {
    // A list of one empty name differs from an empty list.
    names == [""] ? "\"\"" : names.map(quoted).joined(separator: ",")
  }

  /// Splits a list into its names. Compares bytes: a name may begin with a combining accent, which would combine with
  /// the preceding comma.
  package static func split(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var names: [[UInt8]] = [[]]
    var isQuoted = false
    var endsQuotes = false
    for byte in text.utf8 {
      if byte == quote {
        // A doubled quote within quotes represents a single quote.
        if endsQuotes { names[names.count - 1].append(byte) }
        endsQuotes = isQuoted
        isQuoted.toggle()
        continue
      }
      endsQuotes = false
      if byte == comma && !isQuoted { names.append([]) } else { names[names.count - 1].append(byte) }
    }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")

  private static func quoted(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == comma || $0 == quote }) else { return name }
    let bytes = name.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return "\"\(String(decoding: bytes, as: UTF8.self))\""
  }
}
