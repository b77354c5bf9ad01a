/// All values of several measures, to be summarized.
package struct Measures: Sendable {
  package let scope: String
  /// A list, since searching it is faster than hashing a key.
  private var values: [(measure: Statistic.Measure, values: MeasuredValues)] = []
  private var known: (Statistic, Histogram)?

  package init(scope: String) { self.scope = scope }

  /// Creates one measure from its distribution and histogram, without individual values.
  package init(_ statistic: Statistic, _ histogram: Histogram) {
    scope = statistic.scope
    known = (statistic, histogram)
  }

  package mutating func add(_ value: Double, to measure: Statistic.Measure) {
    let index = index(of: measure)
    values[index].values.add(value)
  }

  private mutating func index(of measure: Statistic.Measure) -> Int {
    if let index = values.firstIndex(where: { $0.measure == measure }) { return index }
    values.append((measure, MeasuredValues(of: measure)))
    return values.count - 1
  }

  /// Returns the scopes of a row: the job and the row's group, if any.
  package static func scopes(of group: String?) -> [String] { ["job"] + (group.map { ["group:\($0)"] } ?? []) }

  /// Adds the values of another instance.
  package mutating func add(_ others: Measures) {
    for (measure, more) in others.values {
      let index = index(of: measure)
      values[index].values.add(more)
    }
  }

  /// Prepares this instance to be added to others: counts values where possible, sorts the rest.
  package mutating func condense() { for index in values.indices { values[index].values.condense() } }

  /// Returns these measures, with the listed ones taken from `others`.
  package func taking(_ taken: [Statistic.Measure], from others: Measures?) -> Measures {
    var all = self
    all.values.removeAll { taken.contains($0.measure) }
    all.values += others?.values.filter { taken.contains($0.measure) } ?? []
    return all
  }

  /// Returns the distribution and histogram of each measure. Groups and hours get no histogram, since there may be
  /// many.
  package func summarize() -> [(statistic: Statistic, histogram: Histogram?)] {
    let hasHistogram = !scope.hasPrefix("group:") && !scope.hasPrefix("hour:")
    let counted = Statistic.Measure.allCases.compactMap { measure -> (Statistic, Histogram?)? in
      guard let values = values.first(where: { $0.measure == measure })?.values, !values.isEmpty else { return nil }
      return values.summarize(measure, in: scope, hasHistogram: hasHistogram)
    }
    return (known.map { [($0.0, $0.1)] } ?? []) + counted
  }
}

/// The values of one measure: a list if there are few, counts if there are many and they are integer multiples of a
/// small unit.
///
/// In both cases all values are known exactly.
struct MeasuredValues: Sendable {
  /// Units per unit of the measure: 100 for metres counted in centimetres. Nil if values are not counted.
  private let unitsPerOne: Double?
  private var list: [Double] = []
  private var counts: WholeCounts?

  /// The number of listed values at which counting is attempted.
  private static let maximumListed = 4096

  package init(of measure: Statistic.Measure) { unitsPerOne = measure.unitsPerOne }

  mutating func condense() {
    // Counters for few values would be larger than the list.
    if list.count >= 256 { countList() }
    list.sort()
  }

  /// Adds the values of another instance of the same measure.
  mutating func add(_ others: MeasuredValues) {
    if unitsPerOne == nil { list += others.list } else { for value in others.list { add(value) } }
    guard let unitsPerOne, let more = others.counts else { return }
    if counts == nil && list.count < MeasuredValues.maximumListed { countList() }
    if counts != nil { return counts!.add(more) }
    more.forEach { number, count in
      for _ in 0..<count { add(Double(number) / unitsPerOne) }
    }
  }

  package var isEmpty: Bool { list.isEmpty && counts == nil }

  package mutating func add(_ value: Double) {
    guard let unitsPerOne, counts != nil else {
      list.append(value)
      if list.count == MeasuredValues.maximumListed { countList() }
      return
    }
    if let number = MeasuredValues.whole(value, unitsPerOne) {
      counts?.add(number)
    } else {
      // Not a multiple of the unit: from now on values are listed.
      list = sorted
      counts = nil
      list.append(value)
    }
  }

