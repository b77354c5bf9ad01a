/// Sixteen times of equal phase, one a lane: equally far from the borders of periods, so that all lanes cross these after
/// equal offsets. Made once for all searches from these times; shared by all threads.
public struct LaneTable: Sendable {
  /// The number of lanes.
  public static let lanes = 16

  /// The time of each lane.
  let times: [UInt32]
  /// The offset at which the j-th period of every lane begins; the last is where the table ends.
  let borders: Column<UInt32>
  /// For each profile and j slowness and pace of every lane: 128 bytes.
  let rates: Column<UInt32>
  var depth: Int { borders.count - 1 }
  /// Its bytes.
  package var memory: Int { rates.count * 4 }
  /// The greatest slowness in it, for bounds.
  let slowest: Double

  /// Times that a lane has, by their phase: how far they are from the border of a period, in the direction of a search.
  public static func phase(of time: UInt32, _ period: UInt32, _ direction: LaneGraph.Direction) -> UInt32 {
    direction == .departing ? time % period : (time - 1) % period + 1
  }

  /// Bytes that a table may take: beyond its last period lanes go by the clock.
  private static let size = 192 << 20

  /// A table for 1 to 16 times of equal phase; lanes without a time are like the last.
  public init(_ times: [UInt32], for graph: LaneGraph) {
    let (profiles, direction) = (graph.timed.clock.profiles, graph.direction)
    let period = profiles.period
    let phase = LaneTable.phase(of: times[0], period, direction)
    precondition(
      times.count <= LaneTable.lanes && times.allSatisfy { LaneTable.phase(of: $0, period, direction) == phase },
      "the times of a table are of one phase")
    self.times = times + Array(repeating: times[times.count - 1], count: LaneTable.lanes - times.count)
    let hours = Int(12 * 3_600_000 / period)
    let depth = max(1, min(hours, LaneTable.size / (profiles.count * 128), profiles.periodCount))
    // The first period has begun before a departure, and ends after an arrival.
    let first = direction == .departing ? period - phase : phase
    borders = Column([0] + (0..<depth).map { first + UInt32($0) * period })
    let count = profiles.periodCount
    let starts = self.times.map { time in
      direction == .departing ? Int(time / period) : Int((time - 1) / period) + count * (depth / count + 1)
    }
    var rates: [UInt32] = []
    rates.reserveCapacity(profiles.count * depth * 32)
    for profile in 0..<UInt32(profiles.count) {
      for j in 0..<depth {
        let slowness = starts.map { profiles.slowness(profile, direction == .departing ? $0 + j : $0 - j) }
        rates += slowness.map(\.bits)
        rates += slowness.map(\.pace)
      }
    }
    self.rates = Column(rates)
    slowest = profiles.slowness.reduce(into: 1.0) { most, bits in
      if bits != Slowness.closed.bits { most = max(most, Slowness(bits: bits).value) }
    }
  }
}
