import StreetNetwork
import TestMaps
import Testing

/// The delay at the signals of one junction.
struct SignalScenarios {
  private static let tags: [Character: [String: String]] = [
    "s": ["highway": "traffic_signals"], "c": ["highway": "crossing", "crossing": "traffic_signals"],
  ]

  /// Returns the seconds that points with signals (s) and crossings with signals (c) add to a trip, by letter of the
  /// map.
  private func delay(
    _ map: TestMap, _ points: [Character: Character], _ from: Character = "a", _ to: Character = "b",
    by type: TransportType = .automobile
  ) throws -> Double {
    let tagged = points.sorted { $0.key < $1.key }.reduce(map) { $0.node($1.key, SignalScenarios.tags[$1.value]!) }
    return try tagged.route(from, to, by: type).expectedTravelTime - map.route(from, to, by: type).expectedTravelTime
  }

  private func junction(spacing: Double) -> TestMap {
    TestMap(
      """
               d
               |
      a----p-q-j-r-t----b
               |
               e
      """, spacing: spacing
    ).way("apqjrtb").way("dje")
  }

  @Test func aTripWaitsOnceAtTheSignalsOfAJunction() throws {
    let map = junction(spacing: 5)
    let alone = try delay(map, ["p": "s"])
    for (from, to) in [("a", "b"), ("b", "a")] as [(Character, Character)] {
      #expect(abs(try delay(map, ["p": "s", "q": "c", "r": "c", "t": "s"], from, to) - alone) < 0.01 && alone > 1)
    }
  }

  @Test(arguments: [TransportType.automobile, .cycling])
  func theLongestWaitOfAJunctionCounts(type: TransportType) throws {
    let map = junction(spacing: 5)
    let alone = try delay(map, ["j": "s"], by: type)
    for (from, to) in [("a", "b"), ("b", "a")] as [(Character, Character)] {
      #expect(abs(try delay(map, ["q": "c", "j": "s"], from, to, by: type) - alone) < 0.01)
    }
    #expect(try delay(map, ["q": "c"], by: type) < alone)
  }

  @Test func signalsOfTwoJunctionsCountSeparately() throws {
    let map = junction(spacing: 50)
    #expect(abs(try delay(map, ["p": "s", "j": "s"]) - 2 * delay(map, ["p": "s"])) < 0.01)
  }

  /// A trip from d passes a signal at r, and none before it.
  @Test func onlyPassedSignalsSaveAWait() throws {
    let map = junction(spacing: 5)
    #expect(abs(try delay(map, ["p": "s", "r": "c"], "d", "e")) < 0.01)
    #expect(abs(try delay(map, ["r": "c"], "d", "b") - delay(map, ["r": "c"])) < 0.01)
    #expect(abs(try delay(map, ["d": "s", "q": "s"], "b", "a") - delay(map, ["q": "s"])) < 0.01)
  }

  @Test(arguments: [("a", "b"), ("c", "h"), ("e", "b")] as [(Character, Character)])
  func meetingCarriagewaysAreOneJunction(from: Character, to: Character) throws {
    let map = TestMap(
      """
          e   f
          |   |
      d---p---q---c
          |   |
      a---r---u---b
          |   |
          h   g
      """, spacing: 6
    ).way("cqpd", ["oneway": "yes"]).way("arub", ["oneway": "yes"]).way("eprh", ["oneway": "yes"])
      .way("guqf", ["oneway": "yes"])
    let alone = try delay(map, ["r": "s"])
    #expect(abs(try delay(map, ["p": "s", "q": "s", "r": "s", "u": "s"], from, to) - alone) < 0.01)
  }
}
