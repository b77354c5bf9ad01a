/// What results say of a trip, in the units of the engine.
package struct VerifiedWeight: Sendable, Hashable {
  package var milliseconds: Int
  /// Nil where the results have none.
  package var centimetres: Int?

  package init(milliseconds: Int, centimetres: Int?) {
    (self.milliseconds, self.centimetres) = (milliseconds, centimetres)
  }

  init?(seconds: Double?, metres: Double?) {
    guard let seconds else { return nil }
    self.init(
      milliseconds: Int((seconds * 1000).rounded()), centimetres: metres.map { Int(($0 * 100).rounded()) })
  }
}
