import StreetNetwork

/// Places grouped by street.
struct StreetPlaces: Sendable {
  private let indices: [StreetID: [Int32]]
  /// The places on several streets.
  private let onSeveralStreets: Set<Int32>

  init(_ places: [TripEnd?]) {
    var indices: [StreetID: [Int32]] = [:]
    var onSeveralStreets: Set<Int32> = []
    for (index, place) in places.enumerated() {
      guard let snap = place?.snap else { continue }
      indices[snap.street, default: []].append(Int32(index))
      guard !snap.twins.isEmpty || snap.square != nil else { continue }
      onSeveralStreets.insert(Int32(index))
      for street in Set(snap.twins.map(\.street) + [snap.square].compactMap(\.self)) where street != snap.street {
        indices[street, default: []].append(Int32(index))
      }
    }
    (self.indices, self.onSeveralStreets) = (indices, onSeveralStreets)
  }

  /// Calls `body` once with each place on any of `streets`.
  func forEach(on streets: [StreetID], _ body: (_ index: Int) -> Void) {
    var seen: Set<Int32> = []
    for street in streets {
      for index in indices[street] ?? []
      where onSeveralStreets.isEmpty || !onSeveralStreets.contains(index) || seen.insert(index).inserted {
        body(Int(index))
      }
    }
  }
}
