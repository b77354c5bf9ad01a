/// Where a way lies, as far as rules depend on it.
struct Locality: Sendable {
  var country: Country?
  /// The side that traffic drives on there; nil where neither the map nor the table of countries knows.
  var drivesOnLeft: Bool?
  /// Whether it lies in a town or village, where other speed limits hold.
  var isBuiltUp = false
}
