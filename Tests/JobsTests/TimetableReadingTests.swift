import Foundation
import Jobs
import TestMaps
import Testing
import Transit
import TransitNetwork

/// Trips and their times, as defined by GTFS.
struct TimetableReadingTests {
  private func read(_ rows: String...) throws -> FeedTimetable {
    let header =
      "trip_id,stop_id,stop_sequence,arrival_time,departure_time,shape_dist_traveled,pickup_type,drop_off_type"
    return try FeedScene(["stop_times.txt": ([header] + rows).joined(separator: "\n")]).read()
  }

  @Test func timesBeyondMidnightBelongToTheDayBefore() throws {
    let timetable = try read("t,a,1,25:10:00,25:10:00", "t,b,2,35:06:00,35:06:30")
    #expect(timetable.drawn == ["t: a 25:10:00, b 35:06:00-35:06:30"])
  }

  @Test func callsAreOrderedBySequenceWithoutDuplicates() throws {
    let rows = ["t,c,90,7:10:00", "t,a,3,,7:00:00", "t,b,7,7:05:00", "t,d,7,7:06:00"]
    let timetable = try FeedScene(["stop_times.txt": FeedScene.times(rows + many(10))]).read()
    #expect(timetable.drawn[0] == "t: a 7:00:00, b 7:05:00, c 7:10:00")
    #expect(timetable.rejections == ["stop_times.txt:5: an earlier row of the trip has the same stop_sequence"])
  }

  @Test func blankTimesFollowShapeDistances() throws {
    let timetable = try read("t,a,1,7:00:00,,0", "t,b,2,,,9", "t,c,3,7:10:00,,10", "u,a,1,8:00:00,", "u,c,2,8:10:00,")
    #expect(timetable.drawn[0] == "t: a 7:00:00, b 7:09:00, c 7:10:00")
    #expect(timetable.feeds[0].facts.interpolatedTimes == 1)
  }

  /// The distances of the second trip decrease.
  @Test(arguments: [
    "t,a,1,7:00:00,7:00:10,|t,b,2,,,|t,d,3,7:08:10,,", "t,a,1,7:00:00,7:00:10,5|t,b,2,,,9|t,d,3,7:08:10,,7",
  ])
  func blankTimesOtherwiseFollowStraightLines(rows: String) throws {
    let timetable = try FeedScene([
      "stop_times.txt": "trip_id,stop_id,stop_sequence,arrival_time,departure_time,shape_dist_traveled\n"
        + rows.replacing("|", with: "\n")
    ]).read()
    #expect(timetable.drawn == ["t: a 7:00:00-7:00:10, b 7:02:10, d 7:08:10"])
  }

  @Test func missingTimesAtOneStopAreInterpolatedEvenly() throws {
    let timetable = try read("t,a,1,7:00:00,", "t,a,2,,", "t,a,3,,", "t,a,4,7:00:10,")
    #expect(timetable.drawn == ["t: a 7:00:00, a 7:00:03, a 7:00:07, a 7:00:10"])
  }

  @Test func blankTimesAtEndsAreLeftOut() throws {
    let timetable = try FeedScene([
      "stop_times.txt": FeedScene.times(["t,a,1,", "t,b,2,7:05:00", "t,c,3,7:10:00", "t,d,4,"] + many(30))
    ]).read()
    #expect(timetable.drawn[0] == "t: b 7:05:00, c 7:10:00")
    let reason = "no time, and not between two timed stops of the trip"
    #expect(timetable.rejections == ["stop_times.txt:2: \(reason)", "stop_times.txt:5: \(reason)"])
  }

  /// Returns valid rows of trip u, so that at most a tenth of all rows are rejected.
  private func many(_ count: Int) -> [String] { (0..<count).map { "u,a,\($0),8:00:00" } }

