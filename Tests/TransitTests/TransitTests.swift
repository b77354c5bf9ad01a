import Testing
import Transit

/// Small timetables. `DrawnTimetable.times` also runs the oracle and expects it to agree.
struct TransitTests {
  @Test func usesALaterVehicleThatOvertakes() {
    let drawn = DrawnTimetable(
      """
      B 7:15  C 7:20  D 7:40  E 7:50
      B 7:25  C 7:30  D 7:31  E 7:41
      """)
    #expect(drawn.times("B", "E", at: ["7:00", "7:13", "7:16", "7:26"]) == [2460, 1680, 1500, -1])
  }

  @Test func slackIsExactToTheSecond() {
    var drawn = DrawnTimetable(
      """
      A 0:02:11  B 0:03:01
      B 0:04:40  C 0:05:00
      B 0:04:41  C 0:05:01
      """)
    drawn.slack = 100
    #expect(drawn.times("A", "C", at: ["0:00"]) == [301])
    #expect(drawn.times("A", "B", at: ["0:00:31", "0:00:32"]) == [150, -1])
    drawn.slack = 99
    #expect(drawn.times("A", "C", at: ["0:00"]) == [300])
  }

  // Two minutes on foot and one minute of slack.
  @Test(arguments: [
    (0, 0, 420), (1, 0, 360), (2, 0, 420), (2, 121, 420), (2, 180, 420), (2, 181, 480), (2, 241, -1),
    (3, 0, -1), (nil, 0, 420),
  ])
  func transfersFollowTheirRule(type: UInt32?, seconds: Int32, time: Double) {
    var drawn = DrawnTimetable(
      """
      A 7:00  B 7:01
      C 7:03  D 7:05
      C 7:03:30  D 7:05:30
      C 7:04  D 7:06
      C 7:05  D 7:07
      """)
    drawn.walk("B", "C", seconds: 120)
    drawn.slack = 60
    if let type { drawn.transfer("B", "C", type: type, seconds: seconds) }
    #expect(drawn.times("A", "D", at: ["6:59"]) == [time])
  }

  @Test(arguments: [(0, 0, 240), (1, 0, 180), (2, 0, 240), (2, 30, 240), (2, 61, -1), (3, 0, -1)])
  func rulesApplyAtASingleStop(type: UInt32, seconds: Int32, time: Double) {
    var drawn = DrawnTimetable(
      """
      A 7:00  B 7:01
      B 7:01  C 7:02
      B 7:01:30  C 7:02:30
      B 7:02  C 7:03
      """)
    drawn.slack = 60
    drawn.transfer("B", "B", type: type, seconds: seconds)
    #expect(drawn.times("A", "C", at: ["6:59"]) == [time])
  }

  @Test(arguments: [(0, -1), (1, -1), (2, 240)])
  func minimumTimesCreateTransfersWithoutAWalk(type: UInt32, time: Double) {
    var drawn = DrawnTimetable(
      """
      A 7:00  B 7:01
      C 7:03  D 7:04
      """)
    drawn.transfer("B", "C", type: type, seconds: 120)
    #expect(drawn.times("A", "D", at: ["7:00"]) == [time])
  }

  @Test func ridersStaySeatedOnTheNextTripOfTheBlock() {
    var drawn = blocks
    #expect(drawn.times("A", "D", at: ["7:00"]) == [-1], "slack is needed without a block")
    for trip in 0..<3 { drawn.trips[trip].block = 5 }
    #expect(drawn.times("A", "D", at: ["7:00"]) == [600])
    drawn.trips[1].service = 1
    drawn.services.append((0, [1]))
    #expect(drawn.times("A", "D", at: ["7:00"]) == [-1], "the trip runs on another day")
  }

  @Test func noInSeatTransferBetweenStopsFarApart() {
    var drawn = blocks
    for trip in 0..<3 { drawn.trips[trip].block = 5 }
    drawn.trips[1].calls[0].stop = drawn.stop("X")
    drawn.latitudes = ["B": 0, "X": 17_000]
    #expect(drawn.times("A", "D", at: ["7:00"]) == [600])
    drawn.latitudes = ["B": 0, "X": 19_000]
    #expect(drawn.times("A", "D", at: ["7:00"]) == [-1])
  }

