import Geography

/// An area in which one country's rules hold, or traffic drives on one side.
struct Territory: Sendable {
  var outline: Outline
  var country: Country?
  /// Where the map states it for the area.
  var drivesOnLeft: Bool?
}
