import Routing
import StreetNetwork
import Tables

/// Where a worker finds the routes of pairs that avoid the same: its router, and the places on the streets of that network.
final class RouteSearch {
  /// In addition to what the job avoids.
  let avoids: Profile.Avoidance
  let places: SnappedPlaces
  /// Made when the first pair needs it.
  private(set) lazy var router = makeRouter()
  private let makeRouter: () -> Router

  init(avoids: Profile.Avoidance, places: SnappedPlaces, makeRouter: @escaping () -> Router) {
    (self.avoids, self.places, self.makeRouter) = (avoids, places, makeRouter)
  }
}
