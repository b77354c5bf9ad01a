/// The values of one measure: a list of few, counts of many that are whole numbers of a small unit.
///
/// Either way all values are known exactly.
struct MeasuredValues {
  /// How many units the measure's values are counted in: 100 for metres in centimetres. Nil where they are not.
  private let unitsPerOne: Double?
  private var list: [Double] = []
  private var counts: WholeCounts?

  /// Values that are listed before it is tried to count them.
  private static let mostListed = 4096

  package init(of measure: Statistic.Measure) { unitsPerOne = measure.unitsPerOne }

  package mutating func reserveCapacity(_ count: Int) { if unitsPerOne == nil { list.reserveCapacity(count) } }

  package var isEmpty: Bool { list.isEmpty && counts == nil }

  package mutating func add(_ value: Double) {
    guard let unitsPerOne, counts != nil else {
      list.append(value)
      if list.count == MeasuredValues.mostListed { countList() }
      return
    }
    if let number = MeasuredValues.whole(value, unitsPerOne) {
      counts?.add(number)
    } else {
      // Another kind of value: from here on they are listed.
      list = sorted
      counts = nil
      list.append(value)
    }
  }

  private mutating func countList() {
    guard let unitsPerOne else { return }
    var counts = WholeCounts()
    for value in list {
      guard let number = MeasuredValues.whole(value, unitsPerOne) else { return }
      counts.add(number)
    }
    self.counts = counts
    list = []
  }

  /// The whole number of units that is `value` bit for bit; nil where none is.
  private static func whole(_ value: Double, _ unitsPerOne: Double) -> UInt32? {
    guard let number = UInt32(exactly: (value * unitsPerOne).rounded()), value.sign == .plus,
      Double(number) / unitsPerOne == value
    else { return nil }
    return number
  }

  /// All values in ascending order.
  private var sorted: [Double] {
    guard let counts, let unitsPerOne else { return list.sorted() }
    var values: [Double] = []
    values.reserveCapacity(counts.count + 1)
    counts.forEach { values += repeatElement(Double($0) / unitsPerOne, count: $1) }
    return values
  }

  /// The distribution, and the histogram where one is wanted.
  package func summarize(_ measure: Statistic.Measure, in scope: String, hasHistogram: Bool) -> (Statistic, Histogram?)
  {
    guard let counts, let unitsPerOne else {
      let sorted = sorted
      return MeasuredValues.summarize(measure, in: scope, hasHistogram, count: sorted.count) {
        sorted[$0]
      } forEach: { body in
        for value in sorted { body(value, 1) }
      }
    }
    return MeasuredValues.summarize(measure, in: scope, hasHistogram, count: counts.count) {
      Double(counts[$0]) / unitsPerOne
    } forEach: { body in
      counts.forEach { body(Double($0) / unitsPerOne, $1) }
    }
  }

  private static func summarize(
    _ measure: Statistic.Measure, in scope: String, _ hasHistogram: Bool, count: Int, at value: (Int) -> Double,
    forEach: ((Double, Int) -> Void) -> Void
  ) -> (Statistic, Histogram?) {
    // Added one by one in ascending order, so that a mean does not depend on how its values were kept.
    var sum = 0.0
    forEach { value, count in for _ in 0..<count { sum += value } }
    let statistic = Statistic(scope: scope, measure: measure, count: count, sum: sum, at: value)
    guard hasHistogram else { return (statistic, nil) }
    var histogram = Histogram(
      scope: scope, measure, least: value(0), usual: value(min(count - 1, count * 99 / 100)),
      greatest: value(count - 1))
    forEach { histogram.add($0, count: $1) }
    return (statistic, histogram)
  }
}

extension Statistic.Measure {
  /// How many units the tables' values are whole numbers of, where they are.
  fileprivate var unitsPerOne: Double? {
    switch self {
    case .distance, .stepLength: 100
    case .expectedTravelTime: 1000
    case .stepCount: 1
    case .speed, .detour, .timeRatio, .snapDistance, .sigma, .dwellTime, .area: nil
    }
  }
}
