/// Options for cleaning and matching a trace.
public struct MatchOptions: Hashable, Sendable {
  /// The cleaning rules.
  public var breadcrumb = BreadcrumbRules()
  /// The standard deviation of all fixes in metres; nil for each fix's own `horizontalAccuracy`, or an estimate if it
  /// has none.
  public var accuracy: Double?
  /// The maximum gap between fixes within a part in seconds, unless the route takes as long.
  public var maximumGap = 300.0
  /// The minimum duration of a stop in seconds.
  public var stopTime = 60.0
  /// The radius of a stop in metres; at least three standard deviations.
  public var stopRadius = 25.0
  /// Whether to compute the fastest trip between the ends of each part.
  public var comparesWithFastest = true
  /// The defaults.
  public init() {}
}
