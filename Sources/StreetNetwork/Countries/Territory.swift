import Geography

/// An area with one country's rules, or with one driving side.
struct Territory: Sendable {
  var outline: Outline
  var country: Country?
  /// If the map states it for the area.
  var drivesOnLeft: Bool?
}
