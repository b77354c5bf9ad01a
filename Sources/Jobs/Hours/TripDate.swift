import StreetNetwork

/// The key `date`: a day, or one that is told by when the job starts.
enum TripDate: Sendable, Equatable {
  case day(CalendarDay)
  case today
  case tomorrow
  /// The first such day after today.
  case next(Weekday)

  static let expected = "a day, e.g. \"2026-11-23\", or \"today\", \"tomorrow\", \"next Mo\""

  /// Nil for anything else.
  init?(_ text: String) {
    switch text {
    case "today": self = .today
    case "tomorrow": self = .tomorrow
    default:
      if text.hasPrefix("next "), let day = Weekday(rawValue: String(text.dropFirst("next ".count))) {
        self = .next(day)
      } else if let day = CalendarDay(text) {
        self = .day(day)
      } else {
        return nil
      }
    }
  }

  /// The day that it is.
  func day(from today: CalendarDay) -> CalendarDay {
    switch self {
    case .day(let day): return day
    case .today: return today
    case .tomorrow: return CalendarDay(number: today.number + 1)
    case .next(let weekday):
      let ahead = (weekday.index - today.weekday + 6) % 7 + 1
      return CalendarDay(number: today.number + ahead)
    }
  }
}