  private mutating func countList() {
    guard let unitsPerOne, counts == nil else { return }
    var counts = WholeCounts()
    for value in list {
      guard let number = MeasuredValues.whole(value, unitsPerOne) else { return }
      counts.add(number)
    }
    self.counts = counts
    list = []
  }

  /// Returns the number of units that equals `value` bit for bit; nil if there is none.
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

  /// Returns the distribution and, if requested, the histogram.
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
    // Added in ascending order, so that the mean does not depend on how values were stored.
    var sum = 0.0
    forEach { value, count in for _ in 0..<count { sum += value } }
    let statistic = Statistic(scope: scope, measure: measure, count: count, sum: sum, at: value)
    guard hasHistogram else { return (statistic, nil) }
    var histogram = Histogram(
      scope: scope, measure, minimum: value(0), p99: value(min(count - 1, count * 99 / 100)),
      maximum: value(count - 1))
    forEach { histogram.add($0, count: $1) }
    return (statistic, histogram)
  }
}

extension Statistic.Measure {
  /// The number of units per unit of the measure, if values are integer multiples of a smaller unit.
  fileprivate var unitsPerOne: Double? {
    switch self {
    case .distance, .stepLength: 100
    case .expectedTravelTime: 1000
    case .stepCount: 1
    case .speed, .detour, .timeRatio, .snapDistance, .sigma, .dwellTime, .area: nil
    }
  }
}

/// The exact counts of many whole numbers, in memory bounded by their range.
///
/// Numbers are counted on pages of 4,096 consecutive numbers. A page lists its numbers at two bytes each while they are
/// few, and later has a counter for each number.
struct WholeCounts: Sendable {
  package private(set) var count = 0
  private var pages: [Page] = []

  private static let (pageBits, pageNumbers, maximumListed) = (12, 1 << 12, 1 << 13)

  private struct Page: Sendable {
    var count = 0
    /// The low bits of the page's numbers; empty once they are counted.
    var listed: [UInt16] = []
    var counters: [Int] = []

    mutating func add(_ low: UInt16) {
      count += 1
      if !counters.isEmpty {
        counters[Int(low)] += 1
      } else {
        listed.append(low)
        countMany()
      }
    }

    mutating func add(_ other: Page) {
      count += other.count
      listed += other.listed
      if !counters.isEmpty || !other.counters.isEmpty {
        counters = counted
        listed = []
        for (low, count) in other.counters.enumerated() { counters[low] += count }
      }
      countMany()
    }

    private mutating func countMany() {
      guard listed.count >= WholeCounts.maximumListed else { return }
      counters = counted
      listed = []
    }

    /// The count of each number of the page.
    var counted: [Int] {
      var counters = counters.isEmpty ? [Int](repeating: 0, count: WholeCounts.pageNumbers) : counters
      for low in listed { counters[Int(low)] += 1 }
      return counters
    }
  }

  package mutating func add(_ number: UInt32) {
    let page = Int(number >> UInt32(WholeCounts.pageBits))
    while pages.count <= page { pages.append(Page()) }
    pages[page].add(UInt16(number & UInt32(WholeCounts.pageNumbers - 1)))
    count += 1
  }

  mutating func add(_ other: WholeCounts) {
    while pages.count < other.pages.count { pages.append(Page()) }
    for (index, page) in other.pages.enumerated() where page.count > 0 { pages[index].add(page) }
    count += other.count
  }

  /// Visits each distinct number with its count, in ascending order.
  package func forEach(_ body: (UInt32, Int) -> Void) {
    for (index, page) in pages.enumerated() where page.count > 0 {
      for (low, count) in page.counted.enumerated() where count > 0 {
        body(UInt32(index << WholeCounts.pageBits + low), count)
      }
    }
  }

  /// The number at a zero-based rank in ascending order.
  package subscript(rank: Int) -> UInt32 {
    precondition(rank >= 0 && rank < count, "no such rank")
    var before = 0
    for (index, page) in pages.enumerated() {
      guard rank >= before + page.count else {
        for (low, count) in page.counted.enumerated() {
          before += count
          if rank < before { return UInt32(index << WholeCounts.pageBits + low) }
        }
        break
      }
      before += page.count
    }
    preconditionFailure("counts of pages do not add up")
  }
}
