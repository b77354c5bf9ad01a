import Geography

/// Collects the rows of files of speeds, joined to the streets of a network.
package struct SpeedJoin {
  let network: StreetNetwork
  private let lookup: StreetLookup
  package private(set) var sources: [SpeedSource] = []
  private var indices: [SpeedPlace: Int32] = [:]
  /// By index; those without a stretch have no values.
  private(set) var matches: [SpeedMatch] = []
  private(set) var values: [Value] = []
  private var hours = Interner<WeekHours>()
  private var weeks: [[Float]] = []
  /// The longest period that the weeks fit.
  private var weekPeriod = 12

  /// A row that matched.
  struct Value {
    var match: Int32
    /// Of hours, or of weeks.
    var times: Int32
    var number: Float
    var kind: Kind
    var source: UInt8
    var line: Int32

    enum Kind: UInt8 { case kmh, slowness, week }
  }

  init(_ network: StreetNetwork) {
    self.network = network
    lookup = StreetLookup(network)
  }

  /// What follows is of another file.
  package mutating func begin(_ source: SpeedSource) { sources.append(source) }

  /// Counts what is not a row of speeds in the last file.
  package mutating func note(_ change: (inout SpeedSource) -> Void) { change(&sources[sources.count - 1]) }

  /// Joins a row of the last file.
  package mutating func append(_ row: SpeedRow) {
    let index = index(of: row.place)
    let match = matches[Int(index)]
    switch match.outcome {
    case .whole: note { $0.matched += 1 }
    case .part: note { $0.partlyMatched += 1 }
    case .notOpen: note { $0.notOpen += 1 }
    case .none:
      note { source in
        source.unmatched += 1
        SpeedJoin.name("\(row.place)", in: &source.firstUnmatched)
      }
    }
    guard let stretch = match.stretches.first else { return }
    checkPlausible(row, on: stretch.street)
    var value = Value(
      match: index, times: 0, number: 0, kind: .week, source: UInt8(sources.count - 1), line: Int32(row.line))
    switch row.value {
    case .kmh(let number, let hours):
      (value.kind, value.number, value.times) = (.kmh, Float(number), Int32(self.hours.index(of: hours)))
    case .slowness(let number, let hours):
      (value.kind, value.number, value.times) = (.slowness, Float(number), Int32(self.hours.index(of: hours)))
    case .week(let week):
      value.times = Int32(weeks.count)
      weeks.append(week)
      weekPeriod = min(weekPeriod, SpeedPeriods.longest { week.isMade(of: $0) })
    }
    values.append(value)
  }

  private mutating func index(of place: SpeedPlace) -> Int32 {
    if let known = indices[place] { return known }
    let index = Int32(matches.count)
    matches.append(lookup.match(place))
    indices[place] = index
    return index
  }

  private static func name(_ text: String, in list: inout [String]) {
    if list.count < SpeedSource.mostNamed, !list.contains(text) { list.append(text) }
  }

  // MARK: Values

  /// Counts rows that nobody travels at.
  private mutating func checkPlausible(_ row: SpeedRow, on street: DirectedStreet) {
    guard let usual = freeFlow(street) else { return }
    let speeds: [Double]
    switch row.value {
    case .kmh(let kmh, _): speeds = [kmh]
    case .slowness(let slowness, _): speeds = [usual / slowness]
    case .week(let week): speeds = week.map(Double.init)
    }
    guard let odd = speeds.first(where: { $0 > 0 && ($0 < 3 || $0 > 200 || $0 > 2 * usual) }) else { return }
    note { source in
      source.implausible += 1
      let (odd, usual) = ((odd * 10).rounded() / 10, (usual * 10).rounded() / 10)
      SpeedJoin.name(
        "line \(row.line): \(odd) km/h on \(row.place), \(usual) in free flow", in: &source.firstImplausible)
    }
  }

  /// In km/h.
  private func freeFlow(_ street: DirectedStreet) -> Double? {
    network.street(street.street).metresPerSecond(isReversed: street.isReversed).map { $0 * 3.6 }
  }

  /// The longest period that holds all data, in slots.
  var longestPeriod: Int { hours.values.map(\.period).reduce(weekPeriod, min) }

  /// The slowness of a value in each period in which it has one.
  func forEachPeriod(
    of value: Value, on street: DirectedStreet, period: Int, _ body: (Int, Double) throws -> Void
  ) rethrows {
    let usual = freeFlow(street)
    func slowness(ofSpeed kmh: Float) -> Double? {
      kmh == 0 ? .infinity : usual.map { $0 / Double(kmh) }
    }
    switch value.kind {
    case .week:
      let week = weeks[Int(value.times)]
      for index in 0..<WeekHours.slotCount / period where !week[index * period].isNaN {
        if let slowness = slowness(ofSpeed: week[index * period]) { try body(index, slowness) }
      }
    case .kmh, .slowness:
      guard let slowness = value.kind == .kmh ? slowness(ofSpeed: value.number) : Double(value.number) else { return }
      for slots in hours[Int(value.times)].slots {
        for index in slots.lowerBound / period..<slots.upperBound / period { try body(index, slowness) }
      }
    }
  }

  mutating func countDuplicate(of value: Value) { sources[Int(value.source)].duplicate += 1 }

  func name(_ value: Value) -> (file: String, line: Int) {
    (sources[Int(value.source)].file, Int(value.line))
  }
}

extension [Float] {
  /// Whether it is the same throughout each period of so many slots.
  fileprivate func isMade(of period: Int) -> Bool {
    indices.allSatisfy { index in
      let first = self[index / period * period]
      return self[index] == first || self[index].isNaN && first.isNaN
    }
  }
}
