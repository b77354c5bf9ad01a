/// The unit of travel times in a file.
package enum TimeUnit: String, CaseIterable, Sendable {
  case seconds, minutes, hours
  /// Not accepted by commands: the unit of GraphHopper's routes.
  case milliseconds

  /// The number of seconds in one unit.
  package var seconds: Double {
    switch self {
    case .seconds: 1
    case .minutes: 60
    case .hours: 3600
    case .milliseconds: 0.001
    }
  }

  /// Suffixes of a column's name that give its unit, without separators.
  package var endings: [String] {
    switch self {
    case .seconds: ["seconds", "second", "secs", "sec", "s"]
    case .minutes: ["minutes", "minute", "mins", "min"]
    case .hours: ["hours", "hour", "hrs", "hr", "h"]
    case .milliseconds: ["milliseconds", "millis", "ms"]
    }
  }
}
