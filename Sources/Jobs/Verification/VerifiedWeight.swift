import Tables

/// What results say of a trip, in the units of the engine.
package struct VerifiedWeight: Sendable, Hashable {
  package var milliseconds: Int
  /// Nil where the results have none.
  package var centimetres: Int?
  /// Whether they were read from 32-bit floats.
  var isSingle: Bool

  package init(milliseconds: Int, centimetres: Int?, isSingle: Bool = false) {
    (self.milliseconds, self.centimetres, self.isSingle) = (milliseconds, centimetres, isSingle)
  }

  /// As it would be read from 32-bit floats.
  package var single: VerifiedWeight {
    guard !isSingle else { return self }
    return VerifiedWeight(
      milliseconds: Int(SingleFloat.rounded(Int64(milliseconds), per: 1000)),
      centimetres: centimetres.map { Int(SingleFloat.rounded(Int64($0), per: 100)) }, isSingle: true)
  }

  /// Nil for no seconds, and for what no trip can have.
  init?(seconds: Double?, metres: Double?) {
    guard let milliseconds = seconds.flatMap({ Int(exactly: ($0 * 1000).rounded()) }) else { return nil }
    self.init(milliseconds: milliseconds, centimetres: metres.flatMap { Int(exactly: ($0 * 100).rounded()) })
  }
}
