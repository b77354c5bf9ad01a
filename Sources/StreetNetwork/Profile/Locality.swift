/// Where a way lies, as far as rules depend on it.
struct Locality: Hashable, Sendable {
  /// Whether it lies in a town or village, where other speed limits hold.
  var isBuiltUp = false
}
