import Foundation
import StreetNetwork
import TestMaps
import Testing

struct LocalClockTests {
  private func seconds(_ text: String) throws -> Int {
    Int(try Date(text, strategy: .iso8601).timeIntervalSince1970)
  }

  @Test(arguments: [
    "Europe/Lisbon", "Africa/Casablanca", "Asia/Kathmandu", "Europe/Moscow", "Pacific/Apia", "Australia/Lord_Howe",
    "America/Sao_Paulo", "Etc/GMT+2", "UTC",
  ])
  func agreesWithFoundationAtAnyTime(name: String) throws {
    let clock = try #require(LocalClock(timeZone: name))
    let zone = try #require(TimeZone(identifier: name))
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      let time = Int.random(in: 0..<4_102_444_800, using: &random)
      #expect(clock.secondsFromGMT(at: time) == zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time))))
    }
  }

  @Test func clocksChangeAtTheExactSecond() throws {
    let clock = try #require(LocalClock(timeZone: "Europe/Lisbon"))
    let (spring, autumn) = (try seconds("2026-03-29T01:00:00Z"), try seconds("2026-10-25T01:00:00Z"))
    #expect([spring - 1, spring, autumn - 1, autumn].map(clock.secondsFromGMT) == [0, 3600, 3600, 0])
  }

  @Test func weekdaysAreInLocalTime() throws {
    let clock = try #require(LocalClock(timeZone: "America/Sao_Paulo"))
    #expect(clock.day(at: try seconds("2013-07-01T02:59:59Z")).weekday == 6)
    #expect(clock.day(at: try seconds("2013-07-01T03:00:00Z")).weekday == 0)
    #expect(clock.day(at: 0).weekday == 2 && clock.secondsFromGMT(at: 0) == -3 * 3600)
  }

  @Test(arguments: ["Europe/Lisbon", "Africa/Casablanca", "Pacific/Apia", "Australia/Lord_Howe"])
  func localTimesConvertBackToTheirInstants(name: String) throws {
    let clock = try #require(LocalClock(timeZone: name))
    var random = SeededGenerator(seed: 6)
    for _ in 0..<20_000 {
      let time = Int.random(in: 1_000_000_000..<2_000_000_000, using: &random)
      let back = clock.time(ofLocalSeconds: clock.localSeconds(at: time))
      #expect(back == time || (back < time && clock.localSeconds(at: back) == clock.localSeconds(at: time)))
      #expect(back == time || clock.repetition(of: back) == time)
    }
  }

  @Test func ambiguousTimesAreTheFirstAndSkippedTimesUseTheOldOffset() throws {
    let clock = try #require(LocalClock(timeZone: "Europe/Lisbon"))
    #expect(clock.time(ofLocalSeconds: try seconds("2026-10-25T01:30:00Z")) == (try seconds("2026-10-25T00:30:00Z")))
    #expect(clock.time(ofLocalSeconds: try seconds("2026-10-25T02:00:00Z")) == (try seconds("2026-10-25T02:00:00Z")))
    #expect(clock.time(ofLocalSeconds: try seconds("2026-03-29T01:30:00Z")) == (try seconds("2026-03-29T01:30:00Z")))
    #expect(clock.time(ofLocalSeconds: try seconds("2026-03-29T02:30:00Z")) == (try seconds("2026-03-29T01:30:00Z")))
  }

  @Test func onlyTheFirstOfTwoEqualTimesIsRepeated() throws {
    let clock = try #require(LocalClock(timeZone: "Europe/Lisbon"))
    let autumn = try seconds("2026-10-25T01:00:00Z")
    let again = [-3601, -3600, -1, 0, 3600].map { clock.repetition(of: autumn + $0) }
    #expect(again == [nil, autumn, autumn + 3599, nil, nil])
    #expect(clock.repetition(of: try seconds("2026-03-29T00:30:00Z")) == nil)
  }

  @Test(arguments: ["", "Europe/Lisbonne", "GMT+2", "PST", "Z", "+01:00", "europe/lisbon", "Porto"])
  func refusesUnknownZoneNames(name: String) { #expect(LocalClock(timeZone: name) == nil) }

  @Test(arguments: [
    ("CET", 1, 2), ("EST", -5, -5), ("EST5EDT", -5, -4), ("MST", -7, -7), ("Japan", 9, 9), ("NZ", 13, 12),
    ("Zulu", 0, 0), ("US/Pacific", -8, -7), ("Etc/GMT+5", -5, -5),
  ])
  func zonesMayHaveShortNames(name: String, january: Int, july: Int) throws {
    let clock = try #require(LocalClock(timeZone: name))
    let times = [try seconds("2026-01-10T00:00:00Z"), try seconds("2026-07-10T00:00:00Z")]
    #expect(times.map { clock.secondsFromGMT(at: $0) / 3600 } == [january, july])
  }
}
