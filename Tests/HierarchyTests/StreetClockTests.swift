import Hierarchy
import TestMaps
import Testing

/// The rule for travel times on streets that depend on the time of day.
struct StreetClockTests {
  /// Alternates between an hour at free flow and an hour at half the speed.
  private let clock = StreetClock(
    SpeedProfiles(
      period: 3_600_000, [Array(repeating: .one, count: 168), (0..<168).map { $0 % 2 == 0 ? .one : Slowness(2) }]))

  private func street(_ milliseconds: UInt32, closing: UInt32 = 0) -> TimedWeight {
    TimedWeight(Weight(milliseconds: milliseconds, centimetres: 100), profile: 1, closing: closing)
  }

  @Test func streetsContinueInTheNextPeriod() {
    // Ten of the sixty seconds are travelled before the full hour, the others at half the speed.
    #expect(clock.arrival(street(60_000), at: 3_590_000) == 3_600_000 + 100_000)
    #expect(clock.departure(street(60_000), by: 3_700_000) == 3_590_000)
  }

  @Test func departuresOnABorderBelongToTheLaterPeriodAndArrivalsToTheEarlier() {
    #expect(clock.arrival(street(1000), at: 3_600_000) == 3_602_000)
    #expect(clock.departure(street(1000), by: 3_600_000) == 3_599_000)
  }

  @Test func freeFlowEqualsTheStreetTime() {
    let free = StreetClock(.freeFlow)
    #expect(free.arrival(street(7_200_001).atAllHours, at: 3_599_999) == 3_599_999 + 7_200_001)
  }

  @Test func tripsWaitAtClosedStreetsUntilTheyOpen() {
    let clock = StreetClock(.freeFlow, ClosedTimes([[1000..<5000, 9000..<UInt32.max]]))
    let gate = TimedWeight(Weight(milliseconds: 10, centimetres: 0), closing: 1)
    #expect([999, 1000, 4999, 5000].map { clock.arrival(gate, at: $0) } == [1009, 5010, 5010, 5010])
    #expect(clock.departure(gate, by: 5009) == 999)
    #expect(clock.departure(gate, by: 5010) == 5000)
    #expect(clock.arrival(gate, at: 9000) == StreetClock.never)
  }

  @Test func streetsThatOpenAfterTheLimitAreClosed() {
    let clock = StreetClock(
      .freeFlow, ClosedTimes([[1000..<5000], [1000..<5000]], kinds: [.street, .ride]), waitLimit: 300)
    let gate = TimedWeight(Weight(milliseconds: 10, centimetres: 0), closing: 1)
    #expect([999, 4699, 4700].map { clock.arrival(gate, at: $0) } == [1009, StreetClock.never, 5010])
    // A trip by arrival may pass the gate before it closes, but must not wait after it for longer than the limit.
    #expect([1309, 1310, 5009, 5010].map { clock.departure(gate, by: $0) } == [999, nil, nil, 5000])
    let ferry = TimedWeight(gate.weight, closing: 2)
    #expect(clock.arrival(ferry, at: 1000) == 5010 && clock.departure(ferry, by: 5009) == 999)
  }

  @Test func streetsWithoutSpeedForLongerThanTheLimitAreClosed() {
    let hours = (0..<168).map { (8..<11).contains($0) ? Slowness.closed : .one }
    let profiles = SpeedProfiles(period: 3_600_000, [Array(repeating: .one, count: 168), hours])
    let hour: UInt32 = 3_600_000
    for (limit, isOpen) in [(3 * hour, true), (3 * hour - 1, false)] {
      let clock = StreetClock(profiles, waitLimit: limit)
      #expect(clock.arrival(street(60_000), at: 8 * hour - 1) == (isOpen ? 11 * hour + 59_999 : StreetClock.never))
      #expect(clock.departure(street(60_000), by: 11 * hour) == (isOpen ? 8 * hour - 60_000 : nil))
    }
    #expect(StreetClock(profiles, waitLimit: hour).arrival(street(60_000), at: 10 * hour) == 11 * hour + 60_000)
  }

