import Geography
import StreetNetwork

/// What files of traces do not say themselves.
package struct TraceFormat: Sendable {
  /// Seconds between the positions of a polyline in a column; nil: they have no times.
  package var interval: Double?
  /// The clock of times without a zone; nil: they are refused.
  package var clock: LocalClock?
  /// The map's: a fix outside of it that would lie inside with longitude and latitude exchanged is refused with that advice.
  package var area = BoundingBox.earth
  /// Bytes that the fixes of a file may take whose traces do not stand together.
  package var memory = 1 << 30

  package init() {}
}
