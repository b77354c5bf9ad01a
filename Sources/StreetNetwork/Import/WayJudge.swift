/// Decides what ways are where they lie: one per thread.
struct WayJudge {
  private var classes: WayClasses
  private let localities: Localities
  /// Whether the names of ways that cannot be used count.
  private let keepsNames: Bool

  enum Judgement: Sendable {
    case usable(UsableWay)
    case unusable(name: String, ref: String)
  }

  init(_ classes: WayClasses, _ localities: Localities, keepsNames: Bool) {
    (self.classes, self.localities, self.keepsNames) = (classes, localities, keepsNames)
  }

  mutating func judgements(
    on ways: Range<Int>, in raw: RawWays, _ answers: [CountryFinder.Answer]
  ) -> [Judgement] {
    var judgements: [Judgement] = []
    judgements.reserveCapacity(ways.count)
    raw.forEach(raw.ways[ways]) { way, tags in
      let locality = localities.locality(of: way, answers[ways.lowerBound + judgements.count])
      if let rules = classes.rules(of: way, tags, in: locality) {
        judgements.append(.usable(rules))
      } else if keepsNames {
        judgements.append(.unusable(name: tags["name"] ?? "", ref: tags["ref"] ?? ""))
      } else {
        judgements.append(.unusable(name: "", ref: ""))
      }
    }
    return judgements
  }
}
