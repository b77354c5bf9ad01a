import Testing
import Transit

/// Trips by arrival: their travel time is from the latest departure to the requested arrival.
struct TransitArrivalTests {
  private func times(
    _ drawn: DrawnTimetable, _ from: String, _ to: String, by arrivals: String..., walking: Int? = nil
  ) -> [Double] {
    var drawn = drawn
    drawn.isArrival = true
    return drawn.times(from, to, at: arrivals, walking: walking)
  }

  @Test func timesStartAtTheLatestDepartureAndIncludeTheFinalWait() {
    let drawn = DrawnTimetable(
      """
      A 7:00  B 7:10
      A 7:20  B 7:30
      """)
    #expect(times(drawn, "A", "B", by: "7:09", "7:10", "7:29", "7:30", "7:35") == [-1, 600, 1740, 600, 900])
  }

  @Test func usesALaterVehicleThatOvertakes() {
    let drawn = DrawnTimetable(
      """
      A 7:00  B 7:40
      A 7:20  B 7:30
      """)
    #expect(times(drawn, "A", "B", by: "7:30", "7:40") == [600, 1200])
  }

  @Test func slackAppliesBeforeEveryRide() {
    var drawn = DrawnTimetable(
      """
      A 7:00  B 7:10
      B 7:10  C 7:20
      B 7:11  C 7:21
      """)
    #expect(times(drawn, "A", "C", by: "7:20") == [1200])
    drawn.slack = 60
    #expect(times(drawn, "A", "C", by: "7:20", "7:21") == [-1, 1320])
  }

  /// tidytransit's feed `routing.zip`: latest departures for an arrival at s4 at 7:40.
  @Test(arguments: [("s1b", 1380.0), ("s2", 1800), ("s3a", 660), ("s5", 1500), ("s6", 1140)])
  func latestDeparturesEqualTidytransit(stop: String, seconds: Double) {
    var drawn = DrawnTimetable(
      """
      s1a 7:00  s2 7:04-7:05  s3a 7:11-7:12  s4 7:40
      s1a 7:05  s2 7:09-7:10  s3a 7:16-7:17  s4 7:45
      s1a 7:10  s5 7:15  s6 7:20-7:21  s3a 7:28-7:29  s4 7:37
      s6 7:22  s7 7:25-7:26  s8a 7:32  s4 7:41
      s1b 7:12  s3b 7:18  s8b 7:24
      s1b 7:17  s3b 7:23  s8b 7:29
      """)
    for platform in ["s1", "s3", "s8"] { drawn.walk("\(platform)a", "\(platform)b", seconds: 10) }
    #expect(times(drawn, stop, "s4", by: "7:40") == [seconds])
  }

  @Test func walkingAllTheWayMayLeaveLater() {
    let drawn = DrawnTimetable("A 7:00  B 7:10")
    #expect(times(drawn, "A", "B", by: "7:10", "7:20", walking: 900) == [600, 900])
  }
}

/// A maximum number of vehicles per trip.
struct MaximumRidesTests {
  private let drawn = DrawnTimetable(
    """
    A 7:00  B 7:10
    B 7:10  C 7:20
    C 7:20  D 7:30
    A 7:05  D 7:50
    """)

  @Test(arguments: [(1, 3000.0), (2, 3000), (3, 1800), (8, 1800)])
  func fewerRidesTakeLonger(most: Int, seconds: Double) {
    var drawn = drawn
    drawn.maximumRides = most
    #expect(drawn.times("A", "D", at: ["7:00"]) == [seconds])
    drawn.isArrival = true
    #expect(drawn.times("A", "D", at: ["7:50"]) == [2700.0])
    #expect(drawn.times("A", "D", at: ["7:30"]) == [most < 3 ? -1 : 1800])
  }

  @Test func inSeatTransfersDoNotCountAsRides() {
    var drawn = drawn
    for trip in 0...2 { drawn.trips[trip].block = 1 }
    drawn.maximumRides = 1
    #expect(drawn.times("A", "D", at: ["7:00"]) == [1800])
  }
}
