import Tables

/// A row of two runs, side by side.
struct ComparedRow {
  var item: String
  var origin: String?
  var destination: String?
  var zone: String?
  /// Nil where the run does not have the row.
  var oldStatus: RowStatus?
  var newStatus: RowStatus?
  /// Seconds, or square metres of an area; nil where there is none.
  var oldValue: Double?
  var newValue: Double?

  var difference: Double? { oldValue.flatMap { old in newValue.map { $0 - old } } }

  /// The change relative to what it was; nil unless both have a value.
  var ratio: Double? {
    guard let oldValue, let newValue else { return nil }
    return oldValue == newValue ? 0 : oldValue > 0 ? newValue / oldValue - 1 : .infinity
  }

  func change(_ threshold: ChangeThreshold, comparesAreas: Bool) -> Change {
    guard oldStatus != nil else { return .new }
    guard newStatus != nil else { return .gone }
    switch (oldValue, newValue) {
    case (nil, nil): return .same
    case (nil, _?): return .newlyReachable
    case (_?, nil): return .newlyUnreachable
    case (let old?, let new?):
      let difference = new - old
      guard abs(difference) >= threshold.amount, abs(difference) >= threshold.ratio * old, difference != 0 else {
        return .same
      }
      return difference < 0 ? (comparesAreas ? .smaller : .faster) : comparesAreas ? .larger : .slower
    }
  }
}
