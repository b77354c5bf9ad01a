import Foundation
import Routing
import StreetNetwork
import Testing

/// Times on signs: 2026-11-20 is a Friday.
struct ConditionTests {
  @Test(arguments: [
    ("24/7", "2026-11-20T03:00:00Z", true), ("Mo-Fr 07:00-19:00", "2026-11-20T07:00:00Z", true),
    ("Mo-Fr 07:00-19:00", "2026-11-20T19:00:00Z", false), ("Mo-Fr 07:00-19:00", "2026-11-21T12:00:00Z", false),
    ("Sa,Su", "2026-11-21T12:00:00Z", true), ("Sa-Mo", "2026-11-23T12:00:00Z", true),
    ("Sa-Mo", "2026-11-24T12:00:00Z", false),
    ("07:00-09:00,16:00-18:00", "2026-11-20T17:00:00Z", true),
    ("07:00-09:00,16:00-18:00", "2026-11-20T10:00:00Z", false),
    ("22:00-06:00", "2026-11-20T23:00:00Z", true), ("22:00-06:00", "2026-11-20T05:59:00Z", true),
    ("Fr 22:00-06:00", "2026-11-21T05:00:00Z", true), ("Fr 22:00-06:00", "2026-11-20T05:00:00Z", false),
    ("Apr-Oct", "2026-10-31T12:00:00Z", true), ("Apr-Oct", "2026-11-01T12:00:00Z", false),
    ("Nov-Mar", "2026-02-01T12:00:00Z", true), ("Nov-Mar", "2026-12-01T12:00:00Z", true),
    ("Nov-Mar", "2026-06-01T12:00:00Z", false),
    ("Apr 15-Oct 15", "2026-04-14T12:00:00Z", false), ("Apr 15-Oct 15", "2026-10-15T12:00:00Z", true),
    ("Apr-Oct Mo-Fr 08:00-20:00; Nov-Mar Mo-Fr 09:00-16:00", "2026-11-20T08:30:00Z", false),
    ("Apr-Oct Mo-Fr 08:00-20:00; Nov-Mar Mo-Fr 09:00-16:00", "2026-06-19T08:30:00Z", true),
    ("Mo-Su 08:00-20:00; Su off", "2026-11-22T12:00:00Z", false),
    ("Mo-Fr 08:00-12:00; PH off", "2026-11-20T09:00:00Z", true),
    ("18:00+", "2026-11-20T23:00:00Z", true), ("Mo-Fr 07:00-19:00 AND weight>7.5", "2026-11-20T12:00:00Z", false),
    ("length>12", "2026-11-20T12:00:00Z", false), ("mo-fr 7:00-19:00", "2026-11-20T12:00:00Z", true),
  ])
  func timesAreRead(text: String, time: String, holds: Bool) throws {
    let condition = try #require(Condition(text))
    #expect(condition.holds(at: try #require(Timestamp(time)).localTime) == holds)
  }

  @Test(arguments: [
    "sunset-sunrise", "wet", "week 1-20", "2026 Apr", "", "Mo-Xx", "25:61-26:00", "@", "speed<30", "07:00", "easter",
  ])
  func rejectsConditionsItDoesNotUnderstand(text: String) { #expect(Condition(text) == nil) }

  /// A clock an hour ahead shows an hour more.
  @Test func evaluatesConditionsInLocalTime() throws {
    let condition = try #require(Condition("08:00-09:00"))
    let date = try #require(Timestamp("2026-11-20T07:30:00Z")).date
    #expect(condition.holds(at: LocalTime(date, secondsFromGMT: 3600)))
    #expect(!condition.holds(at: LocalTime(date, secondsFromGMT: 0)))
  }
}
