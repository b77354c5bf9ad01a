import COsmium
import Hierarchy

/// A profile's rules for each class of tags (`TagStore`), evaluated for the first way of the class.
struct WayClasses {
  private let profile: Profile
  private var facts: [Facts] = []
  private let known: Known

  /// The rules of known classes, used by one thread and not copied with their owner.
  private final class Known: @unchecked Sendable {
    var rules: [[(locality: Locality, rules: UsableWay?)]] = []
  }

  /// The properties that are independent of the locality.
  private struct Facts {
    var isOutOfSeason: Bool
    /// Whether it may be used, or lends its name to paths along it.
    var isStreet: Bool
    var isOutlineWhereClosed: Bool
    var isSquare: Bool
    var mayBeBorder: Bool
  }

  init(_ profile: Profile) { (self.profile, known) = (profile, Known()) }

  /// Creates a copy for another thread, without known rules.
  init(sameAs other: WayClasses) { (profile, facts, known) = (other.profile, other.facts, Known()) }

  private mutating func addFacts(_ tags: Tags) {
    facts.append(
      Facts(
        isOutOfSeason: profile.isOutOfSeason(tags),
        isStreet: profile.mayUse(tags) || profile.sidepaths?.lendsName(tags) == true,
        isOutlineWhereClosed: profile.isOutline(closed: tags),
        isSquare: profile.squares?.ways.matches(tags) == true, mayBeBorder: tags[Boundaries.key] != nil))
  }

  /// Classifies a way of the map. `kind` is the class of its tags, `known` the number of classes before it was added.
  mutating func reading(_ way: COsmiumWay, _ kind: UInt32, _ known: Int) -> Reading {
    if kind == known { addFacts(Tags(way.tags)) }
    let facts = facts[Int(kind)]
    let isUsed = way.node_count > 1 && facts.isStreet && !(facts.isOutlineWhereClosed && way.isClosed)
    return Reading(
      isUsed: isUsed, isOutOfSeason: facts.isOutOfSeason, isSquare: isUsed && facts.isSquare,
      mayBeBorder: facts.mayBeBorder)
  }

  struct Reading {
    /// Whether the way is kept.
    var isUsed = false
    var isOutOfSeason = false
    var isSquare = false
    var mayBeBorder = false
  }

  /// Returns the properties of a way at its locality; nil if it cannot be used.
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
  /// Returns whether the same rules apply in both localities.
  fileprivate func isLike(_ other: Locality) -> Bool {
    country === other.country && drivesOnLeft == other.drivesOnLeft && isBuiltUp == other.isBuiltUp
  }
}

extension COsmiumWay {
  /// Whether its first node is also its last, so that it may enclose an area.
  var isClosed: Bool { node_count > 2 && nodes[0] == nodes[node_count - 1] }
}

/// Classifies ways by their locality; each thread uses its own instance.
struct WayClassifier {
  private let classes: WayClasses
  private let localities: Localities
  /// Whether the names of unusable ways are kept.
  private let keepsNames: Bool

  enum Judgement: Sendable {
    case usable(UsableWay)
    case unusable(name: String, ref: String, level: WayLevel)
  }

  init(_ classes: WayClasses, _ localities: Localities, keepsNames: Bool) {
    (self.classes, self.localities, self.keepsNames) = (classes, localities, keepsNames)
  }

  /// Calls `body` with the classification of each way, in map order. Each of `workers` threads classifies a few
  /// thousand ways at a time, and caches the rules of known classes.
  func judge(
    _ raw: RawWays, _ answers: [CountryFinder.Answer], workers: Int, _ body: (Int, Judgement) -> Void
  ) {
    let judges = (0..<workers).map { _ in
      WayClassifier(WayClasses(sameAs: classes), localities, keepsNames: keepsNames)
    }
    let all = raw.ways.indices
    for start in stride(from: all.lowerBound, to: all.upperBound, by: WayClassifier.share * workers) {
      let starts = stride(
        from: start, to: min(start + WayClassifier.share * workers, all.upperBound), by: WayClassifier.share)
      let shares = zip(judges, starts).map { (judge: $0, ways: $1..<min($1 + WayClassifier.share, all.upperBound)) }
      let judged = inParallel(shares, workers: workers) { share in
        share.judge.judgements(on: share.ways, in: raw, answers)
      }
      for (share, judgements) in zip(shares, judged) {
        for (index, judgement) in zip(share.ways, judgements) { body(index, judgement) }
      }
    }
  }

  private static let share = 8192

  private func judgements(
    on ways: Range<Int>, in raw: RawWays, _ answers: [CountryFinder.Answer]
  ) -> [Judgement] {
    var judgements: [Judgement] = []
    judgements.reserveCapacity(ways.count)
    raw.forEach(raw.ways[ways]) { way, tags in
      let locality = localities.locality(of: way, answers[ways.lowerBound + judgements.count])
      if let rules = classes.rules(of: way, tags, in: locality) {
        judgements.append(.usable(rules))
      } else {
        judgements.append(
          keepsNames
            ? .unusable(name: tags["name"] ?? "", ref: tags["ref"] ?? "", level: WayLevel(tags))
            : .unusable(name: "", ref: "", level: WayLevel()))
      }
    }
    return judgements
  }
}
