/// The location of a way, for locality-dependent rules.
struct Locality: Sendable {
  var country: Country?
  /// The driving side; nil if neither the map nor the table of countries states it.
  var drivesOnLeft: Bool?
  /// Whether it is in a town or village, where different speed limits apply.
  var isBuiltUp = false
}
