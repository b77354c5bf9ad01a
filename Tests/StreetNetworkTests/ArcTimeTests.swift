import StreetNetwork
import TestMaps
import Testing

/// Arcs without duration could not vary by hour: the minimum is a millisecond.
struct ArcTimeTests {
  @Test func streetsWithoutLengthTakeAMillisecond() throws {
    let network = try TestMap("a-b-c\n  |\n  d", spacing: 0).way("abc").way("bd").network()
    #expect(network.states.arcs.weights.allSatisfy { $0.milliseconds == 1 })
  }

  @Test func gatesTakeAMillisecond() throws {
    let map = TestMap("a-b-c").way("abc").node("b", ["barrier": "gate", "access": "private"])
    let gates = try map.network().streets.filter { $0.flags.contains(.gate) }
    #expect(
      gates.count == 2
        && gates.allSatisfy { $0.milliseconds(isReversed: false) == 1 && $0.milliseconds(isReversed: true) == 1 })
  }

  @Test func goingAshoreTakesAMillisecond() throws {
    let map = TestMap("a-b---c-d").way("ab").way("cd").way("bc", ["highway": "", "route": "ferry"])
    let network = try map.network()
    #expect(network.streets.contains { $0.isBoarding(isReversed: true) && $0.milliseconds(isReversed: false) == 1 })
    #expect(network.states.arcs.weights.allSatisfy { $0.milliseconds > 0 })
  }
}
