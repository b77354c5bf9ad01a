import StreetNetwork

/// Places by the street they were snapped to.
struct StreetPlaces: Sendable {
  private let indices: [StreetID: [Int32]]

  init(_ places: [TripEnd?]) {
    var indices: [StreetID: [Int32]] = [:]
    for (index, place) in places.enumerated() {
      if let place { indices[place.snap.street, default: []].append(Int32(index)) }
    }
    self.indices = indices
  }

  func forEach(on streets: [StreetID], _ body: (_ index: Int) -> Void) {
    for street in streets {
      for index in indices[street] ?? [] { body(Int(index)) }
    }
  }
}
