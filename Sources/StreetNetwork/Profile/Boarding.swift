import Settings

/// The time before a ferry or a train moves.
struct Boarding: Sendable, Equatable {
  /// Seconds for tickets, queuing and boarding.
  var boarding: Double
  /// Seconds until departure: half the interval if the map has one.
  var waiting: Double
  var isWaitingKnown = false
  /// Travellers who stay on board between two ways of a line need not board again. Nil if unknown: then the way is its
  /// own line.
  var line: Line?

  enum Line: Hashable, Sendable {
    case route(Int)
    case name(String)
    case way(Int64)
  }

  /// Travellers look up rare departures and do not wait for half a day.
  private static let longestWait = 12 * 3600.0

  var seconds: Double { boarding + waiting }

  mutating func setInterval(_ seconds: Double) {
    waiting = min(seconds / 2, Boarding.longestWait)
    isWaitingKnown = true
  }
}

/// Ways that are boarded, and the time it takes.
struct BoardingRules: Sendable {
  private let ways: TagTable<Boarding>
  /// Points without boarding, though a street passes: level crossings.
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

  /// The line of a way, from its tags.
  static func line(of tags: Tags) -> Boarding.Line? { (tags["ref"] ?? tags["name"]).map { .name($0) } }

  /// Nil for a way that is not boarded.
  func boarding(_ tags: Tags) -> Boarding? {
    guard var boarding = ways.meanings(of: tags).first else { return nil }
    boarding.line = BoardingRules.line(of: tags)
    if let interval = tags["interval"].flatMap(durationSeconds) { boarding.setInterval(interval) }
    return boarding
  }
}
