import Calibration
import Foundation
import Geography
import Input
import Jobs
import OpeningHours
import Routing
import StreetNetwork
import TestMaps
import TransitNetwork

/// A reader of users' files that is given malformed bytes. It may reject them with a message, but must not crash, hang,
/// or use unbounded memory.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case pairs, places, geojson, traces, gpx, tracks, trips, job, profile, gtfs, coverage, hours, network, opl, map, xml
  /// The files of a feed in a zip file with valid checksums, each preceded by a line with its name.
  case feedFiles
  /// A network with a valid checksum.
  case columns
  /// The blocks of a PBF file, with correct lengths and compression, or with those given by the bytes.
  case pbf
  /// A gzipped table.
  case gzip
  /// A separate target for each format of speeds, so that a mutation of one is not mistaken for another.
  case osrmSpeeds, weekSpeeds, longSpeeds, traffic
  case geopackage
  /// Results of other programs, as read by `compare --with`.
  case times

  /// Whether reading an input is slow, because a street network is built from it.
  public var buildsNetworks: Bool { self == .network || isMap }
  private var isMap: Bool { [.opl, .map, .xml, .pbf].contains(self) }
  /// Whether all inputs may be accepted: a corrupt network file is rebuilt, and an odd map may be valid.
  public var mayAcceptAll: Bool { self == .network || self == .map }

  /// Runs the reader. `folder` is a scratch folder provided by the caller.
  ///
  /// - Returns: The message of a rejection; nil if the input was accepted.
  public func feed(_ bytes: Data, in folder: String) -> String? {
    let path = "\(folder)/input.\(fileType)"
    let contents =
      switch self {
      case .map: Data(OddMap(bytes).opl.utf8)
      case .pbf: OddBlocks(bytes).file
      case .columns: CraftedColumns(bytes).sealed
      case .feedFiles: FuzzTarget.zip(ofFiles: bytes)
      default: bytes
      }
    _ = FileManager.default.createFile(atPath: path, contents: contents)
    do {
      switch self {
      case .pairs, .gzip: _ = try PairTable(path: path, area: .earth, transportType: .walking)
      case .geopackage:
        _ = try PlaceTable(path: path, role: .origin)
        _ = try? PairTable(path: path, area: .earth, transportType: .walking)
      case .times: _ = try TravelTimeFile(path, for: FuzzTarget.matrix.get()).read()
      case .places, .geojson: _ = try PlaceTable(path: path, role: .origin)
      case .traces, .gpx, .tracks: try FuzzTarget.feed(traces: path)
      case .trips:
        var format = TraceFormat()
        format.interval = 15
        _ = try ObservedTrips(path: path, format, .automobile)
      case .job: _ = try Job(path: path)
      case .profile: _ = try Profile(path: path)
      case .gtfs:
        _ = try StationTable(path, map: path, types: nil)
        _ = try StationTable(path, map: path, types: [.metro, .bus])
        // Each input has a separate timetable file.
        try FileManager.default.removeItem(atPath: FeedTimetable([path]).path)
      case .feedFiles:
        let feed = try FeedTimetable([path])
        try FileManager.default.removeItem(atPath: feed.path)
        // A time zone as from a map, a day with service and one without.
        for day in [20_454, 20_819] {
          _ = try? ServiceCalendar(
            feed, on: CalendarDay(number: day), clock: LocalClock(timeZone: "Europe/Lisbon")!, isNamed: true)
        }
      case .coverage: _ = try Coverage(path: path)
      case .osrmSpeeds, .weekSpeeds, .longSpeeds, .traffic: try feed(speeds: path)
      case .hours: return FuzzTarget.feed(hours: String(decoding: bytes, as: UTF8.self))
      case .network:
        // A corrupt file is rebuilt.
        let map = try FuzzTarget.drawn.write(to: "\(folder)/drawn.opl")
        let network = try StreetNetwork.path(map: map, profile: .stock("walking"), cache: folder)
        _ = FileManager.default.createFile(atPath: network, contents: bytes)
        _ = try StreetNetwork(map: map, profile: .stock("walking"), cache: folder)
        // Used directly as a map, it is rejected.
        let file = "\(folder)/fuzzed.network"
        _ = FileManager.default.createFile(atPath: file, contents: bytes)
        _ = try StreetNetwork(networkFile: file)
      case .columns: FuzzTarget.ask(try StreetNetwork(networkFile: path))
      case .opl, .map, .xml, .pbf:
        let network = try StreetNetwork(map: path, profile: .stock("automobile"), cache: folder)
        defer { unlink(network.path) }
        _ = try? StationTable("osm:railway=station,subway_entrance", map: path, types: nil)
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Requests a route and an area; the requests may fail.
  private static func ask(_ network: StreetNetwork) {
    let places = [0, 0.001].map { Place(coordinate: Coordinate(latitude: $0, longitude: 0.001)) }
    let directions = Directions(network: network)
    _ = try? directions.calculateAndWait(DirectionsRequest(source: places[0], destination: places[1]))
    _ = try? directions.calculateIsochronesAndWait(IsochroneRequest(place: places[0], travelTimes: [60]))
  }

  /// Reads traces as many times as a job does, and also with rows that must be contiguous.
  private static func feed(traces path: String) throws {
    for memory in [1 << 30, 0] {
      var format = TraceFormat()
      (format.interval, format.memory) = (15, memory)
      if memory == 0 { format.clock = LocalClock(timeZone: "Europe/Lisbon") }
      let table = try TraceTable([path], format)
      let traces = table.chunks.flatMap { chunk in
        precondition(chunk.failure == nil, "read differently when it was read again")
        return chunk.traces
      }
      precondition(Set(traces.map(\.id)).count == table.traceCount && traces.count == table.traceCount)
      for trace in traces {
        var path = BreadcrumbPath()
        let reasons = trace.fixes.map { path.add($0, received: nil).reason }
        _ = StopDetector(MatchOptions(), sigma: 10, by: .walking).stops(of: trace.fixes, reasons: reasons)
      }
    }
  }

  /// Reads speed files and joins them to a drawn map.
  private func feed(speeds path: String) throws {
    var file = SpeedInput(file: path)
    file.format = self == .osrmSpeeds ? .osrm : self == .weekSpeeds ? .week : .long
    file.use.allowsDuplicates = true
    let inputs = self == .traffic ? SpeedInputs(traffic: path) : SpeedInputs([file])
    _ = try inputs.speeds(on: FuzzTarget.streets.get())
  }

  private static let streets = Result {
    try TestMap("a-b-c\n  |\n  d").way("abc").way("bd").network(profile: .stock("automobile"))
  }

  /// Evaluates opening hours, and a closing as stored in network files, at all kinds of times.
  private static func feed(hours text: String) -> String? {
    let (condition, closing) = (Condition(text), Closing(text))
    for days in [-1_000_000, 0, 20_000, 20_512, 4_000_000] {
      let time = LocalTime(Date(timeIntervalSince1970: Double(days) * 86_400), secondsFromGMT: 3600)
      _ = condition?.holds(at: time, near: Coordinate(latitude: 89, longitude: -180))
      _ = closing?.isClosed(at: time)
    }
    return condition == nil && closing == nil ? "cannot be read" : nil
  }

  private var fileType: String {
    switch self {
    case .opl, .map: "osm.opl"
    case .xml: "osm"
    case .pbf: "osm.pbf"
    case .gzip: "csv.gz"
    case .job, .profile, .traffic: "json5"
    case .gtfs, .feedFiles: "zip"
    case .geopackage: "gpkg"
    case .columns: "network"
    default: "csv"
    }
  }

  private static let drawn = Drawn()

  /// A map of two streets, written only once per folder.
  private struct Drawn {
    private let opl = "n1 v1 x0 y0\nn2 v1 x0.001 y0\nn3 v1 x0.001 y0.001\nw1 v1 Thighway=residential Nn1,n2,n3\n"

    func write(to path: String) throws -> String {
      if !FileManager.default.fileExists(atPath: path) { try Data(opl.utf8).write(to: URL(fileURLWithPath: path)) }
      return path
    }
  }

  /// The initial inputs for mutations.
  public var seeds: [Data] {
    func stock(_ name: String) -> Data {
      FileManager.default.contents(atPath: Project.path("data/profiles/\(name).json5")) ?? Data()
    }
    let texts: [String] =
      switch self {
      case .pairs:
        [
          "id,o_lon,o_lat,d_lon,d_lat,group,departure_time\n1,24.9,60.1,24.8,60.2,\"a \"\"b\"\"\",2026-11-21T08:30:00+01:00\n",
          "id,link\n1,\"maps://?saddr=60.1,24.9&daddr=60.2,24.8&dirflg=w\"\n",
          "x1,y1,x2,y2,volume\n24.9,60.1,24.8,60.2,1.5\n",
          "https://maps.apple.com/directions?source=60.1,24.9&waypoint=60.15,24.8&destination=60.2,24.8&avoid=tolls,highways\n",
          #"{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"properties":{"group":"x"},"geometry":{"type":"LineString","coordinates":[[24.9,60.1],[24.8,60.2]]}}]}"#,
        ]
      case .places:
        [
          "id,lon,lat,name,population,parent_station,location_type\n1,24.9,60.1,Rossio,12.5,,1\n2,24.8,60.2,\"Cais, do\",1e3,1,2\n",
          "zone_id;WKT\n1;POLYGON ((24.9 60.1, 25 60.1, 25 60.2, 24.9 60.1))\n2;\"POINT Z (1 2 3)\"\n",
        ]
      case .geojson:
        [
          #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"a","population":3,"name":"\u00e9"},"geometry":{"type":"Point","coordinates":[24.9,60.1]}},{"type":"Feature","properties":null,"geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}}]}"#,
          #"{"type":"Feature","properties":{"zone_id":7},"geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,1],[2,2],[1,1]]],[[[9,9],[8,9],[8,8],[9,9]]]]}}"#,
        ]
      case .traces:
        [
          "trace_id,time,lon,lat,accuracy,speed,course,received,group\nA,2013-07-01T00:00:58.5+01:00,24.9,60.1,5,1e0,-1,1372636860,g\nB,1372636858000,24.9,60.1,,,,,\n\"A\",1372636858,24.8,60.2,\"4.5\",,,,\n",
          "TRIP_ID;TIMESTAMP;POLYLINE\n7;1372636858;\"[[-8.618643,41.141412],[-8.618499, 41.141376,3]]\"\n7;1;[]\n",
        ]
      case .gpx:
        [
          "<?xml version=\"1.0\"?><gpx version=\"1.1\" xmlns:x=\"y\"><trk><name>a &amp; b</name><trkseg><trkpt lat=\"60.1\" lon=\"24.9\"><time>2013-07-01T00:00:58Z</time><extensions><x:speed>2</x:speed></extensions></trkpt></trkseg><trkseg/></trk><rte/></gpx>",
          "<!DOCTYPE gpx><gpx><trk><number>1</number><trkseg><trkpt lon='1' lat='2'><speed>3</speed><![CDATA[x]]></trkpt></trkseg></trk></gpx>",
        ]
      case .tracks:
        [
          #"{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"properties":{"coordTimes":["2013-07-01T00:00:58Z",1372636859000]},"geometry":{"type":"LineString","coordinates":[[24.9,60.1],[24.8,60.2]]}},{"type":"Feature","properties":{"times":[[1],[null]]},"geometry":{"type":"MultiLineString","coordinates":[[[1,2,3,4]],[[5,6]]]}},{"type":"Feature","properties":{"trace_id":"A","time":5,"speed":1},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#
        ]
      case .trips:
        [
          "id,departure_time,from_lon,from_lat,to_lon,to_lat,duration,distance\n1,2013-07-01T08:00:58Z,24.9,60.1,24.8,60.2,300,\"1e3\"\n",
          "TRIP_ID;TIMESTAMP;POLYLINE;duration\n7;1372636858;\"[[-8.618643,41.141412],[-8.618499, 41.141376,3]]\";60\n",
        ]
      case .job:
        [
          "{ kind: 'routes', map: 'm', transportType: 'walking', pairs: 'p', output: 'o', snapLimit: 50, departureDate: '2026-11-21T08:30:00Z', verify: 10, memory: '4 GB' }",
          "{ kind: \"matrix\", map: \"m\", transportType: 'cycling', origins: 'o', output: 'o', format: ['npy'], summary: ['within:60,90', 'mean'] }",
          "{ kind: 'access', map: 'm', transportType: 'walking', origins: 'o', stations: 'osm:a=b', thresholds: [5, .5e1, +10], nearest: 0x3, routeTypes: ['metro'], output: 'o' }",
          "{ kind: 'isochrones', map: 'm', transportType: 'automobile', origins: 'o', bands: true, /* x */ buffer: 3, output: 'o', }",
          "{ kind: 'traces', map: 'm', transportType: 'automobile', traces: ['a', 'b'], accuracy: 'auto', fixes: 'csv', output: 'o' }",
        ]
      case .osrmSpeeds: ["1,2,30\n2,1,12.5,0.5\n3,2,0\n\"2\",4,1e1,,x\n"]
      case .weekSpeeds:
        [
          "1,2\(String(repeating: ",30", count: 2016))\n2,4\((0..<2016).map { $0 % 7 == 0 ? "," : ",\($0 % 90)" }.joined())\n"
        ]
      case .longSpeeds:
        [
          "way_id,from_node,to_node,forward,weekday,from,to,kmh,slowness,passes\n1,,,true,Mo-Fr,07:00,09:30,25,,3\n-1,,,,6,22:00,02:00,,1.5,\n,1,3,0,,,,30,2,\n",
          "osm_way_id,osm_start_node_id,osm_end_node_id,hour_of_day,speed_mph_mean\n1,1,2,23,20.5\n2,2,4,0,0\n",
        ]
      case .traffic:
        [
          "{ periods: '15min', terminalSeconds: 87.5, classes: { street: { 'Mo-Fr 07:30-09:00': 1.36, 'Sa,Su 22:00-02:00; We off': 0.9 }, primary_link: { '24/7': 2 } } }"
        ]
      case .profile: []
      case .feedFiles: [FuzzTarget.feedText]
      case .gtfs, .network, .columns, .geopackage, .pbf, .gzip: []
      case .xml:
        [
          #"<?xml version="1.0"?><osm version="0.6"><note>x</note><node id="1" lat="60.1" lon="24.9"/><node id="2" lat="60.1" lon="24.91"><tag k="barrier" v="gate"/></node><way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/></way><relation id="1"><member type="way" ref="1" role="from"/><tag k="type" v="restriction"/></relation><remark> runtime remark: x </remark></osm>"#
        ]
      case .times:
        [
          "from_id,to_id,travel_time,distance\na,b,12.5,100\nb,a,,\n\"a\",a,inf,0\n",
          "origin;destination;travel_time_p50\na;b;1,5\na;b;2\nb;b;NA\n", ",a,b\na,0,12.5\nb,nan,1e3\n",
          #"{"code":"Ok","durations":[[0,12.5],[null,3]]}"#,
          #"{"sources_to_targets":[[{"time":1,"distance":2},{"time":null}],[{"time":3},{"time":4}]]}"#,
        ]
      case .coverage:
        [#"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}"#]
      case .hours:
        [
          "2026-2030/2 week 1-53/2 Mo-Fr,PH 08:00-12:00,(sunset-00:30)-26:00+ open \"x\", Su[1,-1] +2 days off || 24/7",
          "Mar Su[-1]-Oct Su[-1] -1 day: dawn-dusk; easter -2 days-Dec 25 -Su, Jan 1-31/7 10:00-16:00/90; SH off",
          "@411,-86\no\n-Mo-Fr 07:00-19:00 AND sunrise-sunset\n+PH\n\nc\n+Sa 20:00-24:00\n-",
        ]
      case .map:
        // Two nodes with a street between them.
        ["\u{0}\u{3}\u{0}\u{10}\u{10}\u{0}\u{4}\u{0}\u{11}\u{11}\u{4}\u{5}\u{1}\u{0}\u{2}\u{3}\u{4}"]
      case .opl:
        [
          """
          n1 v1 x24.9 y60.1 Tbarrier=gate,access=private
          n2 v1 x24.91 y60.1 Thighway=traffic_signals
          n3 v1 x24.92 y60.11 Trailway=station,name=Cais
          w1 v1 Thighway=residential,name=A%20%street,maxspeed=30%20%mph,oneway=yes Nn1,n2,n3
          w2 v1 Troute=ferry,duration=01:30 Nn3,n1
          w3 v1 Thighway=footway,access:conditional=no%20%@%20%(Mo-Fr%20%07:00-09:00),incline=10%25% Nn2,n2,n9
          r1 v1 Ttype=restriction,restriction=no_left_turn Mw1@from,n2@via,w3@to
          r2 v1 Ttype=boundary,boundary=administrative,driving_side=left Mr2@subarea,w1@outer,r3@
          r3 v1 Ttype=public_transport,public_transport=stop_area Mr2@,n3@stop
          """
        ]
      }
    let files: [Data] =
      switch self {
      case .profile: [stock("walking"), stock("automobile"), stock("cycling")]
      case .gtfs: FuzzTarget.feed.map { [$0] } ?? []
      case .network, .columns:
        FuzzTarget.builtNetwork.map { [$0] } ?? []
      case .geopackage: FuzzTarget.features.map { [$0] } ?? []
      case .times: FuzzTarget.arrays
      case .pbf: OddBlocks.seeds
      case .gzip: FuzzTarget.members.map { [$0] } ?? []
      default: []
      }
    return texts.map { Data($0.utf8) } + files
  }

  /// Returns files as a zip file; in the input, each is preceded by a line with its name.
  private static func zip(ofFiles bytes: Data) -> Data {
    let mark = Array("==== ".utf8)
    var (files, name, content): ([(String, Data)], String, [UInt8]) = ([], "", [])
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard line.starts(with: mark) else {
        content += line + [UInt8(ascii: "\n")]
        continue
      }
      if !name.isEmpty { files.append((name, Data(content))) }
      (name, content) = (String(decoding: line.dropFirst(mark.count), as: UTF8.self), [])
    }
    if !name.isEmpty { files.append((name, Data(content))) }
    return storedZip(files)
  }

  /// A feed with all files that the reader reads.
  private static let feedText: String = {
    let week = "monday,tuesday,wednesday,thursday,friday,saturday,sunday"
    let more = [
      "calendar.txt": "service_id,\(week),start_date,end_date\nS,1,1,1,1,1,0,0,20260101,20261231\n",
      "feed_info.txt":
        "feed_publisher_name,feed_version,feed_start_date,feed_end_date\nCity,7,20260101,20261231\n",
      "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\nT,5:00:00,6:00:00,600,0\n",
      "pathways.txt":
        "from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time,length,stair_count\nE,P,2,1,60,9.5,-12\n",
      "transfers.txt":
        "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id\nS,P,2,120,,\n,,4,,T,T\n",
    ]
    return files.merging(more) { $1 }.sorted { $0.key < $1.key }.map { "==== \($0.key)\n\($0.value)" }.joined()
  }()

  private static let files = [
    "stops.txt":
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nS,Cais,60.1,24.9,1,\nE,Door,60.1,24.91,2,S\nP,One,60.1,24.9,0,S\n",
    "routes.txt": "route_id,route_type,route_short_name\nR,1,Verde\n",
    "agency.txt": "agency_timezone\nEurope/Lisbon\n",
    "calendar_dates.txt": "service_id,date,exception_type\nS,20261110,1\n",
    "trips.txt": "route_id,trip_id,service_id,shape_id\nR,T,S,X\n",
    "shapes.txt":
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nX,60.1,24.9,1\nX,60.2,24.9,2\n",
    "stop_times.txt":
      "trip_id,stop_id,stop_sequence,arrival_time,departure_time\nT,P,1,7:00:00,\nT,P,2,,\nT,P,3,7:09:00,\n",
  ]

  /// A zipped feed with one station.
  private static let feed: Data? = try? {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let files = FuzzTarget.files
    for (name, text) in files { try scratch.write(text, to: name) }
    try Run(
      "/usr/bin/env", ["python3", "-m", "zipfile", "-c", "feed.zip"] + files.keys.sorted(), in: scratch.folder)
    return scratch.bytes("feed.zip")
  }()

  private static let builtNetwork: Data? = try? {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let map = try Drawn().write(to: scratch.path("drawn.opl"))
    return FileManager.default.contents(
      atPath: try StreetNetwork(map: map, profile: .stock("walking"), cache: scratch.folder).path)
  }()
}
