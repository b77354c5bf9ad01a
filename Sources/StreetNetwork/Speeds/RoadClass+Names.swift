extension RoadClass: CaseIterable {
  package static let allCases: [RoadClass] = (0...RoadClass.other.rawValue).compactMap(RoadClass.init)

  /// As tables have it: `primary`, `livingStreet`.
  package var name: String { "\(self)" }

  /// By its name, or by a value of `highway`: `residential`, `primary_link`.
  init?(named name: String) {
    if let known = RoadClass.allCases.first(where: { $0.name == name }) {
      self = known
    } else if RoadClass.highways.contains(name) {
      self.init(highway: name, kind: StreetKind(highway: name))
    } else {
      return nil
    }
  }

  private static let highways: Set = [
    "motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link", "unclassified", "residential",
    "road", "busway", "living_street", "pedestrian", "services", "rest_area", "footway", "cycleway", "bridleway",
    "steps", "corridor",
  ]
}
