import Geography
import StreetNetwork
import Tables

extension SnappedPlace {
  /// What a person should know of where the place lies; nil where all is well.
  func reason(at place: FixedCoordinate, on network: StreetNetwork) -> PlaceReason? {
    if isOutside { return .coverage }
    if let end { return end.snap.distance > PlaceReason.farMetres ? .far : nil }
    return passedSize != nil ? .island : network.box.contains(place) ? .noStreet : .offMap
  }
}
