/// The kinds of jobs: what is computed, and which tables and files the results have.
package enum JobKind: String, Sendable, CaseIterable {
  /// Every pair's route: time, distance, steps and shape.
  case routes
  /// Every pair's time and distance alone.
  case etas
  /// Every time and distance between two lists of places.
  case matrix
  /// The stations nearest to each origin.
  case access
  /// The areas within some times of places.
  case isochrones
}
