import COsmium
import Hierarchy

/// The properties of each class of tags (`TagStore`) that are independent of the locality, evaluated for the first way
/// of the class.
struct WayClasses {
  private let profile: Profile
  private var properties: [Properties] = []

  struct Properties {
    var isOutOfSeason: Bool
    /// Whether the way may be used, or lends its name to paths along it.
    var isStreet: Bool
    var isOutlineWhereClosed: Bool
    var isSquare: Bool
    var mayBeBorder: Bool
  }

  init(_ profile: Profile) { self.profile = profile }

  /// Returns the properties of a way of the map, and whether the way is kept. `kind` is the class of its tags,
  /// `previousCount` the number of classes before the way was added.
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

/// Classifies ways by their locality. Each thread uses its own object, which caches the rules of known classes.
final class WayClassifier: @unchecked Sendable {
  private let profile: Profile
  private let localities: Localities
  /// The rules of each class of tags, evaluated for the first way of the class in each kind of locality.
  private var known: [[(locality: Locality, rules: UsableWay?)]] = []

  enum Classification: Sendable {
    case usable(UsableWay)
    /// The name is empty unless paths along the way may take it.
    case unusable(name: String, ref: String, level: WayLevel)
  }

  private init(_ profile: Profile, _ localities: Localities) {
    (self.profile, self.localities) = (profile, localities)
  }

  /// Calls `body` with the classification of each way, in map order. Each of `workers` threads classifies a few
  /// thousand ways at a time.
  static func classify(
    _ raw: RawWays, _ wayLocalities: [Locality], _ profile: Profile, _ localities: Localities, workers: Int,
    _ body: (Int, Classification) -> Void
  ) {
    let classifiers = (0..<workers).map { _ in WayClassifier(profile, localities) }
    let all = raw.ways.indices
    for start in stride(from: all.lowerBound, to: all.upperBound, by: WayClassifier.share * workers) {
      let starts = stride(
        from: start, to: min(start + WayClassifier.share * workers, all.upperBound), by: WayClassifier.share)
      let shares = zip(classifiers, starts).map {
        (classifier: $0, ways: $1..<min($1 + WayClassifier.share, all.upperBound))
      }
      let results = inParallel(shares, workers: workers) { share in
        share.classifier.classifications(of: share.ways, in: raw, wayLocalities)
      }
      for (share, classifications) in zip(shares, results) {
        for (index, classification) in zip(share.ways, classifications) { body(index, classification) }
      }
    }
  }

  private static let share = 8192

  private func classifications(
    of ways: Range<Int>, in raw: RawWays, _ wayLocalities: [Locality]
  ) -> [Classification] {
    var classifications: [Classification] = []
    classifications.reserveCapacity(ways.count)
    raw.forEach(raw.ways[ways]) { way, tags in
      let locality = localities.locality(of: way, wayLocalities[ways.lowerBound + classifications.count])
      if let rules = rules(of: way, tags, in: locality) {
        classifications.append(.usable(rules))
      } else {
        classifications.append(
          profile.sidepaths != nil
            ? .unusable(name: tags["name"] ?? "", ref: tags["ref"] ?? "", level: WayLevel(tags))
            : .unusable(name: "", ref: "", level: WayLevel()))
      }
    }
    return classifications
  }

  /// Returns the rules that apply to a way in its locality; nil if the way cannot be used.
  private func rules(of way: RawWays.Way, _ tags: Tags, in locality: Locality) -> UsableWay? {
    guard var rules = rules(ofClass: Int(way.kind), tags, in: locality) else { return nil }
    rules.name = profile.name(of: tags)
    rules.ref = RoadNumbers(tag: tags["ref"]).text
    rules.readStreetName(tags)
    rules.boarding?.line = BoardingRules.line(of: tags)
    return rules
  }

  private func rules(ofClass kind: Int, _ tags: Tags, in locality: Locality) -> UsableWay? {
    while known.count <= kind { known.append([]) }
    for known in known[kind] where known.locality.hasSameRules(as: locality) { return known.rules }
    var found = profile.usableWay(tags, in: locality)
    found?.readSidepath(tags, profile, in: locality)
    known[kind].append((locality, found))
    return found
  }
}
