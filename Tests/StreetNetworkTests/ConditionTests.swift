import Foundation
import Geography
import OpeningHours
import Routing
import StreetNetwork
import Testing

/// Conditions that depend on time.
struct ConditionTests {
  private static let porto = Coordinate(latitude: 41.15, longitude: -8.61)

  private func moment(_ text: String, zone: String = "+01:00") throws -> LocalTime {
    var time = try #require(Timestamp("\(text):00\(zone)")).localTime
    time.holidays = Holidays([(2026, 12, 25), (2026, 12, 26), (2027, 1, 1)].compactMap(CalendarDay.init))
    return time
  }

  @Test(arguments: HoursExample.all)
  func readsTheWholeGrammarOfOpeningHours(example: HoursExample) throws {
    let condition = try #require(Condition(example.text))
    for text in example.open { #expect(condition.holds(at: try moment(text), near: ConditionTests.porto), "\(text)") }
    for text in example.closed {
      #expect(!condition.holds(at: try moment(text), near: ConditionTests.porto), "\(text)")
    }
  }

  @Test(arguments: HoursExample.unreadable)
  func rejectsUnsupportedConditions(text: String) { #expect(Condition(text) == nil) }

  /// A clock that is an hour ahead shows one hour more.
  @Test func evaluatesConditionsInLocalTime() throws {
    let condition = try #require(Condition("08:00-09:00"))
    let date = try #require(Timestamp("2026-11-20T07:30:00Z")).date
    #expect(condition.holds(at: LocalTime(date, secondsFromGMT: 3600), near: ConditionTests.porto))
    #expect(!condition.holds(at: LocalTime(date, secondsFromGMT: 0), near: ConditionTests.porto))
  }

  @Test func noDayIsAHolidayWithoutHolidays() throws {
    let condition = try #require(Condition("Mo-Fr 08:00-12:00; PH off"))
    let christmas = try #require(Timestamp("2026-12-25T09:00:00+01:00")).localTime
    #expect(condition.holds(at: christmas, near: ConditionTests.porto))
  }

  /// Sunrise and sunset agree with almanacs to within two minutes; beyond the polar circles, the sun may not rise or
  /// not set.
  @Test(arguments: [
    ("London", 51.5, -0.1, "2026-06-21", "+01:00", "04:43", "21:21"),
    ("Helsinki", 60.2, 24.9, "2026-12-21", "+02:00", "09:24", "15:13"),
    ("Sydney", -33.9, 151.2, "2026-12-21", "+11:00", "05:41", "20:05"),
    ("Quito", -0.2, -78.5, "2026-03-20", "-05:00", "06:18", "18:24"),
    ("Honolulu", 21.3, -157.9, "2026-09-23", "-10:00", "06:19", "18:27"),
  ])
  func computesSunriseAndSunset(
    city: String, latitude: Double, longitude: Double, day: String, zone: String, sunrise: String, sunset: String
  ) throws {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    let light = try #require(Condition("sunrise-sunset"))
    func holds(_ clock: String, _ minutes: Int) throws -> Bool {
      let parts = clock.split(separator: ":").compactMap { Int($0) }
      let minute = parts[0] * 60 + parts[1] + minutes
      let clock = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      return light.holds(at: try moment("\(day)T\(clock)", zone: zone), near: place)
    }
    #expect(try !holds(sunrise, -3) && holds(sunrise, 3), "\(city)")
    #expect(try holds(sunset, -3) && !holds(sunset, 3), "\(city)")
  }

  @Test func handlesPolarNightAndMidnightSun() throws {
    let (light, night) = (try #require(Condition("sunrise-sunset")), try #require(Condition("sunset-sunrise")))
    let north = Coordinate(latitude: 69.6, longitude: 18.9)
    for hour in ["00:30", "06:00", "12:00", "18:00", "23:30"] {
      let (june, december) = (try moment("2026-06-21T\(hour)"), try moment("2026-12-21T\(hour)"))
      #expect(light.holds(at: june, near: north) && !night.holds(at: june, near: north), "\(hour)")
      #expect(!light.holds(at: december, near: north) && night.holds(at: december, near: north), "\(hour)")
    }
  }
}
