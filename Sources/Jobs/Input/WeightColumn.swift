/// One weight of each place of a list: residents, jobs.
package struct WeightColumn: Sendable, Hashable {
  package let name: String
  /// In the order of the places; NaN where a place has none.
  package var values: [Double]

  /// The number in a field; NaN for nothing, infinity for what is not a number: no weight has that.
  static func number(_ field: String) -> Double {
    guard !field.isEmpty else { return .nan }
    return Double(field).flatMap { $0.isFinite ? $0 : nil } ?? .infinity
  }
}
