import Geography
import Input
import Routing
import StreetNetwork
import Tables

struct SnappedPlace: Sendable {
  /// The end for trips from or to the place; nil if there is no street within the snap limit.
  var end: TripEnd?
  /// The number of junctions of the island that snapping passed over, if any.
  var passedSize: Int?
  /// Whether the place lies outside the job's coverage.
  var isOutside = false

  var status: RowStatus { isOutside ? .outsideCoverage : end == nil ? .placemarkNotFound : .ok }
  /// The end to use for trips; nil if there is none.
  var usableEnd: TripEnd? { isOutside ? nil : end }
}

/// Snapped places in order: 32 bytes each.
struct SnappedPlaces: RandomAccessCollection, Sendable {
  private let places: any PlaceList
  private let legs: SnapLegs
  private var snaps = BlockColumn<PackedSnap>()
  /// The snaps of the few places on several streets, or on a square.
  private var others: [Int: Snap] = [:]
  private var passedSizes: [Int: Int] = [:]

  /// The data of most places, except their coordinates, which are in `places`.
  private struct PackedSnap: BitwiseCopyable, Sendable {
    var fraction = 0.0
    var distance = 0.0
    var point = FixedCoordinate(longitude: 0, latitude: 0)
    var street = PackedSnap.noStreet
    /// The segment, and in the highest bit whether the place is outside the coverage.
    var segment: UInt32 = 0

    static let noStreet = UInt32.max
    static let outside: UInt32 = 1 << 31
  }

  /// Bytes per place, for many places.
  static let placeMemory = MemoryLayout<PackedSnap>.stride

  /// Creates an empty list for `places`, whose snaps are then appended in order.
  init(of places: any PlaceList, _ legs: SnapLegs) { (self.places, self.legs) = (places, legs) }

  var startIndex: Int { 0 }
  var endIndex: Int { snaps.count }

  mutating func append(_ place: SnappedPlace) {
    snaps.append(PackedSnap())
    self[count - 1] = place
  }

  subscript(index: Int) -> SnappedPlace {
    get {
      let packed = snaps[index]
      var place = SnappedPlace(
        passedSize: passedSizes.isEmpty ? nil : passedSizes[index], isOutside: packed.segment & PackedSnap.outside != 0)
      guard packed.street != PackedSnap.noStreet else { return place }
      let position = StreetPosition(
        street: StreetID(packed.street), fraction: packed.fraction, segment: Int(packed.segment & ~PackedSnap.outside))
      let stored = others.isEmpty ? nil : others[index]
      let snap = stored ?? Snap(position: position, point: packed.point, distance: packed.distance)
      place.end = TripEnd(place: places.coordinate(at: index), snap: snap, leg: legs.weight(of: snap))
      return place
    }
    set {
      var packed = PackedSnap()
      if let snap = newValue.end?.snap {
        (packed.fraction, packed.distance, packed.point) = (snap.fraction, snap.distance, snap.point)
        (packed.street, packed.segment) = (snap.street.index, UInt32(snap.segment))
        precondition(packed.segment < PackedSnap.outside, "a street of more than 2^31 segments")
      }
      if newValue.isOutside { packed.segment |= PackedSnap.outside }
      snaps[index] = packed
      let other = newValue.end.flatMap { $0.snap.twins.isEmpty && $0.snap.square == nil ? nil : $0.snap }
      if other != nil || !others.isEmpty { others[index] = other }
      if newValue.passedSize != nil || !passedSizes.isEmpty { passedSizes[index] = newValue.passedSize }
    }
  }
}

extension SnappedPlace {
  /// Returns the problem with the place; nil if there is none.
  func reason(at place: FixedCoordinate, on network: StreetNetwork) -> PlaceReason? {
    if isOutside { return .coverage }
    if let end { return end.snap.distance > PlaceReason.farMetres ? .far : nil }
    return passedSize != nil ? .island : network.box.contains(place) ? .noStreet : .offMap
  }
}
