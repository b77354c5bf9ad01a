import COdometer
import Jobs
import Routing
import Tables

/// What an `odometer_status` says: the words that results have.
enum TripStatus: odometer_status, CaseIterable {
  case ok, directionsNotFound, placemarkNotFound, tooLong

  var row: RowStatus {
    switch self {
    case .ok: .ok
    case .directionsNotFound, .tooLong: .directionsNotFound
    case .placemarkNotFound: .placemarkNotFound
    }
  }

  /// Of a trip without an answer.
  init(without origin: TripEnd?, _ destination: TripEnd?, _ router: Router) {
    if let origin, let destination {
      self = router.isTooLong(from: origin, to: destination) ? .tooLong : .directionsNotFound
    } else {
      self = .placemarkNotFound
    }
  }
}
