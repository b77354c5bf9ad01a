/// How a trace is cleaned and matched.
public struct MatchOptions: Hashable, Sendable {
  /// Which fixes are kept.
  public var breadcrumb = BreadcrumbRules()
  /// The standard deviation of all fixes in metres; nil: each fix's own `horizontalAccuracy`, or, where fixes have none, estimated.
  public var accuracy: Double?
  /// Seconds without a fix after which a new part begins, unless the way takes that long.
  public var maximumGap = 300.0
  /// Seconds from which on standing still is a stop.
  public var stopTime = 60.0
  /// Metres within which a device stands still, at least three standard deviations.
  public var stopRadius = 25.0
  /// Whether the fastest trip between the ends of each part is computed, too.
  public var comparesWithFastest = true
  /// The defaults.
  public init() {}
}