  @Test func midnightWrittenAsZeroIsTheNextDay() throws {
    let timetable = try read("t,a,1,23:50:00,23:59:00", "t,b,2,0:10:00,", "t,c,3,0:20:00,0:21:00")
    #expect(timetable.drawn == ["t: a 23:50:00-23:59:00, b 24:10:00, c 24:20:00-24:21:00"])
    #expect(
      timetable.feeds[0].notes.contains {
        $0.hasSuffix("1 trip continues after midnight with 00:xx instead of 24:xx; 24 h are added from there on")
      })
  }

  @Test func tripsWithDecreasingTimesAreRejected() throws {
    let timetable = try FeedScene([
      "stop_times.txt": FeedScene.times(["t,a,1,7:00:00", "t,b,2,7:10:00", "t,c,3,7:09:00"] + many(30))
    ]).read()
    #expect(timetable.timetable.trips.count == 1)
    #expect(
      timetable.rejections == ["stop_times.txt:4: the time is before the previous stop's: the trip is left out"])
  }

  @Test func missingOrEarlyDeparturesDefaultToTheArrival() throws {
    #expect(try read("t,a,1,7:00:00,6:59:00", "t,b,2,7:05:00,").drawn == ["t: a 7:00:00, b 7:05:00"])
  }

  @Test func pickupAndDropOffTypeOneMeanNone() throws {
    let timetable = try read("t,a,1,7:00:00,,,0,1", "t,b,2,7:05:00,,,1,3", "t,c,3,7:09:00,,,2,", "t,d,4,7:11:00,,,1,1")
    let (none, no) = (Timetable.noBoarding, Timetable.noAlighting)
    #expect(Array(timetable.timetable.callFlags) == [no, none, 0, none | no])
  }

  @Test func rowsOfUnknownStopsAreRejectedAndTheTripRuns() throws {
    let timetable = try FeedScene([
      "stop_times.txt": FeedScene.times(["t,a,1,7:00:00", "t,x,2,7:05:00", "t,c,3,7:10:00"] + many(10))
    ]).read()
    #expect(timetable.drawn[0] == "t: a 7:00:00, c 7:10:00")
    #expect(timetable.rejections == ["stop_times.txt:3: stop_id is not in stops.txt"])
    #expect(timetable.feeds[0].rejected[0].text == "t,x,2,7:05:00,")
  }

  @Test func placesOfUnknownTypesAreRejected() throws {
    let stops = "stop_id,stop_lat,stop_lon,location_type\na,0,0,0\nc,0,0.02,\nx,0,0.03,300\ny,0,0.03,2x"
    #expect(
      try FeedScene(["stops.txt": stops]).read().rejections
        == [
          "stops.txt:4: location_type is not a number from 0 to 4",
          "stops.txt:5: location_type is not a number from 0 to 4",
        ])
  }

  @Test func feedsAreRefusedIfMoreThanATenthIsUnusable() {
    let rows = ["t,a,1,7:00:00", "t,x,2,7:05:00", "t,y,3,7:06:00", "t,c,4,7:10:00"]
    #expect(
      FeedScene(["stop_times.txt": FeedScene.times(rows + many(15))]).problem()
        == "0.zip/stop_times.txt: 2 of 19 stop times cannot be used (most: stop_id is not in stops.txt, "
        + "first in line 3: t,x,2,7:05:00,); expected at most a tenth")
    #expect(FeedScene(["stop_times.txt": FeedScene.times(rows + many(16))]).problem() == "")
  }

  @Test func missingColumnsAreReported() throws {
    let times = "trip_id,stop_id,stop_sequence,departure_time\nt,a,1,7:00:00\nt,c,2,7:10:00"
    let timetable = try FeedScene(["stop_times.txt": times]).read()
    #expect(timetable.drawn == ["t: a 7:00:00, c 7:10:00"])
    #expect(
      timetable.feeds[0].facts.notes.first
        == "stop_times.txt: the header has no column arrival_time; the departures are used instead")
    #expect(
      FeedScene(["stop_times.txt": times.replacing("stop_id", with: "stop")]).problem()
        .contains("most: the header has no column stop_id, first in line 2"))
  }

  @Test func hailingBetweenStopsIsReported() throws {
    let times = """
      trip_id,stop_id,stop_sequence,arrival_time,departure_time,continuous_pickup,continuous_drop_off
      t,a,1,7:00:00,7:00:00,0,
      t,b,2,7:05:00,7:05:00,1,1
      t,c,3,7:10:00,7:10:00,,2
      """
    #expect(
      try FeedScene(["stop_times.txt": times]).read().feeds[0].facts.notes.first
        == "stop_times.txt: 2 stop times allow hailing between stops; riders board and alight only at stops")
  }

  @Test func unknownPickupTypesAreCounted() throws {
    let timetable = try read("t,a,1,7:00:00,,,9,0", "t,b,2,7:05:00,,,0,x", "t,c,3,7:09:00,,,,3")
    #expect(Array(timetable.timetable.callFlags) == [0, 0, 0])
    #expect(
      timetable.feeds[0].facts.notes.first
        == "stop_times.txt: 2 stop times have a pickup_type or drop_off_type that is not from 0 to 3, which is taken as 0"
    )
  }

  @Test func shapesWithoutALineAreReported() throws {
    let feed = try FeedScene(["trips.txt": "trip_id,route_id,service_id,shape_id\nt,r,s,x\nu,r,s,"]).read()
    #expect(
      feed.feeds[0].facts.notes == [
        "trips.txt: 1 trip has a shape_id without a line in shapes.txt; rides are drawn straight between stops"
      ])
  }

  /// Trips t and u call at a and c, 2.2 km apart.
  @Test(arguments: [("0.008", "0.008", 0), ("0", "0.05", 2), ("0.05", "0.05", 2), ("0", "60", 2)])
  func implausibleShapesAreCounted(first: String, second: String, count: Int) throws {
    let feed = try FeedScene([
      "trips.txt": "trip_id,route_id,service_id,shape_id\nt,r,s,x\nu,r,s,x",
      "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nx,\(first),0,1\nx,\(second),0.02,2",
    ]).read()
    #expect(
      feed.feeds[0].facts.notes
        == (count == 0
          ? []
          : [
            "trips.txt: \(count) trips have shapes more than 1000 m from a stop or with a stray point; "
              + "rides are drawn straight between stops there"
          ]))
  }

  @Test(arguments: ["99999999999", "-1", "x"]) func sequencesOutOfRangeAreRejected(sequence: String) throws {
    let rows = ["t,a,1,7:00:00", "t,b,\(sequence),7:05:00", "t,c,3,7:10:00"] + many(10)
    #expect(
      try FeedScene(["stop_times.txt": FeedScene.times(rows)]).read().rejections
        == ["stop_times.txt:3: stop_sequence is not a whole number from 0 to 999999999"])
  }

  @Test func columnsMayBeInCapitals() throws {
    let stops = "Stop_ID , stop_name,STOP_LAT,stop_lon\na,A,0,0\nc,C,0,0.02"
    #expect(try FeedScene(["stops.txt": stops]).read().drawn.count == 2)
  }

  @Test func spacesBeforeQuotesAreIgnored() throws {
    let stops = "\"stop_id\" , \"stop_lat\",\t\"stop_lon\"\n \"a\",0,0\n \"c\" , \"0\", \"0.02\""
    #expect(try FeedScene(["stops.txt": stops]).read().drawn[0] == "t: a 7:00:00, c 7:10:00")
  }

  @Test func unknownRoutesAreNamedByTheirIDs() throws {
    let timetable = try FeedScene(["trips.txt": "trip_id,route_id,service_id\nt,r,s\nu,R9,s"]).read()
    let lines = timetable.timetable.trips.map { timetable.timetable.lines[Int($0.line)] }
    #expect(lines.map { timetable.timetable.text($0.name) } == ["5", "R9"])
  }

  @Test(arguments: ["", "bus", "70000"]) func routesOfUnknownTypeAreKeptAndCounted(type: String) throws {
    let feed = try FeedScene(["routes.txt": "route_id,route_short_name,route_type\nr,5,\(type)"]).read()
    #expect(feed.timetable.lines.map { feed.timetable.text($0.name) } == ["5"])
    #expect(feed.timetable.lines.map(\.type) == [Timetable.none])
    #expect(
      feed.feeds[0].facts.notes == [
        "routes.txt: 1 route has a route_type that is not a whole number up to 65535; its vehicle type is unknown"
      ])
  }

  @Test func onDemandTripsAreReported() throws {
    let onDemand = """
      trip_id,stop_id,stop_sequence,arrival_time,departure_time,start_pickup_drop_off_window
      t,,1,,,7:00:00
      u,,1,,,7:00:00
      """
    #expect(
      FeedScene(["stop_times.txt": onDemand]).problem()
        == "0.zip: no trip has a time: 2 stop times are on demand, which is not supported")
    let timetable = try FeedScene(["stop_times.txt": onDemand + "\nt,a,2,7:00:00,,\nt,b,3,7:05:00,,"]).read()
    #expect(timetable.drawn == ["t: a 7:00:00, b 7:05:00"])
    #expect(
      timetable.feeds[0].facts.notes.first == "stop_times.txt: 2 stop times are on demand, which is not supported")
  }

  @Test(arguments: ["7:00", "7:60:00", "7:00:60", "-1:00:00", "1000:00:00", "7:0:0", "x", "7:00:00:00"])
  func malformedTimesAreRejected(time: String) throws {
    let timetable = try FeedScene([
      "stop_times.txt": FeedScene.times(["t,a,1,7:00:00", "t,b,2,\(time)", "t,c,3,7:10:00"] + many(10))
    ]).read()
    #expect(
      timetable.rejections == [
        "stop_times.txt:3: arrival_time is not a time, expected hours, minutes and seconds, e.g. 07:05:00"
      ])
  }

  @Test func columnsAndRowsMayBeInAnyOrder() throws {
    let timetable = try FeedScene([
      "stop_times.txt": "\u{FEFF}stop_sequence, departure_time ,\"stop_id\",trip_id,arrival_time\r\n"
        + "2,7:10:00, c ,t,7:09:00\r\n1,8:00:00,a,u,8:00:00\r\n1,7:00:00,\"a\",t,\r\n2,8:01:00,b,u,8:01:00\r\n"
    ]).read()
    #expect(timetable.drawn == ["t: a 7:00:00, c 7:09:00-7:10:00", "u: a 8:00:00, b 8:01:00"])
  }
}
