/// The ascent and descent of a street in centimetres, from its tail to its head.
package struct Climb: Sendable, BitwiseCopyable, Hashable, Codable {
  package var ascent: UInt32 = 0
  package var descent: UInt32 = 0

  package init(ascent: UInt32 = 0, descent: UInt32 = 0) { (self.ascent, self.descent) = (ascent, descent) }

  /// Returns the climb of a part of the street, in proportion to its length.
  package func share(_ length: UInt32, of whole: UInt32) -> Climb {
    func part(_ centimetres: UInt32) -> UInt32 {
      UInt32((UInt64(centimetres) * UInt64(min(length, whole)) + UInt64(whole) / 2) / UInt64(max(whole, 1)))
    }
    return Climb(ascent: part(ascent), descent: part(descent))
  }

  /// Adds two climbs; sums are clamped to 42,949 km, which is more than any real climb.
  package static func + (a: Climb, b: Climb) -> Climb {
    func sum(_ a: UInt32, _ b: UInt32) -> UInt32 { UInt32(clamping: UInt64(a) + UInt64(b)) }
    return Climb(ascent: sum(a.ascent, b.ascent), descent: sum(a.descent, b.descent))
  }

  /// The same climb, from head to tail.
  package var reversed: Climb { Climb(ascent: descent, descent: ascent) }
}
