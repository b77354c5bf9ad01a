import OpeningHours
import Tables

extension Format {
  /// Returns an instant in ISO 8601 as text: "Mon 13 May 2019, 14:00"; other texts are returned unchanged.
  package static func moment(_ text: String) -> String {
    let parts = text.split(separator: "T", maxSplits: 1)
    guard parts.count == 2, let day = CalendarDay(String(parts[0])) else { return text }
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][day.weekday]
    let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][day.month - 1]
    return "\(weekday) \(day.day) \(month) \(day.year), \(parts[1].prefix(5))"
  }
}
