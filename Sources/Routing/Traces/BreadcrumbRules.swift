/// Which fixes a breadcrumb keeps: the rules of MapKit's sample "Breadcrumb".
public struct BreadcrumbRules: Hashable, Sendable {
  /// A fix received this many seconds after it was recorded, or later, is dropped.
  public var maximumAge = 60.0
  /// How many fixes are kept whatever their distance, before the rules of distance and speed begin.
  public var unfilteredFirst = 11
  /// A fix must be farther than this many metres from the last one kept.
  public var minimumDistance = 10.0
  /// The highest mean speed of the last five updates, in metres per second; nil for no limit.
  public var maximumSpeed: Double?
  /// The rules of the sample.
  public init() {}
}
