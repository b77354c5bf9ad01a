/// What holds on a way at certain times only, as texts of network files; empty for nothing.
struct WayTimes: Equatable {
  /// When it is closed (`Closing`), as it is drawn and against.
  var forwardClosing = ""
  var backwardClosing = ""
  /// Speed limits (`ConditionalLimits`).
  var forwardLimits = ""
  var backwardLimits = ""
  /// Tags about times that cannot be read.
  var unreadable: [String] = []
  /// Whether it is open to all at some times and for a trip's ends at others, and is treated as it is usually.
  var isForEndsAtTimes = false
}

extension Profile {
  /// What holds at certain times: closings of each direction, of which one is enough, and hours of the whole way.
  ///
  /// `speed`: where no limit is posted; nil where it is only walked.
  func times(
    _ conditional: inout ConditionalTags, _ forward: [String], _ backward: [String], from speed: Double?,
    isForEndsAtTimes: Bool
  ) -> WayTimes {
    let hours = [seasonalClosing(conditional.tags) ?? conditional.openingHours()].compactMap(\.self)
    var times = WayTimes(
      forwardClosing: Closing.text(anyOf: forward + hours), backwardClosing: Closing.text(anyOf: backward + hours))
    if let speed {
      times.forwardLimits = speeds.limits(at: &conditional, .forward, from: speed)
      times.backwardLimits = speeds.limits(at: &conditional, .backward, from: speed)
    }
    times.unreadable = conditional.unreadable
    times.isForEndsAtTimes = isForEndsAtTimes
    return times
  }
}

/// The same of a piece: indices of names.
struct PieceTimes: Equatable {
  var forwardClosing: UInt32 = 0
  var backwardClosing: UInt32 = 0
  var forwardLimits: UInt32 = 0
  var backwardLimits: UInt32 = 0

  func closing(isReversed: Bool) -> UInt32 { isReversed ? backwardClosing : forwardClosing }

  var reversed: PieceTimes {
    PieceTimes(
      forwardClosing: backwardClosing, backwardClosing: forwardClosing, forwardLimits: backwardLimits,
      backwardLimits: forwardLimits)
  }
}

extension OSMImport {
  mutating func times(of way: WayTimes) -> PieceTimes {
    PieceTimes(
      forwardClosing: index(ofClosing: way.forwardClosing), backwardClosing: index(ofClosing: way.backwardClosing),
      forwardLimits: index(ofName: way.forwardLimits), backwardLimits: index(ofName: way.backwardLimits))
  }
}

extension StreetTable {
  /// When a street is closed in a direction, as the text of a `Closing`; empty for never.
  func closing(of street: DirectedStreet, _ names: [String]) -> String {
    let times = hours[Int(street.street.index)]
    let name = times.closing(isReversed: street.isReversed)
    return name == 0 ? "" : Closing.text(names[Int(name)], at: sunPlace(of: street.street))
  }

  func sunPlace(of street: StreetID) -> SunPlace {
    SunPlace(points[Int(streets[Int(street.index)].firstPoint)].coordinate)
  }

  var conditionalLimits: [ConditionalLimits.Entry] {
    hours.enumerated().flatMap { street, times in
      [(times.forwardLimits, false), (times.backwardLimits, true)].filter { $0.0 != 0 }.map { limits, isReversed in
        ConditionalLimits.Entry(street: DirectedStreet(StreetID(street), isReversed: isReversed), limits: limits)
      }
    }
  }
}
