/// Years: `2024`, `2020-2024`, `2020-2030/2`, `2020+`.
struct YearSelector: Sendable {
  var years: ClosedRange<Int>
  var step = 1

  func contains(_ day: CalendarDay) -> Bool {
    years.contains(day.year) && (day.year - years.lowerBound) % step == 0
  }
}

extension HoursReader {
  /// Whether a year stands here, and not a time (`2000:…`).
  func peekYear(_ offset: Int = 0) -> Int? {
    guard let year = peekNumber(offset), (1900...9999).contains(year), !isClockSeparator(offset + 1) else { return nil }
    return year
  }

  mutating func years() throws(Unreadable) -> [YearSelector] {
    var years: [YearSelector] = []
    repeat {
      let first = try number(1900...9999)
      if take("+") {
        years.append(YearSelector(years: first...9999))
      } else if take("-") {
        let last = try number(first...9999)
        years.append(YearSelector(years: first...last, step: take("/") ? try number(1...9999) : 1))
      } else {
        years.append(YearSelector(years: first...first))
      }
    } while takeComma { $0.peekYear() != nil }
    return years
  }
}
