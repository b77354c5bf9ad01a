import Geography
import StreetNetwork

/// A possible position of an observation on a street, in one direction.
struct Candidate: BitwiseCopyable {
  var street: DirectedStreet
  /// The distance from the street's start in its direction.
  var centimetres: UInt32
  /// The whole street's length in centimetres, and its time.
  var length: UInt32
  var milliseconds: UInt32
  /// The segment of the street's shape that contains the point, counted from the tail.
  var segment: UInt32
  var point: FixedCoordinate
  /// The distance from the observation, in metres.
  var distance: Double
  /// The cost of the distance, in 2^-24 nats.
  var emission: UInt64
  /// The index of the next candidate on the same street in the same direction, plus 1; 0 for none.
  var next: UInt16 = 0

  /// Returns the time from the street's start to a point on it, in proportion to the length. Times are rounded once per
  /// point, so that parts of a street add up to the whole.
  @inline(__always)
  func milliseconds(upTo centimetres: UInt32) -> UInt32 {
    guard length > 0 else { return 0 }
    return UInt32((UInt64(milliseconds) &* UInt64(centimetres) &+ UInt64(length) / 2) / UInt64(length))
  }
}

/// A search for the candidates of observations. Each thread needs its own object.
final class CandidateSearch {
  private let network: StreetNetwork
  private let search: StreetSearch
  private var nearPoints: [NearPoint] = []

  /// The minimum search radius, in metres.
  private static let minimumRadius = 50.0
  /// The maximum number of streets per observation.
  private static let maximumStreets = 20
  /// The maximum number of candidates: streets with many hairpins have several.
  private static let maximumCandidates = 64

  init(_ network: StreetNetwork) {
    self.network = network
    search = StreetSearch(network)
  }

  /// Finds the candidates of an observation, nearest first: on the nearest streets within four standard deviations (at
  /// least 50 m), or within twice that radius if there are none.
  func find(_ observation: Observation, into candidates: inout [Candidate]) {
    candidates.removeAll(keepingCapacity: true)
    let radius = max(CandidateSearch.minimumRadius, 4 * observation.sigma)
    for factor in [1.0, 2] where nearPoints.isEmpty || factor == 1 {
      nearPoints.removeAll(keepingCapacity: true)
      search.points(near: observation.coordinate, within: radius * factor, to: &nearPoints)
    }
    guard !nearPoints.isEmpty else { return }
    // Ferry lines are candidates only if no street is near, so that they are not matched along a quay.
    if nearPoints.contains(where: { !isFerry($0.street) }) { nearPoints.removeAll { isFerry($0.street) } }
    nearPoints.sort { ($0.distance, $0.street, $0.segment) < ($1.distance, $1.street, $1.segment) }
    var streets = 0
    for index in nearPoints.indices where candidates.count < CandidateSearch.maximumCandidates {
      let isFirst = !nearPoints[..<index].contains { $0.street == nearPoints[index].street }
      if isFirst {
        streets += 1
        guard streets <= CandidateSearch.maximumStreets else { break }
      } else {
        guard isLocalMinimum(index) else { continue }
      }
      add(nearPoints[index], isFirst: isFirst, observation, to: &candidates)
    }
  }

  private func isFerry(_ street: StreetID) -> Bool { network.attributes(of: street).kind == .ferry }

  /// Returns whether a point is a local minimum of the distance to its street: at the end of a segment, the next
  /// segment must also have its minimum there.
  private func isLocalMinimum(_ index: Int) -> Bool {
    let point = nearPoints[index]
    guard point.touchesPreviousRun || point.touchesNextRun else { return true }
    return nearPoints.contains { other in
      other.street == point.street
        && (point.touchesPreviousRun
          ? other.touchesNextRun && other.segment + 1 == point.segment
          : other.touchesPreviousRun && other.segment == point.segment + 1 && other.segment > point.segment)
    }
  }

  /// Adds a point in each open direction of its street, unless it is too close to a nearer one.
  private func add(
    _ point: NearPoint, isFirst: Bool, _ observation: Observation, to candidates: inout [Candidate]
  ) {
    let street = network.street(point.street)
    let minimumDistance = 4 * observation.sigma * 100
    // Measuring the position takes longer.
    guard isFirst || Double(street.centimetres) >= minimumDistance else { return }
    let forward = search.centimetres(of: point)
    if !isFirst {
      for other in candidates where other.street.street == point.street {
        let position = other.street.isReversed ? other.length - other.centimetres : other.centimetres
        if abs(Double(position) - Double(forward)) < minimumDistance { return }
      }
    }
    let emission = StepCost.emission(point.distance, sigma: observation.sigma)
    for isReversed in [false, true] where street.isOpen(isReversed: isReversed) {
      candidates.append(
        Candidate(
          street: DirectedStreet(point.street, isReversed: isReversed),
          centimetres: isReversed ? street.centimetres - forward : forward, length: street.centimetres,
          milliseconds: street.milliseconds(isReversed: isReversed), segment: point.segment,
          point: search.coordinate(of: point), distance: point.distance, emission: emission))
    }
  }
}
