import Tables

extension ComparisonDatabase {
  /// The changes in one sentence: "Within 10 min: 37 % of people instead of 53 % (−16 points)."
  package var headline: String {
    get throws {
      let counts = try counts()
      let changed = counts.filter { $0.change != .same }
      let rows = counts.reduce(0) { $0 + $1.rows }
      guard !changed.isEmpty else { return "Nothing changed\(facts.difference.map { ", though \($0)" } ?? "")." }
      if let share = try changeOfShare { return share }
      let kinds = changed.prefix(3).map { "\(Format.count($0.rows)) \($0.change.rawValue.replacing("_", with: " "))" }
      let number = changed.reduce(0) { $0 + $1.rows }
      let rest = changed.count > 3 ? " and others" : ""
      return "\(Format.count(number)) of \(Format.count(rows, facts.kind.noun)) changed: "
        + "\(kinds.joined(separator: ", "))\(rest)\(try typicalDifference(of: number))."
    }
  }

  /// Returns ", typically by 2 min", the median change; empty if table `change` has not all changed rows, or no times.
  private func typicalDifference(of changed: Int) throws -> String {
    guard try database.value("SELECT count(*) FROM change") == changed else { return "" }
    let differences: [Double] = try database.rows(
      """
      SELECT abs(difference) AS size FROM change WHERE difference NOT NULL ORDER BY size LIMIT 1
      OFFSET (SELECT max(0, count(difference) - 1) / 2 FROM change)
      """
    ) { try $0["size"] }
    let text = facts.comparesAreas ? Format.area : Format.duration
    return differences.first.map { "\(changed == 1 ? "," : ", typically") by \(text($0))" } ?? ""
  }

  /// The change of the first weight's share at the middle threshold, for access studies; nil for other kinds.
  private var changeOfShare: String? {
    get throws {
      let shares = try shares().filter { $0.old.share != nil && $0.new.share != nil }
      let thresholds = Set(shares.map(\.threshold)).sorted()
      guard !thresholds.isEmpty, case let threshold = thresholds[thresholds.count / 2],
        case let candidates = shares.filter({ $0.threshold == threshold }),
        let share = candidates.first(where: { $0.measure != AccessPlaces.originsMeasure }) ?? candidates.first,
        let old = share.old.share, let new = share.new.share
      else { return nil }
      let points = Format.decimal((new - old) * 100, 1)
      let isSame = points == "0.0"
      let change =
        isSame ? ", as before" : " instead of \(Format.percent(old)) (\(new > old ? "+" : "")\(points) points)"
      let hour = share.departure.map { ", at hour \($0)" } ?? share.percentile.map { ", at percentile \($0)" } ?? ""
      return
        "Within \(Format.minutes(Double(threshold))) min\(hour): \(Format.percent(new)) of \(facts.unit(of: share.measure))\(change)."
    }
  }
}

extension JobKind {
  /// The noun for rows with a result.
  package var noun: String {
    switch self {
    case .routes, .etas, .matrix: "trip"
    case .access: "origin"
    case .isochrones: "area"
    case .traces: "trace"
    }
  }
}
