/// Why a fix is not part of a match: it was dropped by the rules of a breadcrumb, or kept but could not be matched.
public enum FixReason: String, Hashable, Sendable, CaseIterable {
  // Dropped, in the order in which the rules are applied.
  /// A coordinate that is no number, or out of range.
  case invalid
  /// A time before that of the last fix.
  case order
  /// Received too long after it was recorded.
  case age
  /// Not farther from the last kept fix than the least distance.
  case distance
  /// The mean speed of the last updates is above the limit.
  case speed
  // Kept.
  /// No street near enough.
  case offRoad = "off_road"
  /// No way from the fixes before leads to it, though one does to those behind.
  case outlier
  /// Between two breaks by itself.
  case alone
}
