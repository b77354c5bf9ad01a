import Hierarchy

/// How slow the streets of a network are over the week: a profile for each street in each direction.
package struct StreetSpeeds: Sendable {
  package let profiles: SpeedProfiles
  /// The profile of each street in each direction (by `DirectedStreet.index`).
  package let streets: Column<UInt32>

  package init(_ profiles: SpeedProfiles, streets: Column<UInt32>) {
    (self.profiles, self.streets) = (profiles, streets)
  }

  package func profile(of street: DirectedStreet) -> UInt32 { streets[Int(street.index)] }
}
