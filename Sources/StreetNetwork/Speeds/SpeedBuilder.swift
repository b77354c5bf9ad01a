import Geography
import Hierarchy
import OpeningHours

/// Builds the slowness profiles of a network's streets from conditional speed limits and the rows of speed files.
/// Streets without either have the traffic of their class, or free flow.
///
/// A street with several sections has the mean of their slownesses, weighted by length. A section without data has the
/// slowness of its class, and so does a period without data, unless the file's gaps are filled by ratio (`SpeedUse`).
struct SpeedBuilder {
  private let network: StreetNetwork
  private var join: SpeedJoin
  private let traffic: TrafficTable?
  private let limits: LimitSlowness
  /// The length of a period, in slots of five minutes.
  private let period: Int
  /// The options of each file.
  private let uses: [SpeedUse]
  private var profiles: Interner<[UInt32]>
  private var byClass: [RoadClass: [Double]] = [:]
  private var classProfiles: [RoadClass: UInt32] = [:]
  private var isDuplicate: [Bool]
  private var facts = SpeedFacts()

  private var periodCount: Int { WeekHours.slotCount / period }

  init(_ join: SpeedJoin, traffic: TrafficTable?, limits: LimitSlowness, uses: [SpeedUse]) {
    (network, self.join, self.traffic, self.limits) = (join.network, join, traffic, limits)
    self.uses = uses
    period = min(join.longestPeriod, traffic?.longestPeriod ?? 12)
    profiles = Interner([Array(repeating: Slowness.one.bits, count: WeekHours.slotCount / period)])
    isDuplicate = Array(repeating: false, count: join.values.count)
  }

  /// *Throws*: `OdometerError` if rows contradict one another.
  mutating func build() throws -> (speeds: StreetSpeeds, facts: SpeedFacts) {
    let known = stretches()
    facts.kilometres = Array(repeating: 0, count: RoadClass.allCases.count)
    facts.kilometresWithData = facts.kilometres
    facts.datedLimits = limits.datedCount
    var next = 0
    var streets = [UInt32](repeating: 0, count: network.streetCount * 2)
    for index in streets.indices {
      let street = DirectedStreet(index: UInt32(index))
      let first = next
      while next < known.count, known[next].stretch.street == street { next += 1 }
      let record = network.street(street.street)
      guard record.isOpen(isReversed: street.isReversed), !record.flags.contains(.gate) else { continue }
      streets[index] = try profile(of: street, record, known[first..<next])
    }
    for (index, value) in join.values.enumerated() where isDuplicate[index] { join.countDuplicate(of: value) }
    facts.sources = join.sources
    let column = Column(profiles.values.flatMap(\.self))
    let speeds = SpeedProfiles(period: UInt32(period * 300_000), slowness: column)
    return (StreetSpeeds(speeds, streets: Column(streets)), facts)
  }

  // MARK: Rows by street

  /// A section with the indices of its values.
  private typealias SectionValues = (stretch: SpeedStretch, values: ArraySlice<Int32>)

  /// Returns the sections with values, sorted by street and point.
  private func stretches() -> [SectionValues] {
    let byMatch = Grouped<Int32>(join.matches.count) { add in
      for (index, value) in join.values.enumerated() { add(UInt32(value.match), Int32(index)) }
    }
    let known = join.matches.enumerated().flatMap { index, match in
      match.stretches.map { (stretch: $0, values: byMatch[UInt32(index)]) }
    }
    return known.sorted { a, b in
      let (a, b) = (a.stretch, b.stretch)
      return (a.street.index, a.first, a.last) < (b.street.index, b.first, b.last)
    }
  }

  // MARK: A street

  private mutating func profile(
    of street: DirectedStreet, _ record: Street, _ known: ArraySlice<SectionValues>
  ) throws -> UInt32 {
    let roadClass = network.attributes(row: record.attributes).roadClass
    let kilometres = Double(record.centimetres) / 100_000
    facts.kilometres[Int(roadClass.rawValue)] += kilometres
    let limit = limits.slowness(of: street, network, period: period)
    if let limit {
      facts.limited += 1
      if !limit.isExact { facts.limitedInexactly += 1 }
    }
    if known.isEmpty, limit == nil {
      if let profile = classProfiles[roadClass] { return profile }
      let profile = index(of: slowness(of: roadClass))
      classProfiles[roadClass] = profile
      return profile
    }
    // A limit changes the free-flow speed; traffic that is already slower is not slowed further.
    var usual = slowness(of: roadClass)
    if let limit {
      for index in usual.indices {
        usual[index] =
          limit.values[index] < 1 ? usual[index] * limit.values[index] : max(usual[index], limit.values[index])
      }
    }
    if known.isEmpty { return index(of: usual) }
    let (values, share) = try mean(of: street, known, usual)
    facts.kilometresWithData[Int(roadClass.rawValue)] += kilometres * share
    return index(of: values)
  }

