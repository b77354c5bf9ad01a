import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// A search for the best ways from the candidates of one observation to the candidates of the next: one search from all
/// sources at once, stopped as soon as nothing can improve. Each thread needs its own object.
///
/// A* (P. E. Hart, N. J. Nilsson, B. Raphael 1968) on the states, bounded by the straight line to the observation: of
/// the hundreds of states within reach, about ten are settled if fixes come every 15 s. Because costs are additive, one
/// search starts from the scores of all k sources and finds the ways to all k targets, which would otherwise take k * k
/// searches. A hierarchy would need a query per target: four times the work at distances within a town.
final class StepSearch: WaySearch {
  let network: StreetNetwork
  let points: StatePoints
  var heap = SearchHeap()
  /// The label of each state in the current search.
  let states: UnsafeMutablePointer<State>
  /// The labelled states, and their number.
  let touched: UnsafeMutablePointer<UInt32>
  var touchedCount = 0
  /// The index of the first candidate on each directed street, plus one; 0 for none.
  let targets: UnsafeMutablePointer<UInt16>
  /// For each target, the last state and arc of the best way through junctions.
  var via: [(state: UInt32, arc: UInt32)] = []

  struct State: BitwiseCopyable {
    var key: UInt64
    /// The lower bound of the remaining cost, computed when the state is first touched.
    var bound: UInt64
    /// The last arc of the way, or a seed: `seed` and the index of the source's candidate, with `turned` if the way
    /// turns around first.
    var arc: UInt32
    var parent: UInt32

    static let unknown = State(key: .max, bound: 0, arc: 0, parent: 0)
  }

  static let seed: UInt32 = 1 << 31
  static let turned: UInt32 = 1 << 30
  /// The rounding errors of a street's length and time are at most half a centimetre and half a millisecond, so the
  /// bound may be too large by that much per street. This slack covers 512 streets in a row.
  static let roundingSlack: UInt64 = 256

  init(_ network: StreetNetwork) {
    self.network = network
    points = network.statePoints
    let stateCount = network.states.arcs.stateCount
    states = .allocate(capacity: stateCount)
    states.initialize(repeating: .unknown, count: stateCount)
    touched = .allocate(capacity: stateCount)
    targets = .allocate(capacity: network.streetCount * 2)
    targets.initialize(repeating: 0, count: network.streetCount * 2)
  }

  /// The bytes in use.
  var memory: Int {
    let stateBytes = MemoryLayout<State>.stride + MemoryLayout<UInt32>.stride
    return network.states.arcs.stateCount * stateBytes + network.streetCount * 2 * MemoryLayout<UInt16>.stride
  }

  deinit {
    states.deallocate()
    touched.deallocate()
    targets.deallocate()
    heap.deallocate()
  }

  func labels(
    of candidates: inout [Candidate], _ observation: Observation, after lattice: inout Lattice, _ cost: StepCost
  ) -> [Lattice.Label]? {
    let layer = lattice.layers[lattice.layers.count - 1].range
    let minimumScore = lattice.labels[layer].min { $0.score < $1.score }!.score
    var labels = candidates.map { Lattice.Label(centimetres: $0.centimetres) }
    mark(&candidates)
    defer { unmark(candidates) }
    var best = directWays(from: layer, in: lattice, minimumScore, to: candidates, &labels, cost)
    search(from: layer, in: lattice, minimumScore, to: candidates, observation, &labels, &best, cost)
    defer { clear() }
    let worst = best == .max ? 0 : best + StepCost.beam
    var isAnyReached = false
    for index in labels.indices where labels[index].isReachable {
      guard labels[index].score + candidates[index].emission <= worst, labels[index].score <= cost.limit else {
        labels[index].score = Lattice.Label.unreachable
        continue
      }
      isAnyReached = true
      if labels[index].way == .through { unwind(index, &labels[index], into: &lattice.arcs) }
      labels[index].score += candidates[index].emission + minimumScore
    }
    return isAnyReached ? labels : nil
  }

