import Foundation
import Geography
import StreetNetwork

/// What ways between two observations cost, in whole numbers of 2^-24 nats: a hidden Markov model (P. Newson,
/// J. Krumm 2009) whose transitions are additive. A way of so many centimetres and milliseconds costs
///
///     centimetres * A + milliseconds * B        A = 1 / (100 beta), B = w / 1000
///
/// so that one search finds the best way to every candidate, and costs are the same in every order of addition.
struct StepCost {
  /// Per centimetre, A.
  var length: UInt64
  /// Per millisecond, B.
  var time: UInt64
  /// Of turning around on a street.
  var uTurn: UInt64
  /// How far noise may set a trace back along its street, in centimetres.
  var tolerance: UInt32
  /// The standard deviation of the distance between the observations, in metres.
  var sigma: Double
  /// The most that a way may cost.
  var limit: UInt64
  /// Metres in a straight line between the observations.
  var straight: Double

  /// One nat.
  static let nat = Double(1 << 24)
  /// What a path may be worse than the best before it is forgotten: 12 nats.
  static let beam = UInt64(12 * nat)

  /// What a distance of `metres` from a street costs.
  static func emission(_ metres: Double, sigma: Double) -> UInt64 {
    UInt64((metres * metres / (2 * sigma * sigma) * nat).rounded())
  }

  init(from a: Observation, to b: Observation, by type: TransportType) {
    straight = a.coordinate.planeDistance(to: b.coordinate)
    let seconds = a.time.flatMap { before in b.time.map { $0 - before } }.flatMap { $0 > 0 ? max(1, $0) : nil }
    sigma = (a.sigma * a.sigma + b.sigma * b.sigma).squareRoot()
    let beta = 5 + 0.5 * sigma + 0.2 * straight
    let carPace = 10.0
    let pace =
      switch type {
      case .automobile: carPace
      case .cycling: 4.0
      case .walking: 1.2
      }
    // A second weighs as much as the way does on which it is spent: else those who are slow would rather stay than go.
    let natsPerSecond = (0.2 + (seconds.map { 0.7 / max($0, 5) } ?? 0)) * pace / carPace
    length = max(1, UInt64((StepCost.nat / (100 * beta)).rounded()))
    time = UInt64((StepCost.nat * natsPerSecond / 1000).rounded())
    uTurn = UInt64((type == .walking ? 4 : 6) * StepCost.nat)
    let wobble = 3 * (a.sigma + b.sigma)
    tolerance = UInt32(wobble * 100)
    // Four times the straight line and 500 m, at the pace of a town. A greater limit finds long ways around what is
    // noise; a step that has no way is left out.
    let reach = 4 * straight + 500 + wobble
    limit = UInt64(reach * 100) * length + UInt64(reach / pace * 1000) * time
  }

  /// No way within the limit takes more milliseconds.
  var longestTime: Double { Double(limit) / Double(time) }

  /// What it costs to stay while the next observation is so many centimetres behind: that is noise.
  func staying(_ centimetres: UInt32) -> UInt64 { StepCost.emission(Double(centimetres) / 100, sigma: sigma) }

  /// What a way costs.
  @inline(__always)
  func of(_ centimetres: UInt32, _ milliseconds: UInt32) -> UInt64 {
    UInt64(centimetres) &* length &+ UInt64(milliseconds) &* time
  }
}

extension FixedCoordinate {
  /// Units of 1e-7 degrees of longitude, the shorter way around the earth.
  func eastward(to other: FixedCoordinate) -> Double {
    (Double(other.longitude) - Double(longitude)).remainder(dividingBy: 3.6e9)
  }

  /// Metres to a point nearby, in the plane.
  func planeDistance(to other: FixedCoordinate) -> Double {
    let middle = (Double(latitude) + Double(other.latitude)) / 2e7 * .pi / 180
    let dx = eastward(to: other) * cos(middle)
    let dy = Double(other.latitude) - Double(latitude)
    return (dx * dx + dy * dy).squareRoot() * Coordinate.metresPerDegree / 1e7
  }
}

extension TransportType {
  /// Metres per second that nobody travels at.
  package var impossibleSpeed: Double {
    switch self {
    case .automobile: 70
    case .cycling: 25
    case .walking: 10
    }
  }
}
