extension Profile {
  /// Which tag keeps a way from being used, as OpenStreetMap writes it: `access=private`. The one without which it would be
  /// used; of two that do so together both; else that of its class.
  ///
  /// - Parameter direction: The one in which it is not used; nil for either.
  func cause(closing tags: TagList, _ direction: Direction?) -> String {
    func isOpen(_ tags: TagList) -> Bool {
      tags.withTags { tags in
        (direction.map { [$0] } ?? [.forward, .backward]).contains { isUsed(tags, $0) }
      }
    }
    if isOpen(tags) { return "\(classTag(of: tags)), which is not used where it lies" }
    return cause(of: tags, isOpen)
      ?? (isOpen(tags.with("oneway", "no")) ? "\(classTag(of: tags)), which is one-way" : classTag(of: tags))
  }

  /// Which tag makes a way one for trips that start or end there alone.
  func cause(ofEndsOnly tags: TagList) -> String {
    cause(of: tags) { tags in tags.withTags { usableWay($0, in: Locality())?.isEndsOnly == false } }
      ?? "\(classTag(of: tags)), reached over private streets alone"
  }

  /// Which tags close a point, or keep through trips from passing it: `barrier=gate`.
  func cause(closingPoint tags: TagList) -> String {
    let cause = cause(of: tags) { tags in tags.withTags { passage($0).passage == .open } }
    return cause.map { cause in
      let barrier = tags["barrier"].map { "barrier=\($0)" }
      return barrier.map { cause.contains($0) ? cause : "\($0), \(cause)" } ?? cause
    } ?? tags.pairs.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }

  /// The tag, or the two, without which it would be open.
  private func cause(of tags: TagList, _ isOpen: (TagList) -> Bool) -> String? {
    func text(_ indices: Int...) -> String {
      indices.map { "\(tags.pairs[$0].key)=\(tags.pairs[$0].value)" }.joined(separator: " and ")
    }
    let indices = tags.pairs.indices
    if let one = indices.first(where: { isOpen(tags.without($0)) }) { return text(one) }
    for first in indices {
      for second in indices where second > first && isOpen(tags.without(first, second)) { return text(first, second) }
    }
    return nil
  }

  /// Whether a way would be closed if it had no tag but that of its class.
  func isClosedByClass(_ tags: TagList) -> Bool {
    var bare = tags
    bare.pairs = tags.pairs.filter { wayKeys.contains($0.key) }
    return !bare.withTags { isUsed($0, .forward) || isUsed($0, .backward) }
  }

  /// What a way is: `highway=footway`.
  func classTag(of tags: TagList) -> String {
    wayKeys.lazy.compactMap { key in tags[key].map { "\(key)=\($0)" } }.first ?? "no class"
  }
}
