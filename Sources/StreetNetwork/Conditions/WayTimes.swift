import OpeningHours

/// The time-dependent properties of a way.
struct WayTimes: Equatable {
  /// Strings in the format of network files; empty if nothing depends on the time.
  var forward = DirectionTimes(all: "")
  var backward = DirectionTimes(all: "")
  /// Unreadable time-dependent tags.
  var unreadable: [String] = []
  /// The kinds of changes.
  var changes: Changes = []

  struct Changes: OptionSet, Equatable {
    let rawValue: UInt8
    /// Usually ridden, but pushed at certain times; and the reverse.
    static let pushed = Changes(rawValue: 1)
    static let ridden = Changes(rawValue: 2)
    /// The open directions change.
    static let directions = Changes(rawValue: 4)
    /// The speed limit changes.
    static let limits = Changes(rawValue: 8)
    /// Open to all at some times, and only to trips that start or end there at others.
    static let ends = Changes(rawValue: 16)
  }

  subscript(direction: Direction) -> DirectionTimes<String> {
    get { direction == .forward ? forward : backward }
    set { if direction == .forward { forward = newValue } else { backward = newValue } }
  }
}

/// The time-dependent properties of one direction: strings, or indices of names.
struct DirectionTimes<Text: Equatable & Sendable>: Equatable, Sendable {
  /// The times at which the direction is closed (`Closing`).
  var closing: Text
  /// For a way that is open to all only at certain times: the times at which it is closed to through traffic, and the
  /// times at which it is not limited to trips that start or end there.
  var closingAsThrough: Text
  var closingAsEnds: Text
  /// The speeds in this direction (`ConditionalLimits`).
  var limits: Text

  /// Whether the direction is open to all only at certain times.
  var isRestrictedAtTimes: Bool { closingAsThrough != closingAsEnds }

  init(all text: Text) { (closing, closingAsThrough, closingAsEnds, limits) = (text, text, text, text) }
}

/// The time-dependent properties of a piece: indices of names.
struct PieceTimes: Equatable {
  var forward = DirectionTimes<UInt32>(all: 0)
  var backward = DirectionTimes<UInt32>(all: 0)

  subscript(isReversed isReversed: Bool) -> DirectionTimes<UInt32> { isReversed ? backward : forward }

  var reversed: PieceTimes { PieceTimes(forward: backward, backward: forward) }
}

/// The number of time-dependent ways, by kind of change.
package struct TimedWayCounts: Sendable, BitwiseCopyable {
  /// Usually ridden, but pushed at certain times; and the reverse.
  package private(set) var pushed: UInt32 = 0
  package private(set) var ridden: UInt32 = 0
  /// Open in different directions at different times.
  package private(set) var directions: UInt32 = 0
  /// With conditional speed limits.
  package private(set) var limits: UInt32 = 0
  /// Limited at certain times to trips that start or end there.
  package private(set) var ends: UInt32 = 0

  mutating func count(_ changes: WayTimes.Changes) {
    if changes.contains(.pushed) { pushed += 1 }
    if changes.contains(.ridden) { ridden += 1 }
    if changes.contains(.directions) { directions += 1 }
    if changes.contains(.limits) { limits += 1 }
    if changes.contains(.ends) { ends += 1 }
  }
}

extension OSMImport {
  mutating func times(of way: WayTimes) -> PieceTimes {
    PieceTimes(forward: names(way.forward), backward: names(way.backward))
  }

  mutating func names(_ strings: DirectionTimes<String>) -> DirectionTimes<UInt32> {
    var names = DirectionTimes<UInt32>(all: index(ofClosing: strings.closing))
    names.closingAsThrough = index(ofClosing: strings.closingAsThrough)
    names.closingAsEnds = index(ofClosing: strings.closingAsEnds)
    names.limits = index(ofName: strings.limits)
    return names
  }
}

extension StreetTable {
  /// Returns the times at which a street is closed in a direction, in the format of `Closing`; empty if never.
  func closings(of street: DirectedStreet, _ names: [String]) -> DirectionTimes<String> {
    let times = hours[Int(street.street.index)][isReversed: street.isReversed]
    var strings = DirectionTimes(all: "")
    guard times != DirectionTimes(all: 0) else { return strings }
    let place = sunPlace(of: street.street)
    func text(_ name: UInt32) -> String { name == 0 ? "" : Closing.text(names[Int(name)], at: place) }
    strings.closing = text(times.closing)
    strings.closingAsThrough = text(times.closingAsThrough)
    strings.closingAsEnds = text(times.closingAsEnds)
    return strings
  }

  func sunPlace(of street: StreetID) -> SunPlace {
    SunPlace(points[Int(streets[Int(street.index)].firstPoint)].coordinate)
  }

  var conditionalLimits: [ConditionalLimits.Entry] {
    hours.enumerated().flatMap { street, times in
      [false, true].filter { times[isReversed: $0].limits != 0 }.map { isReversed in
        ConditionalLimits.Entry(
          street: DirectedStreet(StreetID(street), isReversed: isReversed), limits: times[isReversed: isReversed].limits
        )
      }
    }
  }
}
