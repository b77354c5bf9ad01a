import Geography
import Tables

/// A place of rows that changed, or that is in one of two runs alone, or has moved: a row of a comparison's table `place`.
package struct ComparedPlace: Sendable {
  package var id: String
  package var role: PlaceRole
  package var name: String?
  package var point: FixedCoordinate
  /// `new`, `gone` or `moved`; nil for a place that is where it was.
  package var change: String?

  package var label: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? id }
}

/// The change of an origin: of those of its rows that changed.
package struct ChangedOrigin: Sendable {
  package var id: String
  /// How many rows, and which changes they are.
  package var counts: [Change: Int]
  /// The mean difference of those that both runs have: seconds, or square metres; nil for none.
  package var difference: Double?
}

/// A share of what is counted within a threshold, in both runs: a row of table `change_of_share`.
package struct ChangedShare: Sendable {
  /// Its hour, from 1; nil in jobs without hours.
  package var departure: Int?
  package var threshold: Int
  package var measure: String
  package var old: (value: Double, share: Double?)
  package var new: (value: Double, share: Double?)
}
