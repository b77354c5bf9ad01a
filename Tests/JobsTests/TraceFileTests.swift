import Foundation
import Geography
import Input
import Jobs
import TestMaps
import Testing

/// Polylines, GPX, GeoJSON, and the selection of files by a job.
struct TraceFileTests {
  @Test func readsPolylinesOfAColumn() throws {
    let text = """
      "TRIP_ID","TIMESTAMP","POLYLINE"
      "7","1000","[[-8.5,41.25],[-8.25, 41.5]]"
      "8","2000","[]"
      """
    let scene = try TraceScene(text) { $0.interval = 15 }
    #expect(scene.ids == ["7", "8"] && scene.times == [[1000, 1015], []])
    #expect(scene.places[0] == ["-8.5 41.25", "-8.25 41.5"])
    #expect(try TraceScene(text).times[0] == [-1, -1])
  }

  @Test func positionsAfterABadOneKeepTheirTime() throws {
    let scene = try TraceScene("timestamp,polyline\n0,\"[[1,2],[1,91],[1,3]]\"\n", as: "p.csv") { $0.interval = 15 }
    #expect(scene.times == [[0, 30]] && scene.ids == ["p/1"] && scene.table.rejected.map(\.id) == ["p/1"])
    #expect(scene.table.rejected.map(\.text) == ["[1.0,91.0]"])
  }

  @Test(arguments: [("[[1,2]", 7), ("[1,2]", 2), ("", 1), ("[[1,2]]x", 8), ("[[1,2,x]]", 7), ("[[1,2],]", 8)])
  func rejectsBrokenPolylines(polyline: String, byte: Int) throws {
    let scene = try TraceScene("trace,polyline\nA,\"[[1,2]]\"\nB,\"\(polyline)\"\n")
    #expect(scene.ids == ["A"])
    #expect(scene.reasons == ["the polyline cannot be read at byte \(byte), expected [[longitude,latitude],…]"])
  }

  private let gpx = """
    <?xml version="1.0"?>
    <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1"><metadata><name>all</name></metadata>
    <wpt lat="1" lon="2"><name>w</name></wpt><rte><rtept lat="1" lon="2"/></rte>
    <trk><name>To &amp; fro</name>
     <trkseg>
      <trkpt lat="47.25" lon="8.5"><ele>3</ele><time>1970-01-01T00:16:40Z</time>
       <extensions><x:TrackPointExtension xmlns:x="y"><x:speed>2.5</x:speed></x:TrackPointExtension></extensions></trkpt>
      <trkpt lat="91" lon="8.5"/>
      <trkpt lat="47.5" lon="8.5"/>
     </trkseg>
     <trkseg/>
    </trk>
    <trk><trkseg><trkpt lat="1" lon="2"><time>noon</time></trkpt></trkseg></trk>
    <trk><name>To &amp; fro</name><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>
    </gpx>
    """

  @Test func readsTheSegmentsOfTracks() throws {
    let scene = try TraceScene(gpx, as: "day.gpx")
    #expect(scene.ids == ["day/To & fro/1", "day/To & fro/2", "day/2/1", "day/3/1"])
    #expect(scene.times == [[1000, -1], [], [], [-1]] && scene.traces[0].fixes[0].speed == 2.5)
    #expect(scene.places[0] == ["8.5 47.25", "8.5 47.5"] && scene.traces.map(\.line) == [5, 11, 13, 14])
  }

  @Test func namesOfTracksThatAreNumbersAreNotRepeated() throws {
    let segment = "<trkseg><trkpt lat='1' lon='2'/></trkseg>"
    let tracks = ["a", nil, "a", "3", "7", nil, nil].map {
      "<trk>\($0.map { "<name>\($0)</name>" } ?? "")\(segment)\(segment)</trk>"
    }
    let scene = try TraceScene("<gpx>\(tracks.joined())</gpx>", as: "t.gpx")
    let labels = ["a", "2", "3", "4", "7", "6", "8"]
    #expect(scene.ids == labels.flatMap { ["t/\($0)/1", "t/\($0)/2"] })
  }

