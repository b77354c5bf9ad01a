import Geography

/// What of the map keeps trips from going on: a way, a node, a turn.
package struct Obstacle: Sendable, Hashable {
  /// As in OpenStreetMap's URLs: "way/45", "node/6", "relation/7".
  package var id: String
  /// What is called so, if anything.
  package var name: String
  /// Why: `access=private`.
  package var cause: String
  /// Where one comes to it.
  package var point: FixedCoordinate
}

/// The fewest things of the map that would have to be open for a trip, in the order in which it would meet them.
package struct Obstacles: Sendable {
  package var list: [Obstacle]
  /// The length of that trip.
  package var metres: Double
}
