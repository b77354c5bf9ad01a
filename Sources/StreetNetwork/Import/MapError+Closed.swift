import COsmium

extension MapError {
  /// Says that nobody who travels by `profile` can use the map, and why: what its ways are, or `reason` where some would
  /// be open. Reads the map once more; only errors take the time.
  init(noWayOpenIn source: OSMSource, for profile: Profile, because reason: String? = nil) {
    let mode = profile.transportType.rawValue
    let who = profile.name == mode ? "" : " under profile \(profile.name)"
    self.init(
      map: source.name,
      problem: "no way in this map is open to \(mode)\(who): \(reason ?? MapError.kindsOfWays(in: source, profile))")
  }

  /// "its ways are 12 highway=footway, 3 highway=steps and 2 others".
  private static func kindsOfWays(in source: OSMSource, _ profile: Profile) -> String {
    var counts: [String: Int] = [:]
    // The map has been read before: what cannot be read has been said then.
    _ = try? source.readWays(having: profile.wayKeys) { object in
      guard case .way(let way) = object else { return }
      let tags = Tags(way.tags)
      guard let (key, value) = profile.wayKeys.lazy.compactMap({ key in tags[key].map { (key, $0) } }).first else {
        return
      }
      let closed = profile.mayUse(tags) ? " without a second node" : ""
      counts["\(key)=\(value)\(closed)", default: 0] += 1
    }
    guard !counts.isEmpty else {
      return "it has no ways with \(profile.wayKeys.map { $0 + "=*" }.joined(separator: " or "))"
    }
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    let others = counts.values.reduce(0, +) - counts.values.sorted(by: >).prefix(3).reduce(0, +)
    return "its ways are " + kinds.prefix(3).joined(separator: ", ") + (others > 0 ? " and \(others) others" : "")
  }
}
