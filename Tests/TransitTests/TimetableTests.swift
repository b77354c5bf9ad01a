import Hierarchy
import Testing
import Transit

struct TimetableTests {
  @Test func servicesRunOnTheDaysOfTheirBits() {
    let timetable = Timetable(
      timeZones: Column([]), callStops: Column([]), arrivals: Column([]), departures: Column([]), callFlags: Column([]),
      firstCalls: Column([0]), trips: Column([]), serviceFeeds: Column([0, 0]), serviceDays: Column([1, 0, 0, 2]),
      firstDay: Column([100]), stops: Column([]), lines: Column([]), frequencies: Column([]), transfers: Column([]),
      continuations: Column([]), pathways: Column([]), firstShapePoints: Column([0]), shapePoints: Column([]),
      callHeadsigns: Column([]), callSegments: Column([]), strings: Column([]), metresPerDegree: 111_195)
    #expect([99, 100, 101, 165, 228].map { timetable.runs(0, on: $0) } == [false, true, false, false, false])
    #expect([99, 100, 101, 165, 228].map { timetable.runs(1, on: $0) } == [false, false, false, true, false])
  }
}
