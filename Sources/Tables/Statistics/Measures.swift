/// All values of some measures, to be summarized.
package struct Measures {
  package let scope: String
  private var values: [Statistic.Measure: MeasuredValues] = [:]
  private var known: (Statistic, Histogram)?

  package init(scope: String) { self.scope = scope }

  /// What is known of a measure whose single values are not kept.
  package init(_ statistic: Statistic, _ histogram: Histogram) {
    scope = statistic.scope
    known = (statistic, histogram)
  }

  package mutating func add(_ value: Double, to measure: Statistic.Measure) {
    values[measure, default: MeasuredValues(of: measure)].add(value)
  }

  /// What a row of a group, or of none, is counted in.
  package static func scopes(of group: String?) -> [String] { ["job"] + (group.map { ["group:\($0)"] } ?? []) }

  /// Makes room for as many values of each of some measures.
  package mutating func reserveCapacity(_ count: Int, for measures: [Statistic.Measure]) {
    for measure in measures { values[measure, default: MeasuredValues(of: measure)].reserveCapacity(count) }
  }

  /// These, with some measures taken from others instead of their own.
  package func taking(_ taken: [Statistic.Measure], from others: Measures?) -> Measures {
    var all = self
    for measure in taken { all.values[measure] = others?.values[measure] }
    return all
  }

  /// The distribution of each measure, and its histogram; no histogram of groups and hours, of which there may
  /// be many.
  package func summarize() -> [(statistic: Statistic, histogram: Histogram?)] {
    let hasHistogram = !scope.hasPrefix("group:") && !scope.hasPrefix("hour:")
    let counted = Statistic.Measure.allCases.compactMap { measure -> (Statistic, Histogram?)? in
      guard let values = values[measure], !values.isEmpty else { return nil }
      return values.summarize(measure, in: scope, hasHistogram: hasHistogram)
    }
    return (known.map { [($0.0, $0.1)] } ?? []) + counted
  }
}
