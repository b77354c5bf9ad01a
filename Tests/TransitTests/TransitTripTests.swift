import Hierarchy
import Testing
import Transit

struct TransitTripTests {
  /// Returns the trip from stop 0 of `drawn` to another stop at 7:00, with a walk of half a minute at each end, or
  /// entirely on foot in `walking` milliseconds.
  private func trip(_ drawn: DrawnTimetable, to destination: Int, walking: Int? = nil) -> TransitTrip? {
    let graph = Question(drawn, departures: [25_200_000]).graph(hasTrips: true)
    let walks = { (stop: Int) in StopWalks([[StopWalks.Walk(stop: UInt32(stop), milliseconds: 30_000)]]) }
    let destinations = TransitDestinations(graph, walks: walks(destination), workers: 1)
    let sweep = TransitSweep(graph)
    sweep.run(0..<1, of: walks(0))
    return sweep.trip(lane: 0, to: 0, of: destinations, departure: 0, walking: walking)
  }

  @Test func partsAddUpToTheTravelTime() {
    var drawn = DrawnTimetable(
      """
      A 7:02  B 7:10-7:11  C 7:15
      D 7:20  E 7:30
      """)
    drawn.walk("C", "D", seconds: 100)
    let trip = trip(drawn, to: 4)
    #expect(trip?.rides == 2 && trip?.milliseconds == 1_830_000)
    let parts = trip.map { [$0.access, $0.waiting, $0.riding, $0.transfer, $0.egress] }
    #expect(parts == [30_000, 290_000, 1_380_000, 100_000, 30_000])
  }

  @Test func inSeatTransfersAreOneRide() {
    var drawn = DrawnTimetable(
      """
      A 7:02  B 7:10
      B 7:12  C 7:20
      """)
    (drawn.trips[0].block, drawn.trips[1].block) = (1, 1)
    let trip = trip(drawn, to: 2)
    #expect(trip?.vehicles.map(\.staysSeated) == [false, true])
    #expect(trip?.rides == 1 && trip?.riding == 1_080_000 && trip?.waiting == 90_000)
  }

  @Test func prefersFewestRidesThenLatestStartThenLeastWalking() {
    var drawn = DrawnTimetable(
      """
      A 7:02  D 7:30
      A 7:10  B 7:12
      B 7:14  D 7:30
      """)
    #expect(trip(drawn, to: 1).map { [$0.rides, $0.waiting] } == [1, 90_000])
    drawn.trips[0].calls[1].stop = drawn.stop("E")
    #expect(trip(drawn, to: 1).map { [$0.rides, $0.waiting] } == [2, 690_000])
    drawn = DrawnTimetable(
      """
      A 7:02  B 7:04  C 7:10
      D 7:14  E 7:30
      """)
    drawn.walk("B", "D", seconds: 60)
    drawn.walk("C", "D", seconds: 90)
    #expect(trip(drawn, to: 4)?.transfer == 60_000, "riders who stay on to C are also in time, but walk farther")
  }

  @Test func walkingAllTheWayIsNotARide() {
    let drawn = DrawnTimetable("A 7:02  B 7:10")
    #expect(trip(drawn, to: 1, walking: 630_001)?.rides == 1)
    #expect(trip(drawn, to: 1, walking: 630_000)?.rides == 0)
    #expect(trip(drawn, to: 1, walking: 630_000)?.access == 630_000)
  }
}
