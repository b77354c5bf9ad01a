import Foundation
import Geography
import Input
import Jobs
import TestMaps
import Testing

/// Stations from the zip file of a timetable and from the map's tags.
struct StationTableTests {
  private static let stops = """
    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
    C,Central,0,0,1,
    C1,Central 1,0,0.001,0,C
    C2,Central 2,0,0.002,0,C
    N,North,0.1,0,,
    W,Wharf,0.2,0,,

    """
  private static let feed = [
    "stops.txt": stops,
    "routes.txt": "route_id,route_short_name,route_long_name,route_type\nr1,M1,,1\nr2,,Harbour line,700\nr3,9,,109\n",
    "trips.txt": "route_id,service_id,trip_id\nr1,s,t1\nr2,s,t2\nr3,s,t3\n",
    "stop_times.txt":
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,,,C1,1\nt1,,,N,2\nt2,,,C2,1\nt2,,,W,2\nt3,,,N,1\n",
  ]

  private func table(
    _ files: [String: String], _ types: Set<RouteType>? = nil, joining: Double? = nil,
    boarding: WheelchairBoarding = .any, unserved: Bool = false
  ) throws -> StationTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    for (name, text) in files { try scratch.write(text, to: name) }
    try Run("/usr/bin/env", ["python3", "-m", "zipfile", "-c", "feed.zip"] + files.keys.sorted(), in: scratch.folder)
    return try StationTable(
      scratch.path("feed.zip"), map: "", types: types, joining: joining, boarding: boarding, unserved: unserved)
  }

  private func shown(_ table: StationTable) -> [String] {
    table.stations.enumerated().map { index, station in
      let entrances = table.entrances.filter { $0.station == index }.map { "\($0.place.id)" }
      return "\(station.id) \(entrances.joined(separator: "+")) \(table.lines[index].joined(separator: ","))"
    }
  }

  @Test func assignsPlatformsAndLinesToStations() throws {
    #expect(try shown(table(StationTableTests.feed)) == ["C C1+C2 Harbour line,M1", "N N 9,M1", "W W Harbour line"])
  }

  /// A stop without a value inherits its station's value; generic nodes do not make a station accessible.
  @Test(arguments: [
    (WheelchairBoarding.any, ["C C1+C2 M1", "N N 9,M1", "W W Harbour line"]),
    (.possible, ["C C1+C2 M1", "W W Harbour line"]), (.known, ["C C1 M1", "W W Harbour line"]),
  ])
  func filtersStopsByWheelchairAccess(boarding: WheelchairBoarding, expected: [String]) throws {
    var feed = StationTableTests.feed
    feed["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding
      C,Central,0,0,1,,0
      C1,Central 1,0,0.001,0,C,1
      C2,Central 2,0,0.002,0,C,
      N,North,0.1,0,,,2
      W,Wharf,0.2,0,,,1
      X,Stairs,0.3,0,1,,1
      XE,Stairs down,0.3,0.001,2,X,2
      X1,Platform,0.3,0.002,0,X,
      Y,Yard,0.4,0,1,,2
      YN,Passage,0.4,0.001,3,Y,1

      """
    let table = try table(feed, boarding: boarding)
    #expect(shown(table).map { $0.replacing(" Harbour line,M1", with: " M1") } == expected)
    #expect(table.rejected.count == (boarding == .any ? 0 : boarding == .possible ? 5 : 6))
  }

  /// A lift leads from entrance E to platform P; only stairs lead to platform Q and from entrance F; station T has only
  /// an escalator.
  @Test func wheelchairsNeedPathwaysWithoutStairs() throws {
    let stops = ["C,1,", "E,2,C", "F,2,C", "N,3,C", "P,0,C", "Q,0,C", "T,1,", "G,2,T", "R,0,T"]
    let files = [
      "stops.txt": "stop_id,location_type,parent_station,stop_lat,stop_lon\n"
        + stops.map { "\($0),0,0\n" }.joined(),
      "pathways.txt":
        "from_stop_id,to_stop_id,pathway_mode\nE,N,5\nN,P,1\nN,Q,2\nF,N,2\nG,R,4\n",
    ]
    #expect(try shown(table(files)) == ["C E+F ", "T G "])
    let table = try table(files, boarding: .possible)
    #expect(shown(table) == ["C E "])
    #expect(table.rejected.map(\.id) == ["F", "Q", "T", "G", "R"])
    #expect(table.rejected[0].reason.hasSuffix("connects this entrance to a platform of its station"))
  }

  /// Wheelchairs cannot use entrance E, so they reach only platform P, whose `stop_access` is 1.
  @Test func stopsWithDirectAccessAreEntrances() throws {
    let files = [
      "stops.txt": "stop_id,location_type,parent_station,wheelchair_boarding,stop_access,stop_lat,stop_lon\n"
        + ["C,1,,,", "E,2,C,2,", "P,0,C,,1", "Q,0,C,,0"].map { "\($0),0,0\n" }.joined()
    ]
    #expect(try shown(table(files)) == ["C E+P "])
    let table = try table(files, boarding: .possible)
    #expect(shown(table) == ["C P "] && table.rejected.map(\.id) == ["E", "Q"])
  }

  /// Stops with the same name at 0, 111 and 222 m, and one with another name; the third is too far from the first.
  @Test func joinsStopsByNameOnRequest() throws {
    var feed = StationTableTests.feed
    feed["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      C1,Central,0,0,,
      N,North,0,0.0005,,
      C2,central ,0,0.001,,
      W,Central,0,0.002,,
      C,,0,0,,

      """
    #expect(
      try shown(table(feed)) == ["C1 C1 M1", "N N 9,M1", "C2 C2 Harbour line", "W W Harbour line"])
    let joined = ["C1 C1+C2 Harbour line,M1", "N N 9,M1", "W W Harbour line"]
    #expect(try shown(table(feed, joining: 150)) == joined)
    #expect(try shown(table(feed, [.bus], joining: 150)) == ["C1 C2 Harbour line", "W W Harbour line"])
  }

  @Test func doesNotJoinStationsOfTheMap() throws {
    let error = #expect(throws: OdometerError.self) {
      try StationTable("osm:railway=station", map: "map.opl", types: nil, joining: 100)
    }
    #expect(error?.problem.hasPrefix("joinStops is for a GTFS zip") == true)
  }

  @Test func joinsStopsToTheStationOfTheirName() throws {
    var feed = StationTableTests.feed
    feed["stops.txt"] = StationTableTests.stops + "B,central,0.0005,0,,\nFar,Central,0.5,0,,\n"
    let table = try table(feed, joining: 100)
    #expect(shown(table) == ["C C1+C2 Harbour line,M1", "N N 9,M1", "W W Harbour line"])
    let all = try self.table(feed, joining: 100, unserved: true)
    #expect(shown(all) == ["C C1+C2+B Harbour line,M1", "N N 9,M1", "W W Harbour line", "Far Far "])
  }

  @Test func unservedStopsAreNotStations() throws {
    var feed = StationTableTests.feed
    feed["stops.txt"] = StationTableTests.stops + "C3,Central 3,0,0.003,0,C\nX,Depot,0.3,0,,\nY,Yard,0.4,0,1,\n"
    let table = try table(feed)
    #expect(shown(table) == ["C C1+C2 Harbour line,M1", "N N 9,M1", "W W Harbour line"])
    #expect(table.notes.count == 1 && table.notes[0].contains("2 stations that no trip serves are left out"))
    let all = try self.table(feed, unserved: true)
    #expect(
      shown(all) == ["C C1+C2+C3 Harbour line,M1", "N N 9,M1", "W W Harbour line", "X X ", "Y Y "] && all.notes.isEmpty)
  }

  /// A timetable for other stops, and one of on-demand trips between areas.
  @Test(arguments: ["t1,Elsewhere", "t1,"]) func feedsWithoutStopTimesKeepAllStops(call: String) throws {
    var feed = StationTableTests.feed
    feed["stop_times.txt"] = "trip_id,stop_id\n\(call)\n"
    let table = try table(feed)
    #expect(shown(table) == ["C C1+C2 ", "N N ", "W W "] && table.notes.count == 1)
    let unknown = "1 stop of stop_times.txt without a valid row in stops.txt (\"Elsewhere\")"
    #expect(table.notes[0].hasSuffix(unknown) == call.contains("Elsewhere"), "\(table.notes)")
  }

  @Test func parentsThatAreNotStationsAreIgnored() throws {
    var feed = StationTableTests.feed
    feed["stops.txt"] = StationTableTests.stops.replacing("N,North,0.1,0,,", with: "N,North,0.1,0,,W")
      .replacing("C2,Central 2,0,0.002,0,C", with: "C2,Central 2,0,0.002,0,Gone")
    let table = try table(feed)
    #expect(
      shown(table) == ["C C1 M1", "C2 C2 Harbour line", "N N 9,M1", "W W Harbour line"] && table.rejected.isEmpty)
    #expect(
      table.notes.count == 1
        && table.notes[0].contains("2 stops have a parent_station that is not in the file or is not a station"))
    feed["stops.txt"] = StationTableTests.stops.replacing("N,North,0.1,0,,", with: "N,North,0.1,0,,W")
    #expect(try self.table(feed).notes.contains { $0.contains(": 1 stop has a parent_station") })
  }

  /// A tram 9 and a bus 9 of one agency, and a bus 9 of another; M1 is one line with two routes.
  @Test func distinguishesLinesWithTheSameName() throws {
    var feed = StationTableTests.feed
    feed["agency.txt"] = "agency_id,agency_name\na,City\nb,Coast\n"
    feed["routes.txt"] = """
      route_id,agency_id,route_short_name,route_type
      r1,a,M1,1
      r2,a,9,0
      r3,a,9,3
      r4,b,9,700
      r5,a,M1,1

      """
    feed["trips.txt"] = (1...5).reduce("route_id,trip_id\n") { $0 + "r\($1),t\($1)\n" }
    feed["stop_times.txt"] = "trip_id,stop_id\nt1,N\nt2,N\nt3,N\nt4,W\nt5,N\n"
    #expect(
      try shown(table(feed)) == ["N N 9 (City, bus),9 (City, tram),M1", "W W 9 (Coast, bus)"])
    #expect(try shown(table(feed, [.tram])) == ["N N 9 (City, tram)"])
  }

  @Test func typesOfOlderListsHaveNames() {
    #expect([300, 399, 404, 500, 699].map(RouteType.init(code:)) == [.rail, .rail, .metro, .metro, .metro])
    #expect([8, 99, 1100, 1500, 1700].compactMap(RouteType.init(code:)).isEmpty)
  }

  @Test func routesOfTypesWithoutANameAreCounted() throws {
    var feed = StationTableTests.feed
    feed["routes.txt"]! += "r4,T,,1500\nr5,X,,\n"
    let table = try table(feed, [.metro])
    #expect(table.notes.count == 1)
    #expect(table.notes[0].hasSuffix("routes.txt: 2 routes with a route_type that no name in routeTypes covers"))
    #expect(try self.table(feed).notes.isEmpty)
  }

  @Test func countsOnlyLinesOfTheRequestedTypes() throws {
    // Type 109 is a suburban railway, type 700 a bus.
    #expect(try shown(table(StationTableTests.feed, [.metro])) == ["C C1 M1", "N N M1"])
    #expect(try shown(table(StationTableTests.feed, [.rail])) == ["N N 9"])
    #expect(
      try shown(table(StationTableTests.feed, [.bus, .rail])) == ["C C2 Harbour line", "N N 9", "W W Harbour line"])
  }

  @Test func readsFeedsWithoutTrips() throws {
    #expect(try shown(table(["stops.txt": StationTableTests.stops])) == ["C C1+C2 ", "N N ", "W W "])
  }

  @Test func rejectsZipsThatAreNotTimetables() throws {
    #expect { try table(["a.txt": "x"]) } throws: {
      "\($0)".hasSuffix("feed.zip: the zip has no stops.txt; expected a GTFS feed")
    }
    #expect { try table(["stops.txt": StationTableTests.stops], [.metro]) } throws: {
      "\($0)".hasSuffix("routeTypes needs routes.txt, trips.txt, stop_times.txt; the zip lacks at least one of them")
    }
    #expect { try table(StationTableTests.feed, [.ferry]) } throws: {
      "\($0)".hasSuffix("no stop is served by a line of the requested routeTypes")
    }
    let scratch = try Scratch()
    defer { scratch.remove() }
    try Data([0x50, 0x4B, 3, 4, 0, 0]).write(to: URL(fileURLWithPath: scratch.path("cut.zip")))
    #expect { try StationTable(scratch.path("cut.zip"), map: "", types: nil) } throws: {
      "\($0)".hasSuffix("cut.zip: the zip is corrupt or truncated")
    }
  }

  @Test func ignoresBytesAfterTheEndOfAZip() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("stop_id,stop_lon,stop_lat\nA,1,1\n", to: "stops.txt")
    try Run("/usr/bin/env", ["python3", "-m", "zipfile", "-c", "feed.zip", "stops.txt"], in: scratch.folder)
    let feed = URL(fileURLWithPath: scratch.path("feed.zip"))
    try (try Data(contentsOf: feed) + Data("junk".utf8)).write(to: feed)
    let table = try StationTable(feed.path, map: "", types: nil)
    #expect(table.notes.first == "\(feed.path): ignored 4 extra bytes after the end of the zip")
  }

  /// Feeds may be untidy: rows with too many or too few fields still specify which lines call where.
  @Test func readsUntidyRowsOfLines() throws {
    var feed = StationTableTests.feed
    feed["routes.txt"] = "route_id,route_type,route_short_name\nr1,1\nr2,700,H,extra\n\nr3\n"
    feed["trips.txt"] = "trip_id,route_id,note\nt1,r1\nt2,r2,x,y\nt3,r3,\n"
    #expect(try shown(table(feed)) == ["C C1+C2 H,r1", "N N r1,r3", "W W H"])
  }

  @Test func readsStationsAndTheirEntrancesFromTheMap() throws {
    let map = TestMap(
      """
      a-b-c-d                 e
      |
      f           g-h
      """
    ).way("abcd").way("af").way("gh", ["building": "train_station", "railway": "station", "name": "Depot"])
      .node("b", ["railway": "station", "name": "Market"])
      .node("c", ["railway": "subway_entrance"])
      .node("d", ["railway": "tram_stop"])
      .node("e", ["railway": "subway_entrance", "ref": "7"])
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write(map.opl, to: "map.opl")
    let table = try StationTable("osm:railway=station,subway_entrance,tram_stop", map: path, types: nil)
    #expect(table.stations.map { $0.name ?? "" } == ["Market", "", "Depot", "7"])
    // c is near Market, though nearer to a tram stop, which has no entrances; e is near no station.
    #expect(table.entrances.map(\.station) == [0, 1, 2, 3])
    #expect(table.entrances.map(\.place.role) == [.entrance, .station, .station, .station])
    #expect { try StationTable("osm:railway=station", map: path, types: [.metro]) } throws: {
      "\($0)".hasSuffix("not a GTFS zip; routeTypes requires one")
    }
    #expect { try StationTable("osm:railway=spaceport", map: path, types: nil) } throws: {
      "\($0)".hasSuffix("the map has no objects with the tags railway=spaceport")
    }
  }

  /// The school cdef has a yard in its middle, ghij lacks a way, and klmn has its tags on the way, too.
  @Test func readsAreasOfRelationsFromTheMap() throws {
    let (area, outline) = (["type": "multipolygon", "amenity": "school"], ["highway": ""])
    let map = TestMap("a-b  c---d  g-h k-l\n     |o-p|  | | | |\n     |r-q|  | | | |\n     f---e  j-i n-m").way("ab")
      .way("cde", outline).way("efc", outline).way("opqro", outline).way("ghi", outline)
      .way("klmnk", ["highway": "", "amenity": "school"])
      .relation([("w", "cde", "outer"), ("w", "efc", "outer"), ("w", "opqro", "inner")], area)
      .relation([("w", "ghi", "outer")], area).relation([("w", "klmnk", "outer")], area)
    let scratch = try Scratch()
    defer { scratch.remove() }
    let table = try StationTable("osm:amenity=school", map: scratch.write(map.opl, to: "map.opl"), types: nil)
    #expect(table.stations.map { "\($0.id)" } == ["way/6", "relation/1", "relation/2"])
    let columns = table.stations.map { $0.coordinate.coordinate.longitude / (map["b"].longitude / 2) }
    #expect((5...6).contains(columns[1]) || (8...9).contains(columns[1]))
    #expect(abs(columns[2] - 13) < 0.01)
  }

  @Test func entrancesBelongToTheStationOfTheirStopArea() throws {
    let area = ["type": "public_transport", "public_transport": "stop_area"]
    // The first stop area contains a relation whose ID is that of node b.
    let map = TestMap("a-b-c                    e").way("abc").way("ab")
      .node("b", ["railway": "station", "name": "Market"]).node("e", ["railway": "subway_entrance"])
      .relation([("r", "ab", "")], area).relation([("n", "b", ""), ("n", "e", "")], area)
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write(map.opl, to: "map.opl")
    let table = try StationTable("osm:railway=station,subway_entrance", map: path, types: nil)
    #expect(table.stations.map(\.name) == ["Market"] && table.entrances.map(\.station) == [0])
  }
}
