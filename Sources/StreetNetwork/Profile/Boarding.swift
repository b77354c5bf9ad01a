import Settings

/// What getting on a ferry or a train takes, before it moves.
struct Boarding: Sendable, Equatable {
  /// Seconds to buy a ticket, queue and get on.
  var boarding: Double
  /// Seconds until it leaves: half its interval where the map knows one.
  var waiting: Double
  var isWaitingKnown = false
  /// Who stays on board where one way of a line ends and another starts need not board again. Nil where the map does
  /// not tell: the way is a line of its own.
  var line: Line?

  enum Line: Hashable, Sendable {
    case route(Int)
    case name(String)
    case way(Int64)
  }

  /// Who travels that rarely looks up the departure: nobody waits for half a day.
  private static let longestWait = 12 * 3600.0

  var seconds: Double { boarding + waiting }

  mutating func setInterval(_ seconds: Double) {
    waiting = min(seconds / 2, Boarding.longestWait)
    isWaitingKnown = true
  }
}

/// Which ways are boarded, and what that takes.
struct BoardingRules: Sendable {
  private let ways: TagTable<Boarding>
  /// Points at which nobody gets on, though a street passes: level crossings.
  let never: TagSet

  init(_ settings: SettingsObject) throws {
    ways = try TagTable(settings.object("ways")) { kinds, kind in
      let seconds = try kinds.object(kind)
      let boarding = Boarding(
        boarding: try seconds.seconds("boarding"),
        waiting: try seconds.seconds("waiting"))
      try seconds.finish()
      return boarding
    }
    never = try TagSet(settings.object("never"))
    try settings.finish()
  }

  /// The line that the tags of a way tell.
  static func line(of tags: Tags) -> Boarding.Line? { (tags["ref"] ?? tags["name"]).map { .name($0) } }

  /// Nil for a way that is not boarded.
  func boarding(_ tags: Tags) -> Boarding? {
    guard var boarding = ways.meanings(of: tags).first else { return nil }
    boarding.line = BoardingRules.line(of: tags)
    if let interval = tags["interval"].flatMap(durationSeconds) { boarding.setInterval(interval) }
    return boarding
  }
}
