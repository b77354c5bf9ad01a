import Geography
import Results
import Routing

/// Why there is no route between two places: what is the matter with which end.
struct RouteReason {
  /// Parts joined by commas, each an end and what is the matter with it.
  let text: String

  init(
    origin: SnappedPlace, at from: FixedCoordinate, destination: SnappedPlace, at to: FixedCoordinate, _ router: Router
  ) {
    guard let source = origin.usableEnd, let target = destination.usableEnd else {
      let ends = [("origin", origin, from), ("destination", destination, to)]
      text = ends.compactMap { name, place, point in
        place.usableEnd == nil ? place.reason(at: point, on: router.network).map { "\(name): \($0.rawValue)" } : nil
      }.joined(separator: ", ")
      return
    }
    let sizes = [source, target].map { router.network.componentSize(of: $0.snap.street) }
    let isOrigin = sizes[0] <= sizes[1]
    if router.weight(from: target, to: source) != nil {
      // There is a way back: one of the two is a place that one only comes to, or only leaves.
      text = isOrigin ? "origin: cannot be left" : "destination: cannot be entered"
    } else {
      let size = min(sizes[0], sizes[1])
      text = "\(isOrigin ? "origin" : "destination"): island of \(size) \(size == 1 ? "street" : "streets")"
    }
  }
}
