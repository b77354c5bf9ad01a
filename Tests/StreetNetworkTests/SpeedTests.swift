import StreetNetwork
import TestMaps
import Testing

/// Simple arithmetic: each street is 100 m long; at 5 km/h it takes 72 s.
struct SpeedTests {
  private func seconds(_ tags: [String: String]) throws -> Double {
    try TestMap("a-b").way("ab", tags).route("a", "b").expectedTravelTime
  }

  @Test func walksFootwaysAtFiveKilometresPerHour() throws { #expect(isClose(try seconds([:]), 72)) }
  @Test func walksStepsAtHalfTheSpeed() throws { #expect(isClose(try seconds(["highway": "steps"]), 144)) }
  @Test func sandReducesTheSpeed() throws { #expect(isClose(try seconds(["surface": "sand"]), 72 / 0.7)) }

  @Test func slowdownsMultiply() throws {
    let tags = ["highway": "path", "surface": "sand", "sac_scale": "mountain_hiking"]
    #expect(isClose(try seconds(tags), 72 / 0.7 / 0.8))
  }

  @Test(arguments: [
    ("15", 900.0), ("0:15", 900), ("00:15:30", 930), ("PT15M", 900), ("PT1H", 3600), ("15 min", 900), ("1h", 3600),
  ])
  func ferriesTakeTheirTaggedDuration(duration: String, expected: Double) throws {
    #expect(isClose(try seconds(["highway": "", "route": "ferry", "duration": duration]), expected))
  }

  @Test(arguments: ["soon", "-5", "0", "1:xx", ""])
  func ferriesWithoutDurationUseTheirSpeed(duration: String) throws {
    #expect(isClose(try seconds(["highway": "", "route": "ferry", "duration": duration]), 30))
  }

  @Test func splitsTheDurationOfAFerryByLength() throws {
    let map = TestMap("a-b---c\n  |\n  d").way("abc", ["highway": "", "route": "ferry", "duration": "30"]).way("bd")
    #expect(isClose(try map.route("a", "b").expectedTravelTime, 600))
    // Passengers board at b.
    #expect(isClose(try map.route("b", "c").expectedTravelTime, 120 + 900 + 1200))
  }

  @Test func pedestriansUsePiersAndPlatforms() throws {
    #expect(isClose(try seconds(["highway": "", "man_made": "pier"]), 72))
    #expect(isClose(try seconds(["highway": "", "railway": "platform"]), 80))
  }
}
