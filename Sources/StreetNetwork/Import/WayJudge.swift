import Hierarchy

/// Decides what ways are where they lie: one per thread.
struct WayJudge {
  private let classes: WayClasses
  private let localities: Localities
  /// Whether the names of ways that cannot be used count.
  private let keepsNames: Bool

  enum Judgement: Sendable {
    case usable(UsableWay)
    case unusable(name: String, ref: String, level: WayLevel)
  }

  init(_ classes: WayClasses, _ localities: Localities, keepsNames: Bool) {
    (self.classes, self.localities, self.keepsNames) = (classes, localities, keepsNames)
  }

  /// Hands what each way is to `body`, in the order of the map. Each of `workers` threads judges a few thousand ways at a time,
  /// and remembers the classes that it met.
  func judge(
    _ raw: RawWays, _ answers: [CountryFinder.Answer], workers: Int, _ body: (Int, Judgement) -> Void
  ) {
    let judges = (0..<workers).map { _ in WayJudge(WayClasses(sameAs: classes), localities, keepsNames: keepsNames) }
    let all = raw.ways.indices
    for start in stride(from: all.lowerBound, to: all.upperBound, by: WayJudge.share * workers) {
      let starts = stride(from: start, to: min(start + WayJudge.share * workers, all.upperBound), by: WayJudge.share)
      let shares = zip(judges, starts).map { (judge: $0, ways: $1..<min($1 + WayJudge.share, all.upperBound)) }
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
