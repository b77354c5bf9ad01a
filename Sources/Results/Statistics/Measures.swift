/// All values of some measures, to be summarized.
package struct Measures {
  let scope: String
  private var values: [Statistic.Measure: [Double]] = [:]
  private var known: (Statistic, Histogram)?

  package init(scope: String) { self.scope = scope }

  /// What is known of a measure whose single values are not kept.
  init(_ statistic: Statistic, _ histogram: Histogram) {
    scope = statistic.scope
    known = (statistic, histogram)
  }

  package mutating func add(_ value: Double, to measure: Statistic.Measure) {
    values[measure, default: []].append(value)
  }

  /// Makes room for as many values of each of some measures.
  mutating func reserveCapacity(_ count: Int, for measures: [Statistic.Measure]) {
    for measure in measures { values[measure, default: []].reserveCapacity(count) }
  }

  /// These, with some measures taken from others instead of their own.
  func taking(_ taken: [Statistic.Measure], from others: Measures?) -> Measures {
    var all = self
    for measure in taken { all.values[measure] = others?.values[measure] }
    return all
  }

  /// The distribution of each measure, and its histogram; no histogram of groups and hours, of which there may
  /// be many.
  package func summarize() -> [(statistic: Statistic, histogram: Histogram?)] {
    let counted = Statistic.Measure.allCases.compactMap { measure -> (Statistic, Histogram?)? in
      guard let sorted = values[measure]?.sorted(), !sorted.isEmpty else { return nil }
      let statistic = Statistic(scope: scope, measure: measure, sorted: sorted)
      guard !scope.hasPrefix("group:"), !scope.hasPrefix("hour:") else { return (statistic, nil) }
      var histogram = Histogram(
        scope: scope, measure, least: sorted.first!, usual: sorted[min(sorted.count - 1, sorted.count * 99 / 100)],
        greatest: sorted.last!)
      for value in sorted { histogram.add(value) }
      return (statistic, histogram)
    }
    return (known.map { [($0.0, $0.1)] } ?? []) + counted
  }
}
