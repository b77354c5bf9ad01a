/// Lists of names in table `job`: joined by commas; names with a comma or a quote are quoted as in CSV (RFC 4180).
package enum ListText {
  package static func joined(_ names: [String]) -> String {
    // One empty name is not an empty list.
    names == [""] ? "\"\"" : names.map(quoted).joined(separator: ",")
  }

  /// The joined names. Compares bytes: a name may begin with a combining accent, which would join the comma before it.
  package static func split(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var names: [[UInt8]] = [[]]
    var isQuoted = false
    var endsQuotes = false
    for byte in text.utf8 {
      if byte == quote {
        // A doubled quote within quotes stands for one.
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
