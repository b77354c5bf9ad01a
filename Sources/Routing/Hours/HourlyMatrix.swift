import Hierarchy
import StreetNetwork
import Transit

/// A matrix of all trips between places at several times: travel times and, on request, distances, which agree with
/// `TimedDijkstra` to the millisecond and centimetre.
///
/// There is one row per origin and time, or per origin and percentile of its times; the rows of an origin are
/// consecutive. Rows are computed in departure lanes, sixteen at a time. Immutable and shared by all threads.
package struct HourlyMatrix: MatrixEngine {
  package let timed: TimedNetwork
  package let times: [TripTime]
  let graph: LaneGraph
  let hasLengths: Bool
  let hasWaits: Bool
  let origins: [TripEnd?]
  private(set) var destinations: [TripEnd?]
  /// The seeds of the ends from which lanes search (origins, or destinations for arrivals), and of the places to find.
  private(set) var ends: [[TimedSeed]]
  private(set) var places: [[TimedSeed]]
  private(set) var stops: LaneStops
  let groups: [Group]
  private(set) var columns: StreetPlaces
  /// Rows computed by static sweeps, without lanes.
  private(set) var frozen = FrozenHours.none
  private let percentiles: PercentileNetwork?

  /// The minimum estimated seconds of lane searches for which static hierarchies may pay off.
  private static let minimumSeconds = 3.0

  /// Times of equal phase that are searched together, from as many ends as fit into the lanes.
  struct Group: Sendable {
    /// Indices into the matrix's times.
    var times: [Int]
    /// The times of all lanes: the group's times, repeated for each end.
    var table: LaneTable
    var endsPerSearch: Int { LaneTable.lanes / times.count }
  }

  /// - Parameters:
  ///   - origins: The origins; nil for places that are not on a street, which have no trips.
  ///   - times: The times of trips: all departures or all arrivals.
  ///   - waits: Whether cells have waiting times; if so, there are no sweeps.
  ///   - percentiles: Percentiles of each origin's times: one row per percentile instead of one row per time.
  ///   - sweeps: Whether to try sweeps; nil to try them if they are likely to pay off.
  package init(
    _ timed: TimedNetwork, from origins: [TripEnd?], to destinations: [TripEnd?], at times: [TripTime], distances: Bool,
    waits: Bool = false, percentiles: [Int]? = nil, sweeps: Bool? = nil
  ) {
    self.percentiles = percentiles.map { PercentileNetwork(count: times.count, percentiles: $0) }
    (self.timed, self.times, hasLengths, hasWaits) = (timed, times, distances || waits, waits)
    (self.origins, self.destinations) = (origins, destinations)
    let direction: LaneGraph.Direction = times.first?.isArrival == true ? .arriving : .departing
    graph = LaneGraph(timed.graph, direction)
    let sources = origins.map { $0.map(timed.sources) ?? [] }
    let targets = destinations.map { $0.map(timed.targets) ?? [] }
    (ends, places) = direction == .departing ? (sources, targets) : (targets, sources)
    stops = LaneStops(places, on: graph)
    columns = StreetPlaces(destinations)
    groups = HourlyMatrix.groups(times, graph)
    if direction == .departing && !waits && sweeps ?? (!places.isEmpty && laneSeconds >= HourlyMatrix.minimumSeconds) {
      frozen = FrozenHours(self)
    }
  }

  /// Divides the times into groups of sixteen with equal phase, in order; the last group of each phase may be smaller.
  static func groups(_ times: [TripTime], _ graph: LaneGraph) -> [Group] {
    let period = graph.period
    let phases = Dictionary(grouping: times.indices) { LaneTable.phase(of: times[$0].clock, period, graph.direction) }
    return phases.sorted { $0.key < $1.key }.flatMap { _, indices in
      let sorted = indices.sorted { (times[$0].clock, $0) < (times[$1].clock, $1) }
      return sorted.batches(of: LaneTable.lanes).map { group in
        let lanes = (0..<LaneTable.lanes / group.count).flatMap { _ in group.map { times[$0].clock } }
        return Group(times: Array(group), table: LaneTable(lanes, for: graph))
      }
    }
  }

  /// Returns the trips from the same origins to other destinations, in lanes; everything that depends only on the times
  /// is shared.
  package func to(_ destinations: [TripEnd?]) -> HourlyMatrix {
    var matrix = self
    let targets = destinations.map { $0.map(timed.targets) ?? [] }
    (matrix.destinations, matrix.columns, matrix.frozen) = (destinations, StreetPlaces(destinations), .none)
    if isArriving {
      matrix.ends = targets
    } else {
      (matrix.places, matrix.stops) = (targets, LaneStops(targets, on: graph))
    }
    return matrix
  }

  var isArriving: Bool { graph.direction == .arriving }

  /// The blocks of origins that are computed together: each fills all lanes and has about a million cells. Arrivals are
  /// searched from the destinations, for all origins of a block at once, so their blocks are larger.
  package var blocks: [Range<Int>] {
    let cells = max(1, times.count * destinations.count)
    let maximumCells = isArriving ? 1 << 25 : 1 << 20
    let size = max(LaneTable.lanes, maximumCells / cells / LaneTable.lanes * LaneTable.lanes)
    return origins.indices.batches(of: size)
  }

  package var explanation: String {
    let lanes = groups.reduce(0) { $0 + $1.times.count * $1.endsPerSearch }
    let share = Double(lanes) / Double(max(1, groups.count * LaneTable.lanes)) * 100
    return "departure lanes: \(times.count) \(isArriving ? "arrivals" : "departures") in \(groups.count) groups, "
      + "\(Int(share.rounded())) % of lanes used"
      + (frozen.count > 0
        ? "; sweeps at \(frozen.count) times, for rows whose trips end before speeds change" : "")
      + (percentiles.map { "; percentiles by \($0.comparators.count) comparisons per cell" } ?? "")
  }

  package var seconds: Double { laneSeconds * (1 - frozen.share * Double(frozen.count) / Double(max(1, times.count))) }

  private var laneSeconds: Double { seconds(from: ends.count) * Double(isArriving ? blocks.count : 1) }

  /// Returns the estimated seconds for lane searches from a number of places: 85 ns per arc and search, or two and a
  /// half times as much with lengths.
  package func seconds(from places: Int) -> Double {
    let perSearch = Double(timed.graph.graph.arcCount) * 85e-9 * (hasLengths ? 2.5 : 1)
    let searches = groups.reduce(0.0) { $0 + (Double(places) / Double($1.endsPerSearch)).rounded(.up) }
    return searches * perSearch
  }

  package var clock: StreetClock? { percentiles == nil ? timed.graph.clock : nil }

  package func makeFill() -> (Range<Int>) -> MatrixBlock {
    let lanes = DepartureLanes(graph, lengths: hasLengths, waits: hasWaits)
    let block = MatrixBlock(columns: destinations.count, hasLengths: hasLengths, hasWaits: hasWaits)
    guard let percentiles else {
      return { origins in
        fill(block, origins: origins, by: lanes)
        return block
      }
    }
    let result = MatrixBlock(columns: destinations.count, hasLengths: false)
    return { origins in
      fill(block, origins: origins, by: lanes)
      percentiles.fill(result, from: block)
      return result
    }
  }

  package var sharedMemory: Int { graph.memory + groups.reduce(0) { $0 + $1.table.memory } + frozen.memory }

  package var workerMemory: Int {
    let states = timed.graph.graph.stateCount
    return DepartureLanes.expectedMemory(stateCount: states, lengths: hasLengths, waits: hasWaits) + frozen.workerMemory
  }

  /// Computes all rows of `chunk`: one row per time for the first origin, then for the next one.
  private func fill(_ block: MatrixBlock, origins chunk: Range<Int>, by lanes: DepartureLanes) {
    let count = times.count
    block.reset(chunk.lowerBound * count..<chunk.upperBound * count)
    let isDone = frozen.fill(block, origins: chunk, of: self)
    // Neighbouring ends are searched together: state indices follow the map.
    let order = (isArriving ? ends.indices : chunk).sorted { (state(of: $0), $0) < (state(of: $1), $1) }
    func isMissing(_ end: Int, _ time: Int) -> Bool {
      isDone.isEmpty || !isDone[(end - chunk.lowerBound) * count + time]
    }
    for group in groups {
      let missing = order.filter { end in group.times.contains { isMissing(end, $0) } }
      for members in missing.batches(of: group.endsPerSearch) {
        let seeds = members.flatMap { end in group.times.map { isMissing(end, $0) ? ends[end] : [] } }
        lanes.search(seeds, group.table, until: stops)
        write(lanes, Array(members), group, chunk, to: block) { isMissing($0, $1) }
      }
    }
    for index in chunk {
      guard let origin = origins[index] else { continue }
      timed.lowerDirect(
        from: origin, to: destinations, on: columns, at: times, in: block,
        firstRow: (index - chunk.lowerBound) * count)
    }
  }

  private func state(of end: Int) -> UInt32 { ends[end].first?.state.index ?? .max }

  private func write(
    _ lanes: DepartureLanes, _ members: [Int], _ group: Group, _ chunk: Range<Int>, to block: MatrixBlock,
    where isMissing: (_ end: Int, _ time: Int) -> Bool
  ) {
    for place in isArriving ? chunk : places.indices {
      let cells = lanes.cells(of: places[place])
      for (position, member) in members.enumerated() {
        let (origin, column) = isArriving ? (place, member) : (member, place)
        for (index, time) in group.times.enumerated() where isMissing(member, time) {
          let lane = position * group.times.count + index
          let milliseconds = min(cells.times[lane], MatrixBlock.unreachable)
          let weight = Weight(
            milliseconds: milliseconds, centimetres: milliseconds < MatrixBlock.unreachable ? cells.lengths[lane] : 0)
          let row = (origin - chunk.lowerBound) * times.count + time
          block.set(row: row, column: column, to: weight)
          if hasWaits { block.setWait(row: row, column: column, to: cells.waits[lane]) }
        }
      }
    }
  }
}

