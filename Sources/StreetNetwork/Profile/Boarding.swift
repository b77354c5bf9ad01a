import Settings

/// The time before a ferry or a train departs.
struct Boarding: Sendable, Equatable {
  /// Seconds for tickets, queuing and boarding.
  var boarding: Double
  /// Seconds until departure: half the interval if the map states one.
  var waiting: Double
  var isWaitingKnown = false
  /// The line: travellers who stay on board between two of its ways need not board again. If nil, each way is a
  /// separate line.
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
