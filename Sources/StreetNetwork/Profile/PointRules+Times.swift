/// How a point on a way is passed by the time: gates that are closed at night.
struct TimedPassage {
  var passage: PointRules.Passage
  /// When nobody passes, and who, as those of streets.
  var times = DirectionTimes(all: "")
  /// Tags about times that cannot be read.
  var unreadable: [String] = []
}

extension Profile {
  func passage(_ tags: Tags) -> TimedPassage {
    let fits = vehicle.fits(tags, by: access.classes, nil, isPoint: true)
    let usual = fits ? points.passage(tags, access) : .closed
    if points.isAboutThoseWhoCross(tags) {
      let isClosed = usual == .closed && crossings?.crossing(tags) != nil
      return TimedPassage(passage: isClosed ? .closedAcross : .open)
    }
    // Without a barrier opening_hours are those of something else that stands there.
    let isBarrier = tags["barrier"] != nil
    guard fits, isBarrier || tags.hasKey(endingWith: ":conditional") else { return TimedPassage(passage: usual) }
    var conditional = ConditionalTags(tags, for: vehicle)
    let passing = access.access(at: &conditional, nil, highway: nil, usual: usual.access)
    let hours = isBarrier ? conditional.openingHours() : nil
    let closings = [passing.closing { $0 != .forbidden }, hours].compactMap(\.self)
    let isForAll = passing.values.contains(.allowed)
    guard isForAll || passing.values.contains(.endsOnly), !closings.isEmpty || !passing.clauses.isEmpty else {
      return TimedPassage(passage: usual, unreadable: conditional.unreadable)
    }
    var times = DirectionTimes(all: "")
    times.closing = Closing.text(anyOf: closings)
    if isForAll, passing.values.contains(.endsOnly) {
      times.closingAsThrough = passing.closing { $0 == .allowed } ?? ""
      times.closingAsEnds = passing.closing { $0 == .endsOnly } ?? ""
    }
    return TimedPassage(
      passage: isForAll ? .gated : .endsOnly, times: times, unreadable: conditional.unreadable)
  }
}

extension PointRules.Passage {
  fileprivate var access: AccessRules.Access {
    switch self {
    case .open, .gated, .closedAcross: .allowed
    case .endsOnly: .endsOnly
    case .closed: .forbidden
    }
  }
}
