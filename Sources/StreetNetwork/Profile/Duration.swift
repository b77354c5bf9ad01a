/// Seconds of a `duration=*` tag: minutes (`15`, `15 min`), `1:30`, `1:30:00`, ISO 8601 (`PT1H30M`, `P1D`), `1 h`.
/// Nil where the text is none of these, or says zero.
func durationSeconds(_ text: String) -> Double? {
  let text = text.lowercased().filter { !$0.isWhitespace }
  let seconds = text.contains(":") ? clockSeconds(text) : unitSeconds(text)
  return seconds.flatMap { $0 > 0 ? $0 : nil }
}

private func clockSeconds(_ text: String) -> Double? {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0) }
  guard (2...3).contains(parts.count), !parts.contains(nil) else { return nil }
  let numbers = parts.map { Double($0!) } + [0]
  return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
}

private func unitSeconds(_ text: String) -> Double? {
  let units = [
    "d": 86_400.0, "h": 3600, "hour": 3600, "hours": 3600, "hr": 3600, "m": 60, "min": 60, "mins": 60,
    "minute": 60, "minutes": 60, "": 60, "s": 1, "sec": 1, "seconds": 1,
  ]
  var rest = Substring(text)
  if rest.first == "p" { rest.removeFirst() }
  var seconds = 0.0
  while !rest.isEmpty {
    if rest.first == "t" { rest.removeFirst() }
    let number = rest.prefix { $0.isNumber || $0 == "." }
    rest = rest.dropFirst(number.count)
    let unit = rest.prefix { $0.isLetter && $0 != "t" }
    rest = rest.dropFirst(unit.count)
    guard let value = Double(number), let factor = units[String(unit)] else { return nil }
    seconds += value * factor
  }
  return seconds
}