  @Test func tripRulesForbidAndCreateInSeatTransfers() {
    var drawn = blocks
    for trip in 0..<3 { drawn.trips[trip].block = 5 }
    drawn.continuations = [Timetable.Continuation(from: 0, to: 1, staysSeated: 0)]
    #expect(drawn.times("A", "D", at: ["7:00"]) == [-1])
    drawn.trips[0].block = nil
    drawn.continuations[0].staysSeated = 1
    #expect(drawn.times("A", "D", at: ["7:00"]) == [600])
  }

  /// A train may be split, for example.
  @Test func ridersStaySeatedOnEachOfSeveralLinkedTrips() {
    var drawn = blocks
    for trip in 1...2 {
      drawn.continuations.append(Timetable.Continuation(from: 0, to: UInt32(trip), staysSeated: 1))
    }
    #expect(drawn.times("A", "D", at: ["7:00"]) == [600])
    #expect(drawn.times("A", "C", at: ["7:00"]) == [540])
  }

  /// A block belongs to a single service day; linked trips need not.
  @Test func ridersStaySeatedAfterMidnightOnLinkedTrips() {
    var drawn = DrawnTimetable(
      """
      A 23:50  B 24:05
      B  0:05  C  0:20
      """)
    drawn.transfer("B", "B", type: 2, seconds: 600)
    drawn.services.append((0, [1]))
    drawn.days.append(TransitWindow.ServiceDay(feed: 0, day: 1, start: 86_400))
    drawn.trips[1].service = 1
    for trip in 0...1 { drawn.trips[trip].block = 5 }
    #expect(drawn.times("A", "C", at: ["23:45"]) == [-1])
    drawn.continuations = [Timetable.Continuation(from: 0, to: 1, staysSeated: 1)]
    #expect(drawn.times("A", "C", at: ["23:45"]) == [2100])
  }

  @Test func ambiguousNextTripsAreIgnored() {
    var drawn = blocks
    drawn.trips.append(drawn.trips[1])
    for trip in 0..<4 { drawn.trips[trip].block = 5 }
    #expect(drawn.times("A", "D", at: ["7:00"]) == [-1])
    #expect(Question(drawn, departures: [25_200_000]).graph().ambiguousBlocks == 1)
  }

  /// Riders from A to D have one minute at B, but need ten minutes to change.
  private var blocks: DrawnTimetable {
    var drawn = DrawnTimetable(
      """
      A 7:00  B 7:04
      B 7:05  D 7:10
      B 7:06  C 7:09
      """)
    drawn.transfer("B", "B", type: 2, seconds: 600)
    return drawn
  }

  @Test func ridersWaitHalfAHeadway() {
    var drawn = DrawnTimetable("A 7:00 B 7:05")
    drawn.repeat(trip: 0, from: "7:00", until: "9:00", every: 600)
    drawn.headways = .averageWait
    #expect(drawn.times("A", "B", at: ["7:10", "7:14", "7:14:30", "7:14:31"]) == [600, 600, 600, 599])
    drawn.isArrival = true
    #expect(drawn.times("A", "B", at: ["8:00", "8:00:59"]) == [585, 614])
  }

  /// One rider arrives at each second between two departures of the model.
  @Test(arguments: [(600, 30), (601, 31), (45, 31), (31, 31), (30, 30), (20, 20), (1, 1)])
  func meanWaitsAreHalfOfAnyHeadway(headway: Int, interval: Int) {
    var drawn = DrawnTimetable("A 7:00 B 7:05")
    drawn.repeat(trip: 0, from: "7:00", until: "9:00", every: Int32(headway))
    drawn.headways = .averageWait
    let times = drawn.times("A", "B", at: (0..<interval).map { "7:10:\($0)" })
    #expect(times.reduce(0) { $0 + $1 - 300 } / Double(interval) == Double(headway - 1) / 2)
  }