  /// Links the candidates on each directed street.
  private func mark(_ candidates: inout [Candidate]) {
    for index in candidates.indices.reversed() {
      let street = Int(candidates[index].street.index)
      candidates[index].next = targets[street]
      targets[street] = UInt16(index + 1)
    }
  }

  private func unmark(_ candidates: [Candidate]) {
    for candidate in candidates { targets[Int(candidate.street.index)] = 0 }
  }

  /// Finds the ways along a street and with a U-turn on it, and returns the best score, including its emission.
  private func directWays(
    from layer: Range<Int>, in lattice: Lattice, _ minimumScore: UInt64, to candidates: [Candidate],
    _ labels: inout [Lattice.Label], _ cost: StepCost
  ) -> UInt64 {
    var best = UInt64.max
    func offer(_ target: Int, _ score: UInt64, _ centimetres: UInt32, _ source: Int, _ way: Lattice.Way) {
      guard score < labels[target].score, score <= cost.limit else { return }
      labels[target] = .init(score: score, centimetres: centimetres, from: Int32(source), way: way)
      best = min(best, score + candidates[target].emission)
    }
    for (source, index) in layer.enumerated() where lattice.labels[index].isReachable {
      let (from, at) = (lattice.candidates[index], lattice.labels[index].centimetres)
      let score = lattice.labels[index].score - minimumScore
      var target = Int(targets[Int(from.street.index)])
      while target > 0 {
        let to = candidates[target - 1]
        if to.centimetres >= at {
          let way = cost.of(to.centimetres - at, to.milliseconds(upTo: to.centimetres) - to.milliseconds(upTo: at))
          offer(target - 1, score + way, to.centimetres, source, .along)
        } else if at - to.centimetres <= cost.tolerance {
          // A step back is noise: the trace stays in place.
          offer(target - 1, score + cost.staying(at - to.centimetres), at, source, .along)
        }
        target = Int(to.next)
      }
      target = Int(targets[Int(from.street.opposite.index)])
      while target > 0 {
        let to = candidates[target - 1]
        let turn = to.length - to.centimetres
        let way =
          turn >= at
          ? cost.of(turn - at, from.milliseconds(upTo: turn) - from.milliseconds(upTo: at))
          : cost.of(at - turn, to.milliseconds(upTo: to.centimetres) - to.milliseconds(upTo: to.length - at))
        offer(target - 1, score + cost.uTurn + way, to.centimetres, source, .turned)
        target = Int(to.next)
      }
    }
    return best
  }

  /// Appends the arcs of the way to a target, last arc first.
  private func unwind(_ target: Int, _ label: inout Lattice.Label, into arcs: inout [UInt32]) {
    label.firstArc = UInt32(arcs.count)
    arcs.append(via[target].arc)
    var state = states[Int(via[target].state)]
    while state.arc & StepSearch.seed == 0 {
      arcs.append(state.arc)
      state = states[Int(state.parent)]
    }
    label.arcCount = UInt32(arcs.count) - label.firstArc
    label.from = Int32(state.arc & (StepSearch.turned - 1))
    if state.arc & StepSearch.turned != 0 { label.way = .turnedThrough }
  }
}

/// The costs of ways between two observations, in whole numbers of 2^-24 nats: a hidden Markov model (P. Newson, J.
/// Krumm 2009) whose transitions are additive. The cost of a way is
///
///     centimetres * A + milliseconds * B        A = 1 / (100 beta), B = w / 1000
///
/// so that one search finds the best way to every candidate, and sums of costs do not depend on the order of addition.
struct StepCost {
  /// The cost per centimetre, A.
  var length: UInt64
  /// The cost per millisecond, B.
  var time: UInt64
  /// The cost of a U-turn on a street.
  var uTurn: UInt64
  /// The maximum backward movement along a street that counts as noise, in centimetres.
  var tolerance: UInt32
  /// The standard deviation of the distance between the observations, in metres.
  var sigma: Double
  /// The maximum cost of a way.
  var limit: UInt64
  /// The straight-line distance between the observations, in metres.
  var straight: Double