/// The departures of an hourly matrix for which many trips end before speeds or closures change. Such trips equal
/// static trips with the weights at the departure, and a sweep of a hierarchy with these weights computes a row at a
/// thirtieth of the cost of departure lanes.
///
/// A cell is exact if its trip ends by the first change after the departure, because every path that is still under way
/// at the change arrives later.
struct FrozenHours: Sendable {
  /// The matrix of each hour, and the milliseconds until the next change.
  private let hours: [Int: (matrix: Matrix, limit: UInt32)]
  /// Whether a place that is unreachable at one time is unreachable at all times.
  private let neverOpens: Bool
  /// The share of rows finished by sweeps, according to a sample.
  let share: Double

  /// The share of an hour's rows that sweeps must finish to pay off; the others are computed twice.
  private static let minimumShare = 0.25
  private static let sampleSize = 16
  /// The minimum milliseconds until the next change for which a hierarchy pays off.
  private static let minimumLimit: UInt32 = 600_000
  /// The maximum memory of hierarchies, in bytes.
  private static let maximumMemory = 1 << 30

  static let none = FrozenHours()

  private init() { (hours, neverOpens, share) = ([:], false, 0) }

  /// The hours of `matrix` for which sweeps pay off, according to a sample of its rows.
  init(_ matrix: HourlyMatrix) {
    let timed = matrix.timed
    let clock = timed.graph.clock
    let departures = matrix.times.indices.map { (index: $0, clock: FrozenClock(clock, at: matrix.times[$0].clock)) }
    let shape = timed.network.customizable
    let maximumCount = max(1, FrozenHours.maximumMemory / max(1, shape.arcCount * Hierarchy.arcBytes))
    let candidates =
      departures
      .filter { $0.clock.end - matrix.times[$0.index].clock >= FrozenHours.minimumLimit }
      .prefix(maximumCount)
    let hierarchies = shape.hierarchies(of: candidates.map { $0.clock.weights(of: timed.graph) })
    // The last condition excludes times too long for a static weight.
    let longest = timed.graph.graph.weights.lazy.map(\.milliseconds).max() ?? 0
    let neverOpens =
      clock.closings.neverOpen && !clock.profiles.haveClosed
      && Double(longest) * Slowness.maximum.value < Double(Weight.arcTimeLimit)
    self.neverOpens = neverOpens
    let step = max(1, matrix.ends.count / FrozenHours.sampleSize)
    let sample = stride(from: step / 2, to: matrix.ends.count, by: step).filter { !matrix.ends[$0].isEmpty }
    var (hours, shares): ([Int: (matrix: Matrix, limit: UInt32)], [Double]) = ([:], [])
    for (departure, hierarchy) in zip(candidates, hierarchies) {
      let limit = departure.clock.end - matrix.times[departure.index].clock
      func frozen(_ rows: [Int]) -> Matrix {
        Matrix(
          hierarchy, from: SeedTable(count: rows.count) { departure.clock.seeds(matrix.ends[rows[$0]]) },
          to: SeedTable(count: matrix.places.count) { departure.clock.seeds(matrix.places[$0]) },
          lengths: matrix.hasLengths)
      }
      let trial = frozen(sample)
      let block = MatrixBlock(trial)
      MatrixQuery(trial).fill(block, rows: 0..<sample.count)
      let exact = sample.indices.count { FrozenHours.isExact($0, of: block, limit, matrix, neverOpens) }
      let share = Double(exact) / Double(max(1, sample.count))
      guard share >= FrozenHours.minimumShare else { continue }
      shares.append(share)
      hours[departure.index] = (frozen(Array(matrix.ends.indices)), limit)
    }
    self.hours = hours
    share = shares.isEmpty ? 0 : shares.reduce(0, +) / Double(shares.count)
  }

