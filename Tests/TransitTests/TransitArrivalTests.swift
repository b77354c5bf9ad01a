import Testing
import Transit

/// Trips by arrival: their time is from the latest departure to the arrival asked for.
struct TransitArrivalTests {
  private func times(
    _ drawn: DrawnTimetable, _ from: String, _ to: String, by arrivals: String..., walking: Int? = nil
  ) -> [Double] {
    var drawn = drawn
    drawn.isArrival = true
    return drawn.times(from, to, at: arrivals, walking: walking)
  }

  @Test func latestDepartureCountsAndWaitingAtTheEndDoesToo() {
    let drawn = DrawnTimetable(
      """
      A 7:00  B 7:10
      A 7:20  B 7:30
      """)
    #expect(times(drawn, "A", "B", by: "7:09", "7:10", "7:29", "7:30", "7:35") == [-1, 600, 1740, 600, 900])
  }

  @Test func laterVehicleThatOvertakesIsTaken() {
    let drawn = DrawnTimetable(
      """
      A 7:00  B 7:40
      A 7:20  B 7:30
      """)
    #expect(times(drawn, "A", "B", by: "7:30", "7:40") == [600, 1200])
  }

  @Test func slackIsBeforeEveryRide() {
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

  @Test func walkingAllTheWayMayLeaveLater() {
    let drawn = DrawnTimetable("A 7:00  B 7:10")
    #expect(times(drawn, "A", "B", by: "7:10", "7:20", walking: 900) == [600, 900])
  }
}

/// At most so many vehicles.
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

  @Test func keptSeatsAreNoRideMore() {
    var drawn = drawn
    for trip in 0...2 { drawn.trips[trip].block = 1 }
    drawn.maximumRides = 1
    #expect(drawn.times("A", "D", at: ["7:00"]) == [1800])
  }
}
