import Tables

/// Which stops of a timetable to use, by `wheelchair_boarding`.
package enum WheelchairBoarding: String, Sendable, CaseIterable {
  /// All.
  case any
  /// Those not marked as inaccessible.
  case possible
  /// Those marked as accessible.
  case known
}
