import TestMaps
import Testing

/// Walks along pathways within a station.
struct PathwayTests {
  private static let columns = "from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time,length,stair_count"

  /// Expects the seconds of a trip between a and e. Platform p of station s is reached through entrance n, which is at
  /// a; vehicles leave it for e at 7:01 and 7:02 and take four minutes; vehicles from e arrive at 7:14.
  private func expect(
    _ seconds: String, from origin: Character = "a", to destination: Character = "e", _ keys: String = "",
    along pathways: String...
  ) throws {
    let map = TestMap("a-b-c-d------------------e", spacing: 200).way("abcde")
    func stop(_ words: String, at letter: Character) -> String {
      words.replacing("@", with: "\(map[letter].latitude),\(map[letter].longitude)")
    }
    let stops = [
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding",
      stop("s,S,@,1,,", at: "a"), stop("n,N,@,2,s,", at: "a"), stop("g,G,@,3,s,", at: "a"), stop("p,P,@,0,s,", at: "c"),
      stop("q,Q,@,4,p,", at: "c"), stop("e,E,@,0,,", at: "e"),
    ]
    let feed = FeedScene(
      on: map, "", "t,p,1,7:01:00", "t,e,2,7:05:00", "u,p,1,7:02:00", "u,e,2,7:06:00", "v,e,1,7:10:00", "v,p,2,7:14:00",
      files: [
        "stops.txt": stops.joined(separator: "\n"),
        "pathways.txt": ([PathwayTests.columns] + pathways).joined(separator: "\n"),
      ])
    let scene = try JobScene(
      map, ["from.csv": map.list("\(origin)"), "to.csv": map.list("\(destination)")],
      "kind: 'matrix', origins: 'from.csv', destinations: 'to.csv', boardingSlack: 0, limit: 20, verify: 100, "
        + "departures: ['07:00'], date: '2026-11-23', gtfs: 'feed.zip'\(keys)", by: "transit", feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT coalesce(round(travel_times ->> 0), 'none') FROM matrix_row", "\(seconds)\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func stairsAreFasterThanTheLift() throws {
    try expect("300.0", along: "n,p,2,1,60,,", "n,g,1,1,10,,", "g,p,5,1,100,,")
  }

  @Test func wheelchairsTakeTheLift() throws {
    try expect("360.0", ", wheelchairBoarding: 'possible'", along: "n,p,2,1,60,,", "n,g,1,1,10,,", "g,p,5,1,100,,")
  }

  @Test func wheelchairProfileAvoidsStairs() throws {
    try expect("360.0", ", profile: 'wheelchair'", along: "n,p,2,1,60,,", "n,g,1,1,10,,", "g,p,5,1,100,,")
  }

  @Test func platformsWithoutALiftAreClosedToWheelchairs() throws {
    try expect("none", ", wheelchairBoarding: 'possible'", along: "n,p,4,1,60,,")
  }

  @Test func exitGatesLeadOutOnly() throws {
    try expect("none", along: "p,n,7,0,30,,")
    try expect("870.0", from: "e", to: "a", along: "p,n,7,0,30,,")
  }

  @Test func pathwaysLeadToBoardingAreas() throws {
    try expect("300.0", along: "n,q,1,1,60,,")
    try expect("360.0", along: "n,q,1,1,61,,")
  }

  @Test func timesFollowFromStairsAndLengths() throws {
    try expect("360.0", along: "n,p,2,1,,,-121")
    try expect("300.0", along: "n,p,2,1,,,120")
    try expect("300.0", along: "n,p,1,1,,80,")
    try expect("360.0", along: "n,p,1,1,,90,")
    try expect("300.0", along: "n,p,5,1,,,")
  }

  @Test func invalidTraversalTimesAreIgnored() throws {
    try expect("300.0", along: "n,p,1,1,0,80,")
    try expect("360.0", along: "n,p,2,1,soon,,121")
    let feed = try FeedScene([
      "pathways.txt": [PathwayTests.columns, "a,b,1,1,0,,", "b,c,1,1,x,,", "a,c,1,1,9,,"].joined(separator: "\n")
    ]).read()
    #expect(
      feed.feeds[0].facts.notes == [
        "pathways.txt: 2 pathways have a traversal_time that is not a whole number of seconds above 0, which is ignored"
      ])
    #expect(feed.rejections.isEmpty && feed.timetable.pathways.count == 6)
  }

  @Test func invalidRowsAreRejected() throws {
    let rows = ["a,x,1,1,,,", "s,a,1,1,,,", "a,b,8,1,,,", "a,b,1,2,,,", "a,b,1,1,,-1,", "a,b,2,1,,,1.5"]
    let stops = "stop_id,stop_name,stop_lat,stop_lon,location_type\na,A,0,0,\nb,B,0,0.01,\nc,C,0,0.02,\ns,S,0,0,1"
    let feed = try FeedScene([
      "stops.txt": stops, "pathways.txt": ([PathwayTests.columns] + rows).joined(separator: "\n"),
    ]).read()
    #expect(
      feed.rejections == [
        "pathways.txt:2: to_stop_id is not in stops.txt",
        "pathways.txt:3: from_stop_id is a station, expected one of its parts",
        "pathways.txt:4: pathway_mode is not from 1 to 7", "pathways.txt:5: is_bidirectional is neither 0 nor 1",
        "pathways.txt:6: length is not from 0 to 100000 metres",
        "pathways.txt:7: stair_count is not a whole number from -10000 to 10000",
      ])
  }
}
