import StreetNetwork

/// Places grouped by street.
struct StreetPlaces: Sendable {
  private let indices: [StreetID: [Int32]]
  /// The places on several streets.
  private let several: Set<Int32>

  init(_ places: [TripEnd?]) {
    var indices: [StreetID: [Int32]] = [:]
    var several: Set<Int32> = []
    for (index, place) in places.enumerated() {
      guard let snap = place?.snap else { continue }
      indices[snap.street, default: []].append(Int32(index))
      guard !snap.twins.isEmpty || snap.square != nil else { continue }
      several.insert(Int32(index))
      for street in Set(snap.twins.map(\.street) + [snap.square].compactMap(\.self)) where street != snap.street {
        indices[street, default: []].append(Int32(index))
      }
    }
    (self.indices, self.several) = (indices, several)
  }

  /// Calls `body` once with each place on any of `streets`.
  func forEach(on streets: [StreetID], _ body: (_ index: Int) -> Void) {
    var met: Set<Int32> = []
    for street in streets {
      for index in indices[street] ?? [] where several.isEmpty || !several.contains(index) || met.insert(index).inserted
      {
        body(Int(index))
      }
    }
  }
}
