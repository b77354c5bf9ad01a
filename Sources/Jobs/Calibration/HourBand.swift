/// Hours of some days of the week: `Mo-Fr 07:30-09:00`.
struct HourBand: Hashable, Sendable {
  /// Monday is 0.
  var days: ClosedRange<Int>
  /// Minutes after midnight; the last is not among them.
  var minutes: Range<Int>

  static let dayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
  /// What is accepted, for messages.
  static let allowed = "days and hours, e.g. Mo-Fr 07:30-09:00"

  init(days: ClosedRange<Int>, minutes: Range<Int>) { (self.days, self.minutes) = (days, minutes) }

  /// Nil where the text is not of this form.
  init?(_ text: some StringProtocol) {
    guard let match = String(text).wholeMatch(of: /\s*(\w\w)(?:-(\w\w))?\s+(\d\d):(\d\d)-(\d\d):(\d\d)\s*/),
      let first = HourBand.dayNames.firstIndex(of: String(match.1)),
      let last = match.2.map({ HourBand.dayNames.firstIndex(of: String($0)) }) ?? first, first <= last,
      let hour = Int(match.3), let minute = Int(match.4), let endHour = Int(match.5), let endMinute = Int(match.6),
      minute < 60, endMinute < 60, hour * 60 + minute < endHour * 60 + endMinute, endHour * 60 + endMinute <= 1440
    else { return nil }
    self.init(days: first...last, minutes: hour * 60 + minute..<endHour * 60 + endMinute)
  }

  func contains(_ time: TimeOfWeek) -> Bool { days.contains(time.weekday) && minutes.contains(time.minute) }

  func overlaps(_ other: HourBand) -> Bool { days.overlaps(other.days) && minutes.overlaps(other.minutes) }

  var text: String { "\(dayText) \(HourBand.clock(minutes.lowerBound))-\(HourBand.clock(minutes.upperBound))" }

  private var dayText: String {
    days.count == 1
      ? HourBand.dayNames[days.lowerBound]
      : "\(HourBand.dayNames[days.lowerBound])-\(HourBand.dayNames[days.upperBound])"
  }

  /// `07:30`.
  static func clock(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minute / 60)):\(two(minute % 60))"
  }
}

/// A minute of the week, on the clocks of the map.
struct TimeOfWeek: Hashable, Sendable {
  /// Monday is 0.
  var weekday: Int
  /// After midnight.
  var minute: Int
}
