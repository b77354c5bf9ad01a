import Hierarchy
import StreetNetwork

extension Router {
  /// The middle of a street of the largest part of the network.
  func findMainEnd() -> TripEnd? {
    let sizes = (0..<network.streetCount).map { network.componentSize(of: StreetID($0)) }
    guard let most = sizes.max() else { return nil }
    for street in sizes.indices where sizes[street] == most {
      let shape = network.shape(of: StreetID(street))
      guard !shape.isEmpty else { continue }
      let end = end(at: network.point(shape[shape.startIndex + shape.count / 2]).coordinate)
      // Another street may have the same point.
      if let end, network.componentSize(of: end.snap.street) == most { return end }
    }
    return nil
  }
}
