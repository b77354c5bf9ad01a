import Geography
import Routing
import Tables

/// Why there is no route between two places: what is the matter with which end.
struct RouteReason {
  /// Parts joined by commas, each an end and what is the matter with it.
  let text: String

  /// - Parameter isTimed: Whether the trip was searched for at a time, which the streets may be closed at.
  init(
    origin: SnappedPlace, at from: FixedCoordinate, destination: SnappedPlace, at to: FixedCoordinate, isTimed: Bool,
    _ router: Router
  ) {
    guard let source = origin.usableEnd, let target = destination.usableEnd else {
      let ends = [("origin", origin, from), ("destination", destination, to)]
      text = ends.compactMap { name, place, point in
        place.usableEnd == nil ? place.reason(at: point, on: router.network).map { "\(name): \($0.rawValue)" } : nil
      }.joined(separator: ", ")
      return
    }
    if isTimed, router.weight(from: source, to: target) != nil {
      text = "closed"
      return
    }
    let ends = RouteReason.ends(source, target, router)
    guard ends.isEmpty else {
      text = ends.joined(separator: ", ")
      return
    }
    let sizes = [source, target].map { router.network.componentSize(of: $0.snap.street) }
    let isOrigin = sizes[0] <= sizes[1]
    if router.weight(from: target, to: source) != nil {
      // There is a way back: one of the two is a place that one only comes to, or only leaves.
      text = isOrigin ? "origin: cannot be left" : "destination: cannot be entered"
    } else {
      let size = min(sizes[0], sizes[1])
      text = "\(isOrigin ? "origin" : "destination"): island of \(size) \(size == 1 ? "junction" : "junctions")"
    }
  }

  /// What is the matter with each end, next to the largest part of the network; empty where both are of it.
  private static func ends(_ source: TripEnd, _ target: TripEnd, _ router: Router) -> [String] {
    guard let main = router.mainEnd else { return [] }
    func island(_ end: TripEnd) -> String {
      let size = router.network.componentSize(of: end.snap.street)
      return "island of \(size) \(size == 1 ? "junction" : "junctions")"
    }
    var ends: [String] = []
    if router.weight(from: source, to: main) == nil {
      ends.append("origin: \(router.weight(from: main, to: source) != nil ? "cannot be left" : island(source))")
    }
    if router.weight(from: main, to: target) == nil {
      ends.append("destination: \(router.weight(from: target, to: main) != nil ? "cannot be entered" : island(target))")
    }
    return ends
  }
}
