import Geography

/// A way of the map near a place, used by the network or not.
package struct NearStreet: Sendable {
  package var way: Int64
  /// `highway=footway`.
  package var classTag: String
  package var name: String
  /// Metres from the place.
  package var distance: Double
  package var use: Use

  package enum Use: Sendable, Hashable {
    /// Used by the network, with the size of its component, and whether places are snapped to it.
    case used(junctions: Int, MainReach.Trap?, isSnapped: Bool)
    /// Not used, because of a tag.
    case closed(String)
  }
}