  @Test func waitingIsTheTimeUntilAStreetOpens() {
    let hours = (0..<168).map { $0 == 8 ? Slowness.closed : .one }
    let profiles = SpeedProfiles(period: 3_600_000, [Array(repeating: .one, count: 168), hours])
    let closings = ClosedTimes([[1000..<5000], []], kinds: [.street, .boarding])
    let clock = StreetClock(profiles, closings)
    let gate = TimedWeight(Weight(milliseconds: 10, centimetres: 0), closing: 1)
    #expect(clock.waiting(on: gate, from: 3000, until: 5010) == 2000)
    #expect(clock.waiting(on: gate, from: 999, until: 4000, isArrival: true) == 2991)
    #expect(clock.waiting(on: TimedWeight(gate.weight, closing: 2), from: 7, until: 17) == 10)
    let eight: UInt32 = 8 * 3_600_000
    #expect(clock.waiting(on: street(60_000), from: eight - 10, until: 9 * 3_600_000 + 59_990) == 3_600_000)
    #expect(clock.waiting(on: street(60_000), from: eight - 60_000, until: eight + 5, isArrival: true) == 5)
  }

  @Test func tripsNeverArriveOnStreetsWithoutSpeedForAWeek() {
    let never = SpeedProfiles(
      period: 3_600_000, [Array(repeating: .one, count: 168), Array(repeating: .closed, count: 168)])
    #expect(StreetClock(never).arrival(street(1000), at: 0) == StreetClock.never)
    #expect(StreetClock(never).departure(street(1000), by: SpeedProfiles.week) == nil)
  }

  @Test func zeroLengthStreetsAreUnaffectedBySpeed() {
    let closed = SpeedProfiles(
      period: 3_600_000, [Array(repeating: .one, count: 168), Array(repeating: .closed, count: 168)])
    let frozen = FrozenClock(StreetClock(closed), at: 0)
    #expect(frozen.weight(street(0)) == street(0).weight)
    #expect(frozen.weight(street(1)) == .infinity)
  }

  @Test func progressIsCompleteExactlyAtTheArrival() {
    #expect(clock.progress(street(60_000), from: 3_590_000, until: 3_700_000) == 1)
    #expect(clock.progress(street(60_000), from: 3_590_000, until: 3_620_000) == 20.0 / 60)
  }

  /// A later departure never arrives earlier; the latest departure arrives in time, and a departure one millisecond
  /// later does not.
  @Test func isFirstInFirstOutAndHasAnExactInverse() {
    var random = SeededGenerator(seed: 7)
    for seed in 0..<200 {
      let timed = TestGraph.timed(TestGraph.random(seed: UInt64(seed) + 1).graph, &random)
      let (clock, period) = (StreetClock(timed.clock.profiles, timed.clock.closings), timed.clock.profiles.period)
      for _ in 0..<500 {
        let street = timed.weight(of: ArcID(Int.random(in: 0..<timed.graph.arcCount, using: &random)))
        let border = SpeedProfiles.week + UInt32.random(in: 0..<9, using: &random) * period
        let time = Bool.random(using: &random) ? border : border + UInt32.random(in: 0..<period, using: &random)
        for time in [time - 1, time, time + 1] {
          let arrival = clock.arrival(street, at: time)
          #expect(arrival > time && arrival <= clock.arrival(street, at: time + 1))
          guard let start = clock.departure(street, by: time) else { continue }
          #expect(clock.arrival(street, at: start) <= time && clock.arrival(street, at: start + 1) > time)
          let limited = [timed.clock.arrival(street, at: time), timed.clock.departure(street, by: time) ?? start]
          #expect([arrival, StreetClock.never].contains(limited[0]) && limited[1] == start)
        }
      }
    }
  }
}

extension TimedWeight {
  fileprivate var atAllHours: TimedWeight { TimedWeight(weight, closing: closing) }
}
