import COsmium
import Hierarchy

/// A profile's rules for each class of tags (`TagStore`), evaluated for the first way of the class.
struct WayClasses {
  private let profile: Profile
  private var properties: [Properties] = []
  private let cache: RuleCache

  /// The rules of known classes, used by one thread and not copied with their owner.
  private final class RuleCache: @unchecked Sendable {
    var rules: [[(locality: Locality, rules: UsableWay?)]] = []
  }

  /// The properties that are independent of the locality.
  struct Properties {
    var isOutOfSeason: Bool
    /// Whether it may be used, or lends its name to paths along it.
    var isStreet: Bool
    var isOutlineWhereClosed: Bool
    var isSquare: Bool
    var mayBeBorder: Bool
  }

  init(_ profile: Profile) { (self.profile, cache) = (profile, RuleCache()) }

  /// Creates a copy for another thread, without known rules.
  init(sameAs other: WayClasses) { (profile, properties, cache) = (other.profile, other.properties, RuleCache()) }

  /// Returns the properties of a way of the map, and whether the way is kept. `kind` is the class of its tags,
  /// `previousCount` the number of classes before it was added.
  mutating func properties(
    of way: COsmiumWay, _ kind: UInt32, _ previousCount: Int
  ) -> (class: Properties, isUsed: Bool) {
    if kind == previousCount {
      let tags = Tags(way.tags)
      properties.append(
        Properties(
          isOutOfSeason: profile.isOutOfSeason(tags),
          isStreet: profile.mayUse(tags) || profile.sidepaths?.lendsName(tags) == true,
          isOutlineWhereClosed: profile.isOutline(closed: tags),
          isSquare: profile.squares?.ways.matches(tags) == true, mayBeBorder: tags[Boundaries.key] != nil))
    }
    let properties = properties[Int(kind)]
    let isOutline = properties.isOutlineWhereClosed && way.isClosed
    return (properties, way.node_count > 1 && properties.isStreet && !isOutline)
  }

  /// Returns the rules that apply to a way in its locality; nil if the way cannot be used.
  func rules(of way: RawWays.Way, _ tags: Tags, in locality: Locality) -> UsableWay? {
    guard var rules = rules(ofClass: Int(way.kind), tags, in: locality) else { return nil }
    rules.name = profile.name(of: tags)
    rules.ref = RoadNumbers(tag: tags["ref"]).text
    rules.readStreetName(tags)
    rules.boarding?.line = BoardingRules.line(of: tags)
    return rules
  }

  private func rules(ofClass kind: Int, _ tags: Tags, in locality: Locality) -> UsableWay? {
    while cache.rules.count <= kind { cache.rules.append([]) }
    for known in cache.rules[kind] where known.locality.hasSameRules(as: locality) { return known.rules }
    var found = profile.usableWay(tags, in: locality)
    found?.readSidepath(tags, profile.sidepaths)
    cache.rules[kind].append((locality, found))
    return found
  }
}

extension Locality {
  /// Returns whether the same rules apply in both localities.
  fileprivate func hasSameRules(as other: Locality) -> Bool {
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

  enum Classification: Sendable {
    case usable(UsableWay)
    case unusable(name: String, ref: String, level: WayLevel)
  }

  init(_ classes: WayClasses, _ localities: Localities, keepsNames: Bool) {
    (self.classes, self.localities, self.keepsNames) = (classes, localities, keepsNames)
  }

  /// Calls `body` with the classification of each way, in map order. Each of `workers` threads classifies a few
  /// thousand ways at a time, and caches the rules of known classes.
  func classify(
    _ raw: RawWays, _ answers: [Locality], workers: Int, _ body: (Int, Classification) -> Void
  ) {
    let classifiers = (0..<workers).map { _ in
      WayClassifier(WayClasses(sameAs: classes), localities, keepsNames: keepsNames)
    }
    let all = raw.ways.indices
    for start in stride(from: all.lowerBound, to: all.upperBound, by: WayClassifier.share * workers) {
      let starts = stride(
        from: start, to: min(start + WayClassifier.share * workers, all.upperBound), by: WayClassifier.share)
      let shares = zip(classifiers, starts).map {
        (classifier: $0, ways: $1..<min($1 + WayClassifier.share, all.upperBound))
      }
      let results = inParallel(shares, workers: workers) { share in
        share.classifier.classifications(of: share.ways, in: raw, answers)
      }
      for (share, classifications) in zip(shares, results) {
        for (index, classification) in zip(share.ways, classifications) { body(index, classification) }
      }
    }
  }

  private static let share = 8192

  private func classifications(
    of ways: Range<Int>, in raw: RawWays, _ answers: [Locality]
  ) -> [Classification] {
    var classifications: [Classification] = []
    classifications.reserveCapacity(ways.count)
    raw.forEach(raw.ways[ways]) { way, tags in
      let locality = localities.locality(of: way, answers[ways.lowerBound + classifications.count])
      if let rules = classes.rules(of: way, tags, in: locality) {
        classifications.append(.usable(rules))
      } else {
        classifications.append(
          keepsNames
            ? .unusable(name: tags["name"] ?? "", ref: tags["ref"] ?? "", level: WayLevel(tags))
            : .unusable(name: "", ref: "", level: WayLevel()))
      }
    }
    return classifications
  }
}