  /// One nat.
  static let nat = Double(1 << 24)
  /// A path is dropped if it costs this much more than the best one: 12 nats.
  static let beam = UInt64(12 * nat)

  /// Returns the cost of a distance of `metres` from a street.
  static func emission(_ metres: Double, sigma: Double) -> UInt64 {
    UInt64((metres * metres / (2 * sigma * sigma) * nat).rounded())
  }

  /// - Parameter isTimed: Whether time costs anything; if not, only the length of a way is limited.
  init(from a: Observation, to b: Observation, by type: TransportType, isTimed: Bool = true) {
    straight = a.coordinate.planeDistance(to: b.coordinate)
    let seconds = a.time.flatMap { before in b.time.map { $0 - before } }.flatMap { $0 > 0 ? max(1, $0) : nil }
    sigma = (a.sigma * a.sigma + b.sigma * b.sigma).squareRoot()
    let beta = 5 + 0.5 * sigma + 0.2 * straight
    // Metres per second.
    let carSpeed = 10.0
    let speed =
      switch type {
      case .automobile: carSpeed
      case .cycling: 4.0
      case .walking, .transit: 1.2
      }
    // A second costs as much as the distance travelled in it; otherwise staying would cost slow travellers less than
    // moving.
    let natsPerSecond = (0.2 + (seconds.map { 0.7 / max($0, 5) } ?? 0)) * speed / carSpeed
    length = max(1, UInt64((StepCost.nat / (100 * beta)).rounded()))
    time = isTimed ? UInt64((StepCost.nat * natsPerSecond / 1000).rounded()) : 0
    uTurn = UInt64((type == .walking ? 4 : 6) * StepCost.nat)
    let noise = 3 * (a.sigma + b.sigma)
    tolerance = UInt32(noise * 100)
    // Four times the straight line plus 500 m and the noise, at an urban speed. A larger limit would match noise to
    // long detours; an observation without a way within the limit is left out.
    let reach = 4 * straight + 500 + noise
    limit = UInt64(reach * 100) * length + UInt64(reach / speed * 1000) * time
  }

  /// The maximum time of a way within the limit, in milliseconds.
  var maximumTime: Double { Double(limit) / Double(time) }

  /// Returns the cost of staying when the next observation is a given number of centimetres behind, which is noise.
  func staying(_ centimetres: UInt32) -> UInt64 { StepCost.emission(Double(centimetres) / 100, sigma: sigma) }

  /// Returns the cost of a way.
  @inline(__always)
  func of(_ centimetres: UInt32, _ milliseconds: UInt32) -> UInt64 {
    UInt64(centimetres) &* length &+ UInt64(milliseconds) &* time
  }
}

extension FixedCoordinate {
  /// Returns the difference in longitude, in units of 1e-7 degrees, the shorter way around the earth.
  func eastward(to other: FixedCoordinate) -> Double {
    (Double(other.longitude) - Double(longitude)).remainder(dividingBy: 3.6e9)
  }

  /// Returns the distance in metres to a nearby point, in the plane.
  func planeDistance(to other: FixedCoordinate) -> Double {
    let middle = (Double(latitude) + Double(other.latitude)) / 2e7 * .pi / 180
    let dx = eastward(to: other) * cos(middle)
    let dy = Double(other.latitude) - Double(latitude)
    return (dx * dx + dy * dy).squareRoot() * Coordinate.metresPerDegree / 1e7
  }
}

extension TransportType {
  /// The urban speed in metres per second (50, 20 or 5 km/h) that bounds how far trips lead in a straight line.
  package var urbanSpeed: Double {
    switch self {
    case .automobile: 14
    case .cycling: 5.5
    case .walking, .transit: 1.4
    }
  }

  /// The speed in metres per second above which a movement is implausible.
  package var impossibleSpeed: Double {
    switch self {
    case .automobile: 70
    case .cycling: 25
    case .walking, .transit: 10
    }
  }
}
