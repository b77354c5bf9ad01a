/// How a point on a way is passed by the time: gates that are closed at night.
struct TimedPassage {
  var passage: PointRules.Passage
  /// When nobody passes, as the text of a `Closing`; empty for never.
  var closing = ""
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
    guard fits, tags["barrier"] != nil else { return TimedPassage(passage: usual) }
    var conditional = ConditionalTags(tags, for: vehicle)
    let passing = access.access(at: &conditional, nil, highway: nil, usual: usual.access)
    let closings = [passing.closing { $0 != .forbidden }, conditional.openingHours()].compactMap(\.self)
    guard let whenOpen = passing.whenOpen, !closings.isEmpty else {
      return TimedPassage(passage: usual, unreadable: conditional.unreadable)
    }
    return TimedPassage(
      passage: whenOpen == .endsOnly ? .endsOnly : .gated, closing: Closing.text(anyOf: closings),
      unreadable: conditional.unreadable)
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
