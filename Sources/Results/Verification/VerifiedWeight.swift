/// What results say of a trip, in the units of the engine.
package struct VerifiedWeight: Sendable, Hashable {
  package var milliseconds: Int
  /// Nil where the results have none.
  package var centimetres: Int?

  package init(milliseconds: Int, centimetres: Int?) {
    (self.milliseconds, self.centimetres) = (milliseconds, centimetres)
  }

  /// Nil for no seconds, and for what no trip can have.
  init?(seconds: Double?, metres: Double?) {
    guard let milliseconds = seconds.flatMap({ Int(exactly: ($0 * 1000).rounded()) }) else { return nil }
    self.init(milliseconds: milliseconds, centimetres: metres.flatMap { Int(exactly: ($0 * 100).rounded()) })
  }
}
