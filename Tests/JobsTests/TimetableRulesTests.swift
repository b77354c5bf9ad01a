import Jobs
import TestMaps
import Testing
import Transit
import TransitNetwork

/// Blocks, frequencies, transfers and stations: rules for trips and stops other than times.
struct TimetableRulesTests {
  @Test func tripsOfABlockShareANumber() throws {
    let trips = "trip_id,route_id,service_id,block_id\nt,r,s,1\nu,r,s,"
    let blocks = try FeedScene.read(
      FeedScene(["trips.txt": trips]), FeedScene(["trips.txt": trips.replacing("s,\n", with: "s,2\n") + "1"])
    ).timetable.trips.map(\.block)
    #expect(blocks[1] == Timetable.none)
    #expect(blocks[2] == blocks[3] && blocks[2] != blocks[0])
  }

  @Test func tripTransfersDefineInSeatTransfers() throws {
    let feed = try FeedScene([
      "transfers.txt": "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id\n,,4,t,u\nc,a,5,u,t\n,,4,t,x"
    ]).read()
    #expect(feed.timetable.continuations.map { [$0.from, $0.to, $0.staysSeated] } == [[0, 1, 1], [1, 0, 0]])
    #expect(
      feed.rejections
        == ["transfers.txt:4: from_trip_id or to_trip_id is not in trips.txt; transfer_type 4 and 5 need both"])
  }

  @Test(arguments: [
    ("c,a", ""), ("c,", ""), (",a", ""), ("S,", ""), ("a,", "from_stop_id is not the last stop of from_trip_id"),
    (",c", "to_stop_id is not the first stop of to_trip_id"), (",x", "to_stop_id is not in stops.txt"),
  ])
  func stopsOfInSeatTransfersAreWhereTripsMeet(stops: String, reason: String) throws {
    let feed = try FeedScene([
      "stops.txt": "stop_id,stop_lat,stop_lon,location_type,parent_station\na,0,0,,\nc,0,0.02,,S\nS,0,0.02,1,",
      "transfers.txt": "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id\n\(stops),4,t,u",
    ]).read()
    #expect(feed.rejections == (reason.isEmpty ? [] : ["transfers.txt:2: \(reason)"]))
    #expect(feed.timetable.continuations.count == (reason.isEmpty ? 1 : 0))
  }

  @Test func inSeatTransfersToEarlierTripsAreReported() throws {
    let feed = try FeedScene([
      "transfers.txt": "transfer_type,from_trip_id,to_trip_id\n4,t,u\n4,u,t\n4,t,t\n5,u,t"
    ]).read()
    #expect(
      feed.feeds[0].facts.notes == [
        "transfers.txt: 2 rows have a to_trip_id that leaves before from_trip_id ends; "
          + "riders stay seated on it on the following service day"
      ])
  }

  private func frequencies(_ rows: String) throws -> FeedTimetable {
    try FeedScene(["frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\n" + rows]).read()
  }

  @Test func readsExactAndInexactFrequencies() throws {
    let feed = try frequencies("t,23:00:00,25:15:00,600,1\nt,5:00:00,6:00:00,300,0\nu,7:00:00,8:00:00,60,")
    #expect(
      feed.timetable.frequencies.map { [Int($0.trip), Int($0.start), Int($0.end), Int($0.headway)] }
        == [[0, 18_000, 21_600, 300], [0, 82_800, 90_900, 600], [1, 25_200, 28_800, 60]])
    #expect(feed.feeds[0].facts.frequencyTrips == 2)
    #expect(
      feed.feeds[0].facts.notes
        == [
          "frequencies.txt: 2 headways without exact_times are treated as exact, unless the key headways is averageWait"
        ])
    #expect(feed.timetable.frequencies.map(\.isExact) == [0, 1, 0])
  }

  @Test(arguments: [
    ("x,5:00:00,6:00:00,60,1", "trip_id is not in trips.txt"),
    ("t,6:00:00,6:00:00,60,1", "end_time is not after start_time"),
    ("t,5:00:00,6:00:00,0,1", "headway_secs is not a whole number of seconds above 0"),
  ])
  func impossibleFrequenciesAreRejected(row: String, reason: String) throws {
    #expect(try frequencies(row).rejections == ["frequencies.txt:2: \(reason)"])
  }

  @Test func tripsWithRejectedFrequenciesDoNotRun() throws {
    let feed = try frequencies("t,6:00:00,5:00:00,300,0\nu,7:00:00,8:00:00,60,1\nu,9:00:00,8:00:00,60,1")
    #expect(feed.drawn.map { $0.prefix(1) } == ["u"])
    #expect(
      feed.feeds[0].facts.notes.first == "frequencies.txt: 1 trip is left out since all its rows are rejected")
  }

  /// Platforms a and b and entrance e of station S, platform c of station T, and stops d and f with invalid parents.
  private let stations = """
    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
    S,South,0,0,1,
    a,A,0,0,,S
    b,B,0,0.01,0,S
    e,Entrance,0,0.005,2,S
    c,C,0,0.02,0,T
    T,Tower,0,0.02,1,
    d,D,0,0.04,,X
    f,F,0,0.05,,a
    """

  private func transfers(_ rows: String) throws -> FeedTimetable {
    try FeedScene([
      "stops.txt": stations,
      "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id\n" + rows,
    ]).read()
  }

  private func drawn(_ feed: FeedTimetable) -> [String] {
    feed.timetable.transfers.map { "\(feed.stop($0.from))\(feed.stop($0.to)) \($0.type) \($0.seconds)" }
  }

  @Test func transfersBetweenStopsAreRead() throws {
    #expect(
      try drawn(transfers("a,c,2,90,\nd,d,2,120,\nc,d,1,,\nd,c,3,,\na,b,,,")) == [
        "ab 0 0", "ac 2 90", "cd 1 0", "dc 3 0", "dd 2 120",
      ])
  }

  /// A rule for a stop overrides that for its station.
  @Test func transfersOfStationsApplyToTheirStops() throws {
    #expect(try drawn(transfers("S,T,2,60,\nS,c,3,,")) == ["ac 3 0", "bc 3 0"])
    #expect(try drawn(transfers("S,S,2,60,\na,b,2,30,")) == ["aa 2 60", "ab 2 30", "ba 2 60", "bb 2 60"])
  }

  @Test func tripsWithSpecificTransfersUseASeparatePartOfTheStop() throws {
    let feed = try transfers("a,c,2,60,r\na,c,2,90,")
    #expect(drawn(feed) == ["ac 2 90", "ac 2 60"])
    #expect(feed.timetable.callStops.map { feed.timetable.stops[Int($0)].type } == [4, 0, 4, 0])
  }

  @Test(arguments: [
    ("a,x,2,60,", "to_stop_id is not in stops.txt"), ("e,a,2,60,", "from_stop_id is neither a stop nor a station"),
    ("a,b,6,60,", "transfer_type is not from 0 to 5"),
    ("a,b,2,x,", "min_transfer_time is not a whole number of seconds"),
    ("a,b,2,,", "transfer_type 2 needs a min_transfer_time"),
    ("a,b,2,60,x", "from_route_id is not in routes.txt"),
    ("a,b,5,,", "from_trip_id or to_trip_id is not in trips.txt; transfer_type 4 and 5 need both"),
  ])
  func impossibleTransfersAreRejected(row: String, reason: String) throws {
    #expect(try transfers(row).rejections == ["transfers.txt:2: \(reason)"])
  }

  @Test func partsOfStationsReferToTheirStation() throws {
    let feed = try FeedScene(["stops.txt": stations]).read()
    let parents = feed.timetable.stops.map { $0.parent == Timetable.none ? "-" : feed.stop($0.parent) }
    #expect(parents == ["-", "S", "S", "S", "T", "-", "-", "-"])
    #expect(feed.timetable.stops.map(\.type) == [1, 0, 0, 2, 0, 1, 0, 0])
    #expect(
      feed.feeds[0].facts.notes
        == [
          "stops.txt: 2 stops have a parent_station that is not in the file or is not a station; it is ignored"
        ])
  }

  @Test func vehiclesOnlyCallAtStops() {
    let times = FeedScene.times("t,S,1,7:00:00", "t,c,2,7:05:00")
    #expect(
      FeedScene(["stops.txt": stations, "stop_times.txt": times]).problem().contains(
        "stop_id is not a stop, expected location_type 0"))
  }

  @Test func stopsWithoutCoordinatesAreAtTheirStation() throws {
    let stops = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      a,A,,,0,S
      S,South,0,0.01,1,
      c,C,0,0.02,,
      """
    let feed = try FeedScene(["stops.txt": stops]).read()
    #expect(feed.timetable.stops.map(\.longitude) == [100_000, 100_000, 200_000])
    #expect(
      feed.feeds[0].facts.notes == [
        "stops.txt: 1 place has no coordinates; the position of its station or its platforms is used"
      ])
  }

  /// stop_times.txt refers to stop a.
  @Test func rejectedStopsAreReported() throws {
    let stops = "stop_id,stop_name,stop_lat,stop_lon\na,A,149.5,0\nc,C,0,0.02"
    #expect(
      FeedScene(["stops.txt": stops]).problem().contains("most: stop_id refers to a rejected row of stops.txt"))
    #expect(
      FeedScene(["stops.txt": stops.replacing("stop_lat", with: "lat")]).problem()
        == "0.zip/stops.txt:2: all rows of the file are rejected; the first one: the header has no column stop_lat")
  }

  @Test(arguments: [("91", "0"), ("", "0"), ("0", "x"), ("0", "1e999")])
  func stopsOffTheEarthAreRejected(latitude: String, longitude: String) throws {
    let stops = "stop_id,stop_name,stop_lat,stop_lon\na,A,0,0\nb,B,\(latitude),\(longitude)\nc,C,0,0.02"
    let feed = try FeedScene(["stops.txt": stops]).read()
    #expect(feed.timetable.stops.count == 2)
    #expect(feed.feeds[0].facts.rejected.map(\.line) == [3])
  }

  /// Both feeds use the same ids.
  @Test func stopsOfSeveralFeedsAreDifferent() throws {
    let feeds = try FeedScene.read(
      FeedScene(), FeedScene(["routes.txt": "route_id,route_short_name,route_type\nr,7,0"]))
    let timetable = feeds.timetable
    #expect(timetable.stops.map(\.feed) == [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(feeds.stop(4) == "a" && Array(timetable.callStops) == [0, 2, 0, 2, 4, 6, 4, 6])
    #expect(timetable.trips.map { timetable.text(timetable.lines[Int($0.line)].name) } == ["5", "5", "7", "7"])
    #expect(timetable.trips.map { timetable.serviceFeeds[Int($0.service)] } == [0, 0, 1, 1])
  }
}
