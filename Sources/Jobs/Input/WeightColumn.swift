/// A column of numbers that places are counted by: people, jobs, flats.
package struct WeightColumn: Sendable, Hashable {
  package var name: String
  /// In the order of the places; NaN where a place has none.
  package var values: [Double]
}
