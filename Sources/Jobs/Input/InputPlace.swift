import Geography
import Results

/// A place of the input, at one end of pairs.
package struct InputPlace: Sendable {
  package var id: Identifier
  package var role: Role
  package var name: String?
  package var coordinate: FixedCoordinate
  /// How much it counts: residents, say.
  package var weight: Double?

  package enum Role: String, Sendable { case origin, destination }
}
