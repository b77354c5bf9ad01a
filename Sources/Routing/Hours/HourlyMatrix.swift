import Hierarchy
import StreetNetwork

/// All trips from some places to others at some hours: times and, where wanted, distances, equal to those of
/// `TimedDijkstra` to the millisecond and centimetre.
///
/// Rows are origins and times, the times of an origin one after the other. Computed in departure lanes, sixteen rows at a
/// time. Immutable, shared by all threads; each has an `HourlyMatrixQuery` of its own.
package struct HourlyMatrix: Sendable {
  package let timed: TimedNetwork
  package let times: [TripTime]
  let graph: LaneGraph
  let hasLengths: Bool
  let hasWaits: Bool
  let origins: [TripEnd?]
  private(set) var destinations: [TripEnd?]
  /// The seeds of what lanes search from, and of what they search for.
  private(set) var ends: [[TimedSeed]]
  private(set) var places: [[TimedSeed]]
  private(set) var stops: LaneStops
  let groups: [Group]
  private(set) var columns: StreetPlaces
  /// What sweeps know without lanes.
  private(set) var frozen = FrozenHours.none

  /// Seconds of lanes from which on hierarchies of single moments may pay.
  private static let leastSeconds = 3.0

  /// Times of equal phase that are searched together, for as many ends as fit.
  struct Group: Sendable {
    /// Indices of times.
    var times: [Int]
    /// Of all lanes: the times again for each of the ends.
    var table: LaneTable
    var endsPerSearch: Int { LaneTable.lanes / times.count }
  }

  /// - Parameters:
  ///   - origins: nil for places that are not on a street, which have no trips.
  ///   - times: All of departures or all of arrivals.
  ///   - waits: Whether cells have what of their times is spent waiting: then there are no sweeps.
  ///   - sweeps: Whether sweeps may be tried; nil where they are likely to pay.
  package init(
    _ timed: TimedNetwork, from origins: [TripEnd?], to destinations: [TripEnd?], at times: [TripTime], distances: Bool,
    waits: Bool = false, sweeps: Bool? = nil
  ) {
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
    if direction == .departing && !waits && sweeps ?? (laneSeconds >= HourlyMatrix.leastSeconds) {
      frozen = FrozenHours(self)
    }
  }

  /// Sixteens of times of equal phase in their order, and what is left over.
  private static func groups(_ times: [TripTime], _ graph: LaneGraph) -> [Group] {
    let period = graph.period
    let phases = Dictionary(grouping: times.indices) { LaneTable.phase(of: times[$0].clock, period, graph.direction) }
    return phases.sorted { $0.key < $1.key }.flatMap { _, indices in
      let sorted = indices.sorted { (times[$0].clock, $0) < (times[$1].clock, $1) }
      return stride(from: 0, to: sorted.count, by: LaneTable.lanes).map { start in
        let group = Array(sorted[start..<min(start + LaneTable.lanes, sorted.count)])
        let lanes = (0..<LaneTable.lanes / group.count).flatMap { _ in group.map { times[$0].clock } }
        return Group(times: group, table: LaneTable(lanes, for: graph))
      }
    }
  }

  /// The trips from the same origins to other destinations, in lanes: what depends on the times alone is shared.
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

  /// Origins that are computed together: enough to fill all lanes, and of about a million cells. Who arrives is searched
  /// for from the destinations, for all origins at once.
  package var blocks: [Range<Int>] {
    let cells = max(1, times.count * destinations.count)
    let most = isArriving ? 1 << 25 : 1 << 20
    let size = max(LaneTable.lanes, most / cells / LaneTable.lanes * LaneTable.lanes)
    return stride(from: 0, to: origins.count, by: size).map { $0..<min($0 + size, origins.count) }
  }

  /// How it is computed, in a line.
  package var explanation: String {
    let lanes = groups.reduce(0) { $0 + $1.times.count * $1.endsPerSearch }
    let share = Double(lanes) / Double(max(1, groups.count * LaneTable.lanes)) * 100
    return "departure lanes: \(times.count) \(isArriving ? "arrivals" : "departures") in \(groups.count) groups, "
      + "\(Int(share.rounded())) % of lanes used"
      + (frozen.count > 0 ? "; sweeps for \(frozen.count) hours, of rows that end before speeds change" : "")
  }

  /// About how many seconds it takes on one core.
  package var seconds: Double { laneSeconds * (1 - frozen.share * Double(frozen.count) / Double(max(1, times.count))) }

  private var laneSeconds: Double { seconds(from: ends.count) * Double(isArriving ? blocks.count : 1) }

  /// About how many seconds lanes take for searches from so many places: 85 ns an arc and search, two and a half times that
  /// with lengths.
  package func seconds(from places: Int) -> Double {
    let perSearch = Double(timed.graph.graph.arcCount) * 85e-9 * (hasLengths ? 2.5 : 1)
    let searches = groups.reduce(0.0) { $0 + (Double(places) / Double($1.endsPerSearch)).rounded(.up) }
    return searches * perSearch
  }

  /// What fills blocks of origins on one thread, the same block again and again.
  package func makeFill() -> (Range<Int>) -> MatrixBlock {
    let query = HourlyMatrixQuery(self)
    let block = query.makeBlock()
    return { origins in
      query.fill(block, origins: origins)
      return block
    }
  }

  /// Bytes that all threads share.
  package var sharedMemory: Int { groups.reduce(0) { $0 + $1.table.memory } + frozen.memory }

  /// Bytes of a thread's working memory.
  package var memory: Int {
    timed.graph.graph.stateCount * (68 + (hasLengths ? 64 : 0) + (hasWaits ? 64 : 0)) + 4 << 20
  }
}