  var count: Int { hours.count }
  /// The memory of hierarchies, in bytes.
  var memory: Int { hours.values.reduce(0) { $0 + $1.matrix.hierarchy.arcCount * Hierarchy.arcBytes } }

  /// The bytes of one sweep.
  var workerMemory: Int { hours.values.map { MatrixQuery.memory(of: $0.matrix) }.max() ?? 0 }

  /// Fills the rows of `origins` that sweeps finish, and returns whether each row is filled; empty if there are no
  /// sweeps.
  func fill(_ block: MatrixBlock, origins: Range<Int>, of matrix: HourlyMatrix) -> [Bool] {
    let times = matrix.times.count
    guard !hours.isEmpty else { return [] }
    var isDone = [Bool](repeating: false, count: origins.count * times)
    for (time, hour) in hours {
      let swept = MatrixBlock(hour.matrix)
      MatrixQuery(hour.matrix).fill(swept, rows: origins)
      for row in 0..<origins.count where FrozenHours.isExact(row, of: swept, hour.limit, matrix, neverOpens) {
        block.copy(row: row * times + time, fromRow: row, of: swept)
        isDone[row * times + time] = true
      }
    }
    return isDone
  }

  private static func isExact(
    _ row: Int, of block: MatrixBlock, _ limit: UInt32, _ matrix: HourlyMatrix, _ neverOpens: Bool
  ) -> Bool {
    let times = block.times(row: row)
    return times.indices.allSatisfy { column in
      times[column] <= limit || matrix.places[column].isEmpty
        || (neverOpens && times[column] == MatrixBlock.unreachable)
    }
  }
}
