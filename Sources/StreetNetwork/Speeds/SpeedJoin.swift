import Geography

/// Collects the rows of speed files, matched to the streets of a network.
package struct SpeedJoin {
  let network: StreetNetwork
  private let lookup: StreetLookup
  package private(set) var sources: [SpeedSource] = []
  private var indices: [SpeedPlace: Int32] = [:]
  /// The matches of places, by index, and the values of rows; values without a section are dropped.
  private(set) var matches: [SpeedMatch] = []
  private(set) var values: [Value] = []
  private var hours = Interner<WeekHours>()
  private var weeks: [[Float]] = []
  /// The longest period that fits all weeks, in slots.
  private var weekPeriod = 12

  /// A row with a match.
  struct Value {
    var match: Int32
    /// An index into `hours`, or into `weeks`.
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

  /// Begins another file.
  package mutating func begin(_ source: SpeedSource) { sources.append(source) }

  /// Changes the counts of the last file, such as the number of malformed rows.
  package mutating func note(_ change: (inout SpeedSource) -> Void) { change(&sources[sources.count - 1]) }

  /// Matches a row of the last file.
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
        SpeedJoin.addExample("\(row.place)", to: &source.firstUnmatched)
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
      weekPeriod = min(weekPeriod, WeekHours.longestPeriod { week.isConstant(inPeriodsOf: $0) })
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

  private static func addExample(_ text: String, to list: inout [String]) {
    if list.count < SpeedSource.maximumNamed, !list.contains(text) { list.append(text) }
  }

  // MARK: Values

  /// Counts the row if it is implausible.
  private mutating func checkPlausible(_ row: SpeedRow, on street: DirectedStreet) {
    guard let usual = freeFlow(street) else { return }
    let speeds: [Double]
    switch row.value {
    case .kmh(let kmh, _): speeds = [kmh]
    case .slowness(let slowness, _): speeds = [usual / slowness]
    case .week(let week): speeds = week.map(Double.init)
    }
    guard let implausible = speeds.first(where: { $0 > 0 && ($0 < 3 || $0 > 200 || $0 > 2 * usual) }) else { return }
    note { source in
      source.implausible += 1
      let (implausible, usual) = ((implausible * 10).rounded() / 10, (usual * 10).rounded() / 10)
      SpeedJoin.addExample(
        "line \(row.line): \(implausible) km/h on \(row.place), \(usual) in free flow", to: &source.firstImplausible)
    }
  }

  /// Returns the free-flow speed in km/h.
  private func freeFlow(_ street: DirectedStreet) -> Double? {
    network.street(street.street).metresPerSecond(isReversed: street.isReversed).map { $0 * 3.6 }
  }

  /// The longest period that fits all data, in slots.
  var longestPeriod: Int { hours.values.map(\.period).reduce(weekPeriod, min) }

  /// Calls `body` with the slowness of a value in each of its periods.
  func forEachPeriod(
    of value: Value, on street: DirectedStreet, period: Int, _ body: (Int, Double) throws -> Void
  ) rethrows {
    let usual = freeFlow(street)
    func slowness(ofSpeed kmh: Float) -> Double? { kmh == 0 ? .infinity : usual.map { $0 / Double(kmh) } }
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

  func name(_ value: Value) -> (file: String, line: Int) { (sources[Int(value.source)].file, Int(value.line)) }
}

extension [Float] {
  /// Returns whether the values are constant within each period of `period` slots.
  fileprivate func isConstant(inPeriodsOf period: Int) -> Bool {
    indices.allSatisfy { index in
      let first = self[index / period * period]
      return self[index] == first || self[index].isNaN && first.isNaN
    }
  }
}

/// Finds the streets of ways, and the streets between nodes, by OpenStreetMap ID.
struct StreetLookup {
  private let network: StreetNetwork
  /// The points of streets, sorted by node; gates and boardings have none.
  private var points: [(node: Int64, point: UInt32)] = []
  /// The parts of streets, sorted by way.
  private var parts: [(way: Int64, part: UInt32)] = []

  /// Sorts the IDs, which takes a second per million points.
  init(_ network: StreetNetwork) {
    self.network = network
    let (nodes, first, records) = (network.pointNodes, network.parts.first, network.parts.records)
    points.reserveCapacity(nodes.count)
    for street in 0..<network.streetCount where first[street] < first[street + 1] {
      for point in network.shape(of: StreetID(street)) { points.append((nodes[point], UInt32(point))) }
    }
    points.sort { ($0.node, $0.point) < ($1.node, $1.point) }
    parts = records.enumerated().map { ($1.way, UInt32($0)) }
    parts.sort { ($0.way, $0.part) < ($1.way, $1.part) }
  }

  func match(_ place: SpeedPlace) -> SpeedMatch {
    guard let nodes = place.nodes else { return matchWay(place) }
    let (from, to) = (points(of: nodes.from), points(of: nodes.to))
    guard !from.isEmpty, !to.isEmpty else { return .none }
    let within = nearest(from, to, place)
    if !within.isEmpty { return SpeedMatch(within, of: network) }
    return alongWay(from, to, place).map { SpeedMatch($0, of: network) } ?? .none
  }

  // MARK: A whole way

  private func matchWay(_ place: SpeedPlace) -> SpeedMatch {
    let parts = parts(of: place.way).map { part(at: $0) }
    guard !parts.isEmpty else { return .none }
    let directions: [Direction] = place.direction.map { [$0] } ?? [.forward, .backward]
    let all = parts.map { part in directions.map { part.stretch($0) } }
    let open = all.map { SpeedMatch($0, of: network) }
    let stretches = open.flatMap(\.stretches)
    // A way with a speed for both directions may be open in only one.
    let isWhole = open.allSatisfy { !$0.stretches.isEmpty }
    return SpeedMatch(stretches: stretches, outcome: isWhole ? .whole : stretches.isEmpty ? .notOpen : .part)
  }

  // MARK: From node to node

  /// Returns the sections between the nodes that are on a single street and have the fewest segments.
  private func nearest(_ from: [UInt32], _ to: [UInt32], _ place: SpeedPlace) -> [SpeedStretch] {
    var (best, found): (UInt32, [SpeedStretch]) = (.max, [])
    for start in from {
      let street = street(ofPoint: start)
      let shape = network.shape(of: street)
      for end in to where shape.contains(Int(end)) && start != end {
        let (first, last) = (min(start, end), max(start, end))
        guard last - first <= best else { continue }
        let stretch = SpeedStretch(street: DirectedStreet(street, isReversed: start > end), first: first, last: last)
        guard belongs(stretch, to: place) else { continue }
        if last - first < best { (best, found) = (last - first, []) }
        found.append(stretch)
      }
    }
    return found
  }

  /// Returns whether a section is on the place's way, if it has one; a ring from a node to itself must also have the
  /// place's direction.
  private func belongs(_ stretch: SpeedStretch, to place: SpeedPlace) -> Bool {
    let isRing = place.nodes.map { $0.from == $0.to } ?? false
    guard place.way != 0 || isRing else { return true }
    return network.parts(of: stretch.street.street).allSatisfy { part in
      guard part.points.lowerBound < Int(stretch.last), part.points.upperBound - 1 > Int(stretch.first) else {
        return true
      }
      let direction: Direction = part.isReversed == stretch.street.isReversed ? .forward : .backward
      return (place.way == 0 || part.way == place.way)
        && (!isRing || place.direction == nil || place.direction == direction)
    }
  }

  /// Returns the sections of consecutive streets along one way; nil if they do not connect the nodes.
  private func alongWay(_ from: [UInt32], _ to: [UInt32], _ place: SpeedPlace) -> [SpeedStretch]? {
    var best: [SpeedStretch]?
    for start in from {
      for part in parts(around: start) where part.way != 0 && (place.way == 0 || part.way == place.way) {
        for direction in [Direction.forward, .backward] {
          guard let found = walk(from: start, part, to, direction) else { continue }
          let length = { (stretches: [SpeedStretch]) in stretches.reduce(0) { $0 + $1.last - $1.first } }
          if best.map({ length(found) < length($0) }) ?? true { best = found }
        }
      }
    }
    return best
  }

  private func walk(
    from start: UInt32, _ part: Part, _ to: [UInt32], _ direction: Direction
  ) -> [SpeedStretch]? {
    let candidates = parts(of: part.way).map { self.part(at: $0) }
    var (part, stretches, visited) = (part, [SpeedStretch](), Set<UInt32>())
    var from = start
    while visited.insert(part.first).inserted {
      let end = part.end(direction)
      // A part that contains the end node ahead is travelled only up to that node.
      if let goal = to.first(where: { part.contains($0) && part.isAhead($0, of: from, direction) }) {
        stretches.append(part.stretch(direction, from, goal))
        return stretches
      }
      if from != end { stretches.append(part.stretch(direction, from, end)) }
      let node = network.pointNodes[Int(end)]
      guard
        let next = candidates.first(where: {
          !visited.contains($0.first) && network.pointNodes[Int($0.start(direction))] == node
        })
      else { return nil }
      (part, from) = (next, next.start(direction))
    }
    return nil
  }

  // MARK: Tables

  /// A part of a street, with the points at its ends.
  private struct Part {
    var way: Int64
    var street: StreetID
    var first: UInt32
    var last: UInt32
    var isReversed: Bool

    /// Returns whether its street's tail comes first in this direction.
    private func startsAtTail(_ direction: Direction) -> Bool { (direction == .forward) != isReversed }
    func start(_ direction: Direction) -> UInt32 { startsAtTail(direction) ? first : last }
    func end(_ direction: Direction) -> UInt32 { startsAtTail(direction) ? last : first }
    func contains(_ point: UInt32) -> Bool { first <= point && point <= last }
    func isAhead(_ point: UInt32, of other: UInt32, _ direction: Direction) -> Bool {
      startsAtTail(direction) ? point > other : point < other
    }

    func stretch(_ direction: Direction) -> SpeedStretch { stretch(direction, first, last) }

    func stretch(_ direction: Direction, _ a: UInt32, _ b: UInt32) -> SpeedStretch {
      SpeedStretch(
        street: DirectedStreet(street, isReversed: !startsAtTail(direction)), first: min(a, b), last: max(a, b))
    }
  }

  private func part(at index: UInt32) -> Part {
    let (first, record) = (network.parts.first, network.parts.records[Int(index)])
    let street = (0..<network.streetCount).partitionPoint { first[$0] > index } - 1
    let shape = network.shape(of: StreetID(street))
    let isLast = index + 1 == first[street + 1]
    let last = isLast ? shape.count - 1 : Int(network.parts.records[Int(index) + 1].firstPoint)
    return Part(
      way: record.way, street: StreetID(street), first: UInt32(shape.lowerBound) + record.firstPoint,
      last: UInt32(shape.lowerBound + last), isReversed: record.isReversed)
  }

  /// Returns the parts of a point's street that contain the point.
  private func parts(around point: UInt32) -> [Part] {
    let (street, first) = (Int(street(ofPoint: point).index), network.parts.first)
    return (first[street]..<first[street + 1]).map { part(at: $0) }.filter { $0.contains(point) }
  }

  private func street(ofPoint point: UInt32) -> StreetID {
    StreetID(
      (0..<network.streetCount).partitionPoint { network.shape(of: StreetID($0)).lowerBound > Int(point) } - 1)
  }

  private func points(of node: Int64) -> [UInt32] {
    let first = points.indices.partitionPoint { points[$0].node >= node }
    return points[first...].prefix { $0.node == node }.map(\.point)
  }

  private func parts(of way: Int64) -> [UInt32] {
    let first = parts.indices.partitionPoint { parts[$0].way >= way }
    return parts[first...].prefix { $0.way == way }.map(\.part)
  }
}

/// A section of a directed street between two of its points.
struct SpeedStretch: Hashable {
  var street: DirectedStreet
  /// The indices of its first and last point among the network's, from tail to head.
  var first: UInt32
  var last: UInt32
}

/// The match of a speed file's place in a network.
struct SpeedMatch {
  var stretches: [SpeedStretch] = []
  var outcome: Outcome

  enum Outcome {
    case whole
    /// Part of the place is closed in that direction.
    case part
    /// The place is on the map, but closed in that direction.
    case notOpen
    case none
  }

  static let none = SpeedMatch(outcome: .none)

  /// Creates the match of some sections; only open ones count.
  init(_ all: [SpeedStretch], of network: StreetNetwork) {
    stretches = all.filter { network.street($0.street.street).isOpen(isReversed: $0.street.isReversed) }
    outcome = stretches.count == all.count ? .whole : stretches.isEmpty ? .notOpen : .part
  }

  init(stretches: [SpeedStretch] = [], outcome: Outcome) { (self.stretches, self.outcome) = (stretches, outcome) }
}