  /// Returns the slownesses of a class.
  private mutating func slowness(of roadClass: RoadClass) -> [Double] {
    if let known = byClass[roadClass] { return known }
    let slowness = traffic?.slowness(of: roadClass, period: period) ?? Array(repeating: 1, count: periodCount)
    byClass[roadClass] = slowness
    return slowness
  }

  private mutating func index(of slowness: [Double]) -> UInt32 {
    UInt32(profiles.index(of: slowness.map { $0.isFinite ? Slowness($0).bits : Slowness.closed.bits }))
  }

  /// Returns the mean of all sections, weighted by length, and the share of the length with data.
  private mutating func mean(
    of street: DirectedStreet, _ known: ArraySlice<SectionValues>, _ usual: [Double]
  ) throws -> (values: [Double], share: Double) {
    let shape = network.shape(of: street.street)
    let ends = [UInt32(shape.lowerBound), UInt32(shape.upperBound - 1)]
    let cuts = Set(known.flatMap { [$0.stretch.first, $0.stretch.last] } + ends).sorted()
    var sum = [Double](repeating: 0, count: periodCount)
    var (length, lengthWithData) = (0.0, 0.0)
    for (first, last) in zip(cuts, cuts.dropFirst()) {
      let metres = (Int(first)..<Int(last)).reduce(0.0) { $0 + network.points[$1].distance(to: network.points[$1 + 1]) }
      // A section of zero length counts as a millimetre, so that a street of zero length has a mean.
      let weight = max(0.001, metres)
      let covering = known.filter { $0.stretch.first <= first && last <= $0.stretch.last }
      let values = covering.isEmpty ? usual : try self.values(of: covering, on: street, usual)
      for index in sum.indices { sum[index] += weight * values[index] }
      length += weight
      if !covering.isEmpty { lengthWithData += weight }
    }
    return (sum.map { $0 / length }, lengthWithData / length)
  }

  /// Returns the slownesses of a section from its rows. A period without a row has the slowness of the class. If a
  /// file's gaps are filled by ratio, this slowness is multiplied by the mean ratio of the rows to the class.
  private mutating func values(
    of known: [SectionValues], on street: DirectedStreet, _ usual: [Double]
  ) throws -> [Double] {
    var sums = [Double](repeating: 0, count: periodCount)
    var counts = [Int32](repeating: 0, count: periodCount)
    var owners = [Int32](repeating: -1, count: periodCount)
    for entry in known.lazy.flatMap(\.values) {
      try join.forEachPeriod(of: join.values[Int(entry)], on: street, period: period) { index, slowness in
        if counts[index] > 0 { try noteDuplicate(entry, of: owners[index], street, index) }
        sums[index] += slowness
        counts[index] += 1
        owners[index] = entry
      }
    }
    var (ratio, ratioCount) = (0.0, 0.0)
    for index in sums.indices where counts[index] > 0 {
      sums[index] /= Double(counts[index])
      guard sums[index].isFinite, uses[Int(join.values[Int(owners[index])].source)].fillsByRatio else { continue }
      ratio += sums[index] / usual[index]
      ratioCount += 1
    }
    let meanRatio = ratioCount > 0 ? ratio / ratioCount : 1
    for index in sums.indices where counts[index] == 0 { sums[index] = meanRatio * usual[index] }
    return sums
  }

  private mutating func noteDuplicate(
    _ value: Int32, of other: Int32, _ street: DirectedStreet, _ period: Int
  ) throws {
    isDuplicate[Int(value)] = true
    let (value, other) = (join.values[Int(value)], join.values[Int(other)])
    guard ![value, other].allSatisfy({ uses[Int($0.source)].allowsDuplicates }) else { return }
    let (here, there) = (join.name(value), join.name(other))
    let place = there.file == here.file ? "line \(there.line)" : "\(there.file):\(there.line)"
    throw OdometerError(
      "\(here.file):\(here.line): \(place) already has a speed for the same street and time (\(time(of: period))); "
        + "set duplicates: \"mean\" to use the mean", cause: .input)
  }

  private func time(of index: Int) -> String {
    let slot = index * period
    let (day, minute) = (slot / 288, slot % 288 * 5)
    return "\(Weekday.names[day]) \((minute / 60).twoDigits):\((minute % 60).twoDigits)"
  }
}
