import Settings

/// Options for cleaning and matching a trace.
public struct MatchOptions: Hashable, Sendable {
  /// The cleaning rules.
  public var breadcrumb = BreadcrumbRules()
  /// The standard deviation of all fixes in metres; nil for each fix's own `horizontalAccuracy`, or an estimate if it
  /// has none.
  public var accuracy: Double?
  /// The maximum gap between fixes within a part, in seconds; a longer gap is accepted if the route takes at least a
  /// third of it.
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

extension MatchOptions {
  package static let accuracyType = SettingType.number(of: "metres", over: 0, atMost: 1000)
  package static let maximumGapType = SettingType.number(of: "seconds", over: 0, atMost: 1e9)
  package static let stopTimeType = SettingType.number(of: "seconds", over: 0, atMost: 1e9)
  package static let stopRadiusType = SettingType.number(of: "metres", over: 0, atMost: 10_000)

  /// *Throws*: `DirectionsError.invalidValue`.
  func check() throws(DirectionsError) {
    try breadcrumb.check()
    if let accuracy { try MatchOptions.accuracyType.check(accuracy, "accuracy") }
    try MatchOptions.maximumGapType.check(maximumGap, "maximumGap")
    try MatchOptions.stopTimeType.check(stopTime, "stopTime")
    try MatchOptions.stopRadiusType.check(stopRadius, "stopRadius")
  }
}

extension BreadcrumbRules {
  package static let maximumAgeType = SettingType.number(of: "seconds", over: 0, atMost: 1e9)
  package static let unfilteredFirstType = SettingType.wholeNumber(of: "fixes", 0...1_000_000)
  package static let minimumDistanceType = SettingType.number(of: "metres", atLeast: 0, atMost: 100_000)
  package static let maximumSpeedType = SettingType.number(of: "metres per second", over: 0, atMost: 1000)

  /// *Throws*: `DirectionsError.invalidValue`.
  fileprivate func check() throws(DirectionsError) {
    try BreadcrumbRules.maximumAgeType.check(maximumAge, "maximumAge")
    try BreadcrumbRules.unfilteredFirstType.check(Double(unfilteredFirst), "unfilteredFirst")
    try BreadcrumbRules.minimumDistanceType.check(minimumDistance, "minimumDistance")
    if let maximumSpeed { try BreadcrumbRules.maximumSpeedType.check(maximumSpeed, "maximumSpeed") }
  }
}
