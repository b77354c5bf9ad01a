import Tables

/// A filter for the stops of a timetable, by `wheelchair_boarding`.
package enum WheelchairBoarding: String, Sendable, CaseIterable {
  /// All stops.
  case any
  /// Stops not marked as inaccessible.
  case possible
  /// Stops marked as accessible.
  case known

  /// - Parameter value: The value of `wheelchair_boarding` or `wheelchair_accessible`: 1 yes, 2 no, otherwise unknown.
  package func allows(_ value: UInt16) -> Bool {
    switch self {
    case .any: true
    case .possible: value != 2
    case .known: value == 1
    }
  }
}
