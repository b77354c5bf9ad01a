import Geography

/// A trip that somebody made: from where to where, when, and how long it took.
struct ObservedTrip: Sendable {
  var line: Int
  var origin: FixedCoordinate
  var destination: FixedCoordinate
  /// Seconds since 1970.
  var departure: Double
  /// Seconds.
  var duration: Double
  /// Metres along its trace; nil where the file does not say.
  var length: Double?
}
