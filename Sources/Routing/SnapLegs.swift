import Hierarchy
import StreetNetwork

/// The weights of straight lines between places and their streets, on foot.
package struct SnapLegs: Sendable {
  /// The walking speed; nil if the lines are not included.
  private let metresPerSecond: Double?

  package init(_ network: StreetNetwork, _ options: Directions.Options) {
    let isCounted = options.countsSnapLegs ?? network.profile.countsSnapLegs
    metresPerSecond = isCounted ? network.profile.snapLegSpeed : nil
  }

  /// Returns the weight of the line to the street; zero on a square, where each position has its own line.
  package func weight(of snap: Snap) -> Weight { snap.position.line == .zero ? weight(of: snap.distance) : .zero }

  /// Returns the weight of a line of `distance` metres, at most the limit of an arc.
  package func weight(of distance: Double) -> Weight {
    guard let metresPerSecond else { return .zero }
    let limit = Double(Weight.arcLimit)
    return Weight(
      milliseconds: UInt32(min(limit, (distance / metresPerSecond * 1000).rounded())),
      centimetres: UInt32(min(limit, (distance * 100).rounded())))
  }
}