  @Test func rejectsBadPointsAndReportsRoutes() throws {
    let table = try TraceScene(gpx, as: "day.gpx").table
    #expect(table.rejected.map(\.line) == [8, 13] && table.rejected.map(\.id) == ["day/To & fro/1", "day/2/1"])
    #expect(table.rejected[0].text == "<trkpt lat=\"91\" lon=\"8.5\">")
    #expect(table.rejected[1].text == "<time>noon</time>")
    #expect(table.rejected[1].reason.hasPrefix("time \"noon\" is not a time"))
    #expect(
      table.notes.map { $0.suffix(47) } == ["day.gpx: 1 route, 1 waypoint ignored; only tracks are read".suffix(47)])
  }

  @Test func readsOtherEncodingsAndNoNamespace() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let text = "<?xml version='1.0' encoding='UTF-16'?><gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
    try text.data(using: .utf16)!.write(to: URL(fileURLWithPath: scratch.path("u.gpx")))
    #expect(try TraceScene(scratch, ["u.gpx"]).ids == ["u/1/1"])
  }

  @Test(arguments: ["trace_id,lon,lat\nA,1,2\n", "{\"type\":\"FeatureCollection\",\"features\":[]}"])
  func namesUTF16OfOtherFormats(text: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try text.data(using: .utf16)!.write(to: URL(fileURLWithPath: scratch.path("u.csv")))
    let error = #expect(throws: OdometerError.self) { try TraceScene(scratch, ["u.csv"]) }
    #expect(error?.problem.hasPrefix("got UTF-16, expected UTF-8") == true)
  }

  @Test(arguments: [
    ("<gpx><trk></gpx>", "t.gpx:1: the XML cannot be read: mismatched tag"),
    ("<osm><node/></osm>", "t.gpx: got XML with root <osm>, expected <gpx>"),
    ("<gpx></gpx>", "t.gpx: the file has no rows"),
    ("<gpx>", "t.gpx:1: the XML cannot be read: no element found before the end of the file"),
    (
      "<!DOCTYPE gpx [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><gpx>&b;</gpx>",
      "t.gpx:1: it declares entities, which are not allowed in traces"
    ),
    (
      "<!DOCTYPE gpx [<!ENTITY a SYSTEM \"/etc/passwd\">]><gpx>&a;</gpx>",
      "t.gpx:1: it declares entities, which are not allowed in traces"
    ),
  ])
  func refusesInvalidGPX(text: String, message: String) {
    #expect(TraceScene.refusal(["t.gpx": text]) == message)
  }

  private func feature(_ geometry: String, _ properties: String) -> String {
    #"{"type":"Feature","properties":{\#(properties)},"geometry":{\#(geometry)}}"#
  }

  private func collection(_ features: String...) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}"
  }

  @Test(arguments: [
    #""trace_id":"A","coordTimes":["1970-01-01T00:00:05Z",7]"#, #""trace":"A","times":[5,7000000000000]"#,
    #""Trace_ID":"A","coordinateProperties":{"times":[5,null]}"#, #""trace":"A""#,
  ])
  func readsTimesOfLines(properties: String) throws {
    let line = #""type":"LineString","coordinates":[[1,2,0,5],[3,4,0,7]]"#
    let scene = try TraceScene(collection(feature(line, properties)), as: "t.geojson")
    #expect(scene.ids == ["A"] && scene.places == [["1.0 2.0", "3.0 4.0"]])
    #expect(scene.times[0][0] == 5 && [7, 7_000_000_000, -1].contains(scene.times[0][1]))
  }

  @Test func numbersOfAnyLengthKeepTheirDigitsAsIDs() throws {
    let line = #""type":"LineString","coordinates":[[1,2],[3,4]]"#
    let scene = try TraceScene(
      collection(
        feature(line, #""trace_id":1372636858620000589"#), feature(line, #""trace_id":11111111111111111169"#)),
      as: "t.geojson")
    #expect(scene.ids == ["1372636858620000589", "11111111111111111169"])
  }

  @Test func readsEveryLineOfACollection() throws {
    let lines = #""type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6]]]"#
    let scene = try TraceScene(
      collection(feature(lines, #""coordTimes":[[1,2],[3]],"group":"g""#)), as: "t.geojson")
    #expect(scene.ids == ["t/1/1", "t/1/2"] && scene.times == [[1, 2], [3]] && scene.traces[1].group == "g")
  }

  @Test func consecutivePointsFormATrace() throws {
    func point(_ id: String, _ time: Int) -> String {
      feature(#""type":"Point","coordinates":[1,2]"#, #""trace_id":"\#(id)","time":\#(time),"accuracy":5"#)
    }
    let scene = try TraceScene(collection(point("A", 1), point("A", 2), point("B", 3)), as: "t.geojson")
    #expect(scene.ids == ["A", "B"] && scene.times == [[1, 2], [3]])
    #expect(scene.traces[0].fixes[0].horizontalAccuracy == 5 && scene.traces[1].line == 3)
  }

  @Test func rejectsFeaturesThatAreNotTraces() throws {
    let line = #""type":"LineString","coordinates":[[1,2],[3,400]]"#
    let scene = try TraceScene(
      collection(
        feature(line, ""), feature(line, #""times":[1]"#), feature(#""type":"Polygon","coordinates":[]"#, ""), "{}"),
      as: "t.geojson")
    #expect(scene.ids == ["t/1"] && scene.places == [["1.0 2.0"]])
    #expect(scene.table.rejected.map(\.id) == ["t/1", "t/2", "t/3", nil])
    #expect(
      scene.reasons == [
        "the fix's latitude 400.0 lies outside -90…90", "got 1 time, expected one per position: 2",
        "expected a LineString, a MultiLineString or a Point",
        "got an object of type none among the features, expected a Feature",
      ])
  }

  @Test func rejectsFeaturesWithLoneSurrogates() throws {
    let line = #""type":"LineString","coordinates":[[1,2],[3,4]]"#
    let scene = try TraceScene(
      collection(feature(line, #""trace_id":"\ud800""#), feature(line, #""trace_id":"b""#)), as: "t.geojson")
    #expect(scene.ids == ["b"])
    #expect(scene.reasons == [#"got half of a character, \ud800, expected both surrogates, the high one first"#])
  }

  @Test func readsTheFilesOfAFolderByTheirNames() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("days"), withIntermediateDirectories: true)
    for name in ["days/b.csv", "days/a.csv", "days/read.me"] { try scratch.write("lon,lat\n1,2\n", to: name) }
    let scene = try TraceScene(scratch, ["days"])
    #expect(scene.ids == ["a", "b"])
    #expect(scene.table.notes == ["\(scratch.path("days/read.me")): not a trace file, ignored"])
  }

  @Test func refusesFoldersWithoutTraces() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    #expect { try TraceScene(scratch, [""]) } throws: { error in
      "\(error)".hasSuffix("the folder has no trace files, expected .csv, .tsv, .txt, .gpx, .geojson, .json")
    }
  }

  @Test func badFileDoesNotAffectOthers() throws {
    let files = ["a.gpx": "<gpx>", "b.csv": "lon,lat\n1,2\n", "c.csv": ""]
    let scene = try TraceScene(files)
    #expect(scene.ids == ["b"])
    #expect(
      scene.reasons == ["the XML cannot be read: no element found before the end of the file", "the file is empty"])
    #expect(
      scene.table.notes.map { $0.split(separator: "/").last } == [
        "a.gpx:1: the XML cannot be read: no element found before the end of the file; the file is left out",
        "c.csv: the file is empty; the file is left out",
      ])
    #expect(
      TraceScene.refusal(["a.gpx": "<gpx>", "c.csv": ""])
        == "a.gpx:1: the XML cannot be read: no element found before the end of the file")
    #expect(TraceScene.refusal([:], reading: ["d.csv"]) == "d.csv: no such file")
  }

  @Test func pipesAmongFilesAreRefused() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    #expect(mkfifo(scratch.path("pipe"), 0o600) == 0)
    try scratch.write("lon,lat\n1,2\n", to: "b.csv")
    #expect { try TraceTable([scratch.path("pipe"), scratch.path("b.csv")], TraceFormat()) } throws: { error in
      "\(error)".hasSuffix("pipe: this is a pipe, expected a trace file or a folder")
    }
  }

  @Test func rejectsATraceThatContinuesInAnotherFile() throws {
    let scene = try TraceScene(["a.csv": "trace,lon,lat\n1,1,2\n", "b.csv": "trace,lon,lat\n2,1,2\n1,3,4\n"])
    #expect(scene.ids == ["1", "2"] && scene.reasons.count == 1)
    let reason = scene.reasons[0]
    #expect(reason.contains("it began at line 2 of /") && reason.contains("a.csv and had already ended"))
  }

  @Test func reportsAFileThatChangedSinceItWasCounted() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write("lon,lat\n1,2\n", to: "t.csv")
    let table = try TraceTable([path], TraceFormat())
    try scratch.write("lon,lat\n1,2\n1,3\n", to: "t.csv")
    let chunks = Array(table.chunks)
    #expect(chunks.count == 1 && chunks[0].failure?.problem.hasPrefix("changed while it was being read") == true)
  }
}
