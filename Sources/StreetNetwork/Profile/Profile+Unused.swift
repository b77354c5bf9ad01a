import COsmium

/// Ways that look like streets and are none, or only at times.
extension Profile {
  /// Whether a way is the outline of an area: closed, and of a class that is mapped as areas.
  func isOutline(_ way: COsmiumWay, _ tags: Tags) -> Bool {
    way.isClosed && isOutline(closed: tags)
  }

  /// Whether a closed way with these tags is the outline of an area.
  func isOutline(closed tags: Tags) -> Bool { outlines.matches(tags) && tags["area"] != "no" }

  /// Whether a way exists in a season that the map does not tell.
  func isOutOfSeason(_ tags: Tags) -> Bool { seasonal.matches(tags) && seasonalClosing(tags) == nil }

  /// When a seasonal way is closed: outside its hours, and whenever a trip has no date; nil for all others.
  func seasonalClosing(_ tags: Tags) -> String? {
    guard seasonal.matches(tags), let hours = tags["opening_hours"].flatMap({ Condition($0) }) else { return nil }
    return Closing.text(isUsuallyClosed: true, [(false, hours)])
  }
}
