import COsmium

/// What a profile says of ways whose tags are of one class (`TagStore`): looked up for the first of them.
struct WayClasses {
  private let profile: Profile
  private var facts: [Facts] = []
  private let known: Known

  /// The rules of the classes that were met so far: of one thread, and not copied with what holds it.
  private final class Known: @unchecked Sendable {
    var rules: [[(locality: Locality, rules: UsableWay?)]] = []
  }

  /// What holds anywhere on earth.
  private struct Facts {
    var isOutOfSeason: Bool
    /// Whether it may be used, or lends its name to paths along it.
    var isStreet: Bool
    var isOutlineWhereClosed: Bool
    var isSquare: Bool
    var mayBeBorder: Bool
  }

  init(_ profile: Profile) { (self.profile, known) = (profile, Known()) }

  /// The same for another thread, which has met none of the classes.
  init(sameAs other: WayClasses) { (profile, facts, known) = (other.profile, other.facts, Known()) }

  private mutating func addFacts(_ tags: Tags) {
    facts.append(
      Facts(
        isOutOfSeason: profile.isOutOfSeason(tags),
        isStreet: profile.mayUse(tags) || profile.sidepaths?.lendsName(tags) == true,
        isOutlineWhereClosed: profile.isOutline(closed: tags),
        isSquare: profile.squares?.ways.matches(tags) == true, mayBeBorder: tags[Boundaries.key] != nil))
  }

  /// What a way of the map is. `kind`: the class of its tags; `known`: how many classes there were before it.
  mutating func reading(_ way: COsmiumWay, _ kind: UInt32, _ known: Int) -> Reading {
    if kind == known { addFacts(Tags(way.tags)) }
    let facts = facts[Int(kind)]
    let isUsed = way.node_count > 1 && facts.isStreet && !(facts.isOutlineWhereClosed && way.isClosed)
    return Reading(
      isUsed: isUsed, isOutOfSeason: facts.isOutOfSeason, isSquare: isUsed && facts.isSquare,
      mayBeBorder: facts.mayBeBorder)
  }

  struct Reading {
    /// Whether it is to be kept.
    var isUsed = false
    var isOutOfSeason = false
    var isSquare = false
    var mayBeBorder = false
  }

  /// What a way is where it lies; nil where it cannot be used.
  func rules(of way: RawWays.Way, _ tags: Tags, in locality: Locality) -> UsableWay? {
    guard var rules = rules(ofClass: Int(way.kind), tags, in: locality) else { return nil }
    rules.name = profile.name(of: tags)
    rules.ref = RoadNumbers(tag: tags["ref"]).text
    rules.readStreetName(tags)
    rules.boarding?.line = BoardingRules.line(of: tags)
    return rules
  }

  private func rules(ofClass kind: Int, _ tags: Tags, in locality: Locality) -> UsableWay? {
    while known.rules.count <= kind { known.rules.append([]) }
    for known in known.rules[kind] where known.locality.isLike(locality) { return known.rules }
    var found = profile.usableWay(tags, in: locality)
    found?.readSidepath(tags, profile.sidepaths)
    known.rules[kind].append((locality, found))
    return found
  }
}

extension Locality {
  /// Whether the same rules hold.
  fileprivate func isLike(_ other: Locality) -> Bool {
    country === other.country && drivesOnLeft == other.drivesOnLeft && isBuiltUp == other.isBuiltUp
  }
}

extension COsmiumWay {
  /// Whether it encloses an area.
  var isClosed: Bool { node_count > 2 && nodes[0] == nodes[node_count - 1] }
}
