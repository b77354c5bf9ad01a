import Tables

/// A trip's weight in the results, in the engine's units.
package struct VerifiedWeight: Sendable, Hashable {
  package var milliseconds: Int
  /// The length; nil if the results have none.
  package var centimetres: Int?
  /// Whether it was read from 32-bit floats.
  var isSingle: Bool

  package init(milliseconds: Int, centimetres: Int?, isSingle: Bool = false) {
    (self.milliseconds, self.centimetres, self.isSingle) = (milliseconds, centimetres, isSingle)
  }

  /// The weight rounded to 32-bit floats.
  package var single: VerifiedWeight {
    guard !isSingle else { return self }
    return VerifiedWeight(
      milliseconds: Int(SingleFloat.rounded(Int64(milliseconds), per: 1000)),
      centimetres: centimetres.map { Int(SingleFloat.rounded(Int64($0), per: 100)) }, isSingle: true)
  }

  /// Nil for missing seconds, and for impossible values.
  init?(seconds: Double?, metres: Double?) {
    guard let milliseconds = seconds.flatMap({ Int(exactly: ($0 * 1000).rounded()) }) else { return nil }
    self.init(milliseconds: milliseconds, centimetres: metres.flatMap { Int(exactly: ($0 * 100).rounded()) })
  }
}