  @Test func frequenciesIncludeTheirStartAndExcludeTheirEnd() {
    var drawn = DrawnTimetable("A 3:00-3:10  B 3:25")
    drawn.repeat(trip: 0, from: "7:00", until: "7:20", every: 600)
    drawn.repeat(trip: 0, from: "24:00", until: "24:01", every: 600)
    let times = drawn.times("A", "B", at: ["3:10", "7:00", "7:00:01", "7:10", "7:10:01", "23:59"])
    #expect(times == [-1, 900, 1499, 900, -1, 960])
  }

  @Test func callsWithoutBoardingOrAlightingAreNotUsed() {
    let drawn = DrawnTimetable(
      """
      A 7:00  B/b 7:10  C/a 7:20  D 7:30
      B 7:40  C 7:50
      """)
    #expect(drawn.times("A", "B", at: ["7:00"]) == [600])
    #expect(drawn.times("A", "C", at: ["7:00"]) == [3000])
    #expect(drawn.times("B", "D", at: ["7:00"]) == [-1])
    #expect(drawn.times("C", "D", at: ["7:00"]) == [600 + 1200])
  }

  @Test func stopsCalledTwiceCanBeBoardedTwice() {
    let drawn = DrawnTimetable("A 7:00  B 7:10  C 7:20  B 7:30  D 7:40")
    #expect(drawn.times("B", "D", at: ["7:05", "7:15", "7:31"]) == [2100, 1500, -1])
    #expect(drawn.times("C", "B", at: ["7:20"]) == [600])
  }

  @Test func zeroTimeLoopsAreHandled() {
    let drawn = DrawnTimetable(
      """
      A 7:00  B 7:00  C 7:05
      B 7:00  A 7:00
      A 7:00  X 7:02
      """)
    #expect(drawn.times("B", "X", at: ["7:00"]) == [120])
    #expect(drawn.times("B", "C", at: ["7:00"]) == [300])
  }

  @Test func walkingAllTheWayIsUsedIfNotSlower() {
    var drawn = DrawnTimetable("A 7:10  B 7:20")
    #expect(drawn.times("A", "B", at: ["7:00", "7:05", "7:10"], walking: 900) == [900, 900, 600])
    #expect(drawn.times("A", "B", at: ["7:05", "7:11"], walking: 901) == [900, 901])
    drawn.limit = 900_000
    #expect(drawn.times("A", "B", at: ["7:00", "7:05", "7:11"], walking: 901) == [-1, 900, -1])
  }

  @Test func departuresMayBeUnorderedAndEqual() {
    let drawn = DrawnTimetable(
      """
      A 7:10  B 7:20
      A 7:40  B 7:45
      """)
    #expect(drawn.times("A", "B", at: ["7:40", "7:00", "7:10", "7:10", "7:10:01"]) == [300, 1200, 600, 600, 2099])
  }

  @Test func moreThan255DeparturesNeedWideRanks() {
    let drawn = DrawnTimetable(
      """
      A 7:10  B 7:20
      A 7:40  B 7:45
      """)
    let departures = (0..<600).map { "7:\($0 / 15):\($0 % 15 * 4)" }
    let times = drawn.times("A", "B", at: departures)
    #expect(Array(times[149...151]) == [604, 600, 2096])
  }

  @Test func servicesOfThePreviousEveningAndAnotherZoneConnect() {
    var drawn = DrawnTimetable(
      """
      A 24:50  B 25:10
      B 2:15  C 2:30
      """)
    drawn.services = [(0, [-1]), (1, [0])]
    drawn.trips[1].service = 1
    // The second feed's clocks are an hour ahead.
    drawn.days[0] = TransitWindow.ServiceDay(feed: 0, day: -1, start: -86_400)
    drawn.days.append(TransitWindow.ServiceDay(feed: 1, day: 0, start: -3600))
    #expect(drawn.times("A", "C", at: ["0:50", "0:51"]) == [2400, -1])
  }
}
