import Geography

extension RoadClass {
  /// The minimum web map zoom at which streets of the class are drawn.
  fileprivate var minZoom: UInt8 {
    switch self {
    case .motorway: 5
    case .trunk: 7
    case .primary: 8
    case .secondary, .other: 10
    case .tertiary: 11
    case .street: 12
    case .livingStreet: 13
    case .service, .track, .path: 14
    }
  }

  /// The zooms at which the class has a separate level of detail: four zooms apart, the last at street level.
  fileprivate var levels: [UInt8] { minZoom < 12 ? Array(stride(from: minZoom, to: 12, by: 4)) + [13] : [minZoom] }
}

extension BackdropBuilder {
  /// Adds the streets of a network, except gates and lines that cross squares.
  mutating func add(
    _ streets: [Street], points: [FixedCoordinate], _ attributes: [StreetAttributes], names: (UInt32) -> String
  ) {
    var kinds: [RoadClass: String] = [:]
    for (index, street) in streets.enumerated() where !street.flags.contains(.gate) {
      let attributes = attributes[Int(street.attributes)]
      guard !attributes.traits.contains(.square) else { continue }
      let end = index + 1 < streets.count ? Int(streets[index + 1].firstPoint) : points.count
      let line = Array(points[Int(street.firstPoint)..<end])
      let kind = kinds[attributes.roadClass] ?? "\(attributes.roadClass)"
      kinds[attributes.roadClass] = kind
      for zoom in attributes.roadClass.levels {
        add(BackdropFeature(layer: .street, kind: kind, minZoom: zoom, name: names(attributes.name), lines: [line]))
      }
    }
  }
}
