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
    /// By the network: so many junctions around it are reached from one another. Places are snapped to it, or not.
    case used(junctions: Int, MainReach.Trap?, isSnapped: Bool)
    /// It is not used, because of a tag.
    case closed(String)
  }
}
