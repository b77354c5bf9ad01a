import Geography

/// An object of the map that blocks trips: a way, a node or a turn restriction.
package struct Obstacle: Sendable, Hashable {
  /// The ID as in OpenStreetMap's URLs: "way/45", "node/6", "relation/7".
  package var id: String
  /// Its name, if any.
  package var name: String
  /// The reason, such as the tag `access=private`.
  package var cause: String
  /// The point where a trip would reach it.
  package var point: FixedCoordinate
}

/// The smallest set of objects that would have to be open for a trip, in order of travel.
package struct Obstacles: Sendable {
  package var list: [Obstacle]
  /// The length of the trip if all of them were open.
  package var metres: Double
}
