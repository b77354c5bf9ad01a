import COdometer
import Jobs
import Routing
import Tables

/// The values of an `odometer_status`, with the same names as in results.
enum TripStatus: odometer_status, CaseIterable {
  case ok, directionsNotFound, placemarkNotFound, tooLong

  var row: RowStatus {
    switch self {
    case .ok: .ok
    case .directionsNotFound, .tooLong: .directionsNotFound
    case .placemarkNotFound: .placemarkNotFound
    }
  }

  /// Returns the status of a trip without a result.
  init(without origin: TripEnd?, _ destination: TripEnd?, _ router: Router) {
    if let origin, let destination {
      self = router.isTooLong(from: origin, to: destination) ? .tooLong : .directionsNotFound
    } else {
      self = .placemarkNotFound
    }
  }
}
