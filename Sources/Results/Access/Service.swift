/// How much can get to a station, or to a line, within each threshold: by threshold, then by measure.
package struct Service: Sendable {
  package var values: [[Double]]
  package init(thresholds: Int, measures: Int) {
    values = Array(repeating: Array(repeating: 0, count: measures), count: thresholds)
  }

  /// Adds up over the thresholds what was counted at the first one that it is within.
  package mutating func accumulate() {
    for threshold in values.indices.dropFirst() {
      for measure in values[threshold].indices { values[threshold][measure] += values[threshold - 1][measure] }
    }
  }
}
