import Tables

/// Which stops of a timetable count, by its `wheelchair_boarding`.
package enum WheelchairBoarding: String, Sendable, CaseIterable {
  /// All.
  case any
  /// Those that do not say that no wheelchair can board there.
  case possible
  /// Those that say that wheelchairs can.
  case known
}
