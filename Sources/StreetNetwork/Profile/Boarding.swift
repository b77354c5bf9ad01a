import Settings

/// The time from a traveller's arrival to the departure of a ferry or a train.
struct Boarding: Sendable, Equatable {
  /// Seconds for tickets, queuing and boarding.
  var boarding: Double
  /// Seconds until departure: half the interval if the map states one.
  var waiting: Double
  var isWaitingKnown = false
  /// The line: travellers who stay on board between two of its ways need not board again. If nil, the way is a separate
  /// line; where exactly two such ways meet that are otherwise equal, they form one line.
  var line: Line?

  enum Line: Hashable, Sendable {
    case route(Int)
    case name(String)
    case way(Int64)
  }

  /// The maximum wait in seconds: travellers look up rare departures instead of waiting for half a day.
  private static let longestWait = 12 * 3600.0

  var seconds: Double { boarding + waiting }

  mutating func setInterval(_ seconds: Double) {
    waiting = min(seconds / 2, Boarding.longestWait)
    isWaitingKnown = true
  }
}

/// Ways that travellers board, and the time for boarding.
struct BoardingRules: Sendable {
  private let ways: TagTable<Boarding>
  /// Points where a street meets the way without boarding: level crossings.
  let never: TagSet

  init(_ settings: SettingsObject) throws {
    ways = try TagTable(settings.object("ways")) { kinds, kind in
      let seconds = try kinds.object(kind)
      let boarding = Boarding(boarding: try seconds.seconds("boarding"), waiting: try seconds.seconds("waiting"))
      try seconds.finish()
      return boarding
    }
    never = try TagSet(settings.object("never"))
    try settings.finish()
  }

  /// Returns the line of a way according to its tags.
  static func line(of tags: Tags) -> Boarding.Line? { (tags["ref"] ?? tags["name"]).map { .name($0) } }

  /// Returns nil for a way without boarding.
  func boarding(_ tags: Tags) -> Boarding? {
    guard var boarding = ways.meanings(of: tags).first else { return nil }
    boarding.line = BoardingRules.line(of: tags)
    if let interval = tags["interval"].flatMap(durationSeconds) { boarding.setInterval(interval) }
    return boarding
  }
}

/// Returns the value of a `duration=*` or `interval=*` tag in seconds: minutes (`15`, `15 min`), hours and minutes
/// (`1:30`, `40:00`), with seconds (`1:30:00`), ISO 8601 (`PT1H30M`, `P1DT2H`, `P1W`), `1 h`, `2 days`; for a range or
/// a list (`15-20`, `PT15M-PT20M`, `20;30`) the longest. Nil for other text and for zero.
func durationSeconds(_ text: String) -> Double? {
  let text = text.lowercased().filter { !$0.isWhitespace }
  let parts = text.split(omittingEmptySubsequences: false) { "-–—;/".contains($0) }.map { part in
    part.contains(":") ? clockSeconds(String(part)) : unitSeconds(String(part))
  }
  guard !parts.contains(where: { $0 == nil || $0 == 0 }) else { return nil }
  return parts.compactMap(\.self).max()
}

/// The longest accepted duration of a passage, in seconds.
let longestPassage = 7 * 86_400.0
/// The fastest plausible passage, in metres per second.
let fastestPassage = 130 / 3.6

private func clockSeconds(_ text: String) -> Double? {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0) }
  guard (2...3).contains(parts.count), !parts.contains(nil) else { return nil }
  let numbers = parts.map { Double($0!) } + [0]
  return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
}

private func unitSeconds(_ text: String) -> Double? {
  let units = [
    "w": 604_800.0, "week": 604_800, "weeks": 604_800, "d": 86_400, "day": 86_400, "days": 86_400,
    "h": 3600, "hour": 3600, "hours": 3600, "hr": 3600, "hrs": 3600, "m": 60, "min": 60, "mins": 60,
    "minute": 60, "minutes": 60, "": 60, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
  ]
  var rest = Substring(text)
  let isISO = rest.first == "p"
  if isISO { rest.removeFirst() }
  guard !rest.isEmpty else { return nil }
  var (seconds, isTime) = (0.0, !isISO)
  while !rest.isEmpty {
    if isISO, rest.first == "t" {
      rest.removeFirst()
      isTime = true
    }
    let number = rest.prefix { $0.isNumber || ".,".contains($0) }
    rest = rest.dropFirst(number.count)
    let unit = rest.prefix { $0.isLetter && (!isISO || $0 != "t") }
    rest = rest.dropFirst(unit.count)
    // Before the T, an M means months.
    guard let value = Double(number.replacing(",", with: ".")), let factor = units[String(unit)],
      isTime || factor >= 86_400
    else { return nil }
    seconds += value * factor
  }
  return seconds
}
