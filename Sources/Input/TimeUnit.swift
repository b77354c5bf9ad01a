/// What a file has travel times in.
package enum TimeUnit: String, CaseIterable, Sendable {
  case seconds, minutes, hours
  /// Not of those that a command takes: what GraphHopper's routes have.
  case milliseconds

  /// Seconds of one.
  package var seconds: Double {
    switch self {
    case .seconds: 1
    case .minutes: 60
    case .hours: 3600
    case .milliseconds: 0.001
    }
  }

  /// How a column's name ends that says its unit, without what people put between words.
  package var endings: [String] {
    switch self {
    case .seconds: ["seconds", "second", "secs", "sec", "s"]
    case .minutes: ["minutes", "minute", "mins", "min"]
    case .hours: ["hours", "hour", "hrs", "hr", "h"]
    case .milliseconds: ["milliseconds", "millis", "ms"]
    }
  }
}
