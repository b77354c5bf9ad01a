import Tables

/// Which stops of a timetable count, by its `wheelchair_boarding`, and which trips, by `wheelchair_accessible`.
package enum WheelchairBoarding: String, Sendable, CaseIterable {
  /// All.
  case any
  /// Those that do not say that no wheelchair can board there.
  case possible
  /// Those that say that wheelchairs can.
  case known

  /// - Parameter value: Of either field: 1 yes, 2 no, else unknown.
  func allows(_ value: UInt16) -> Bool {
    switch self {
    case .any: true
    case .possible: value != 2
    case .known: value == 1
    }
  }
}
