import Foundation
import Jobs
import OpeningHours
import StreetNetwork
import Tables
import TestMaps
import Transit
import TransitNetwork

/// A feed with stops a, b, c and d from west to east, at distances of 1 km, 1 km and 2 km; line 5; service s on all
/// days of 2026; trips t and u from a to c. Tests replace its files.
struct FeedScene {
  var files: [String: String] = [
    "agency.txt": "agency_name,agency_timezone\nA,Europe/Berlin",
    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\na,A,0,0\nb,B,0,0.01\nc,C,0,0.02\nd,D,0,0.04",
    "routes.txt": "route_id,route_short_name,route_type\nr,5,3",
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    s,1,1,1,1,1,1,1,20260101,20261231
    """,
    "trips.txt": "trip_id,route_id,service_id\nt,r,s\nu,r,s",
    "stop_times.txt": FeedScene.times("t,a,1,7:00:00", "t,c,2,7:10:00", "u,a,1,8:00:00", "u,c,2,8:10:00"),
  ]

  init(_ files: [String: String] = [:]) { self.files.merge(files) { $1 } }

  /// Creates a feed with stops at letters of a map, in its time zone, and stop times of trips t, u and v as in `times`.
  init(on map: TestMap, _ letters: String, _ rows: String..., files: [String: String] = [:]) {
    let stops = letters.map { "\($0),\($0),\(map[$0].latitude),\(map[$0].longitude)" }
    self.files["agency.txt"] = "agency_name,agency_timezone\nA,Etc/UTC"
    self.files["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined(separator: "\n")
    self.files["trips.txt"] = "trip_id,route_id,service_id\nt,r,s\nu,r,s\nv,r,s"
    self.files["stop_times.txt"] = FeedScene.times(rows)
    self.files.merge(files) { $1 }
  }

  /// Returns stop_times.txt with rows of trip, stop, sequence and arrival.
  static func times(_ rows: String...) -> String { times(rows) }

  static func times(_ rows: [String]) -> String {
    "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n"
      + rows.map { $0.filter { $0 == "," }.count > 3 ? $0 : $0 + "," }.joined(separator: "\n")
  }

  /// Returns the feed as a zip file, optionally in a folder inside it.
  func zip(in folder: String = "") -> Data {
    storedZip(files.sorted { $0.key < $1.key }.map { (folder + $0.key, Data($0.value.utf8)) })
  }

  /// Returns the timetable of feeds, read from 0.zip, 1.zip … in a folder that is removed afterwards.
  static func read(_ scenes: FeedScene...) throws -> FeedTimetable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let paths = try scenes.enumerated().map { index, scene in
      try scene.zip().write(to: URL(fileURLWithPath: scratch.path("\(index).zip")))
      return scratch.path("\(index).zip")
    }
    return try FeedTimetable(paths)
  }

  func read() throws -> FeedTimetable { try FeedScene.read(self) }

  /// Returns why the feed is rejected, without the folder's name; empty if it is not rejected.
  func problem() -> String {
    do {
      _ = try read()
      return ""
    } catch {
      return "\(error)".replacing(/^.*0\.zip/, with: "0.zip")
    }
  }
}

extension FeedTimetable {
  /// The trips as text: "t: a 7:00:00, c 7:10:00-7:11:00".
  var drawn: [String] {
    timetable.trips.indices.map { trip in
      let calls = timetable.calls(of: trip).map { call in
        let times = Set([timetable.arrivals[call], timetable.departures[call]]).sorted().map(FeedTimetable.clock)
        return "\(stop(timetable.callStops[call])) \(times.joined(separator: "-"))"
      }
      return "\(timetable.text(timetable.trips[trip].id)): \(calls.joined(separator: ", "))"
    }
  }

  /// Returns the id of a stop.
  func stop(_ index: UInt32) -> String { timetable.text(timetable.stops[Int(index)].id) }

  private static func clock(_ time: Int32) -> String {
    let parts = [time / 60 % 60, time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(time / 3600):\(parts[0]):\(parts[1])"
  }

  /// The reasons of rejected rows, each preceded by file and line.
  var rejections: [String] { feeds.flatMap(\.facts.rejected).map { "\($0.file):\($0.line): \($0.reason)" } }

  /// Returns the calendar of a date.
  func calendar(
    _ date: String, zone: String = "Europe/Berlin", isNamed: Bool = false, at seconds: [Int]? = nil
  ) throws -> ServiceCalendar {
    try ServiceCalendar(
      self, on: CalendarDay(date)!, clock: LocalClock(timeZone: zone)!, isNamed: isNamed,
      vehicles: seconds.map { .init(at: $0.map { $0...$0 }, isArrival: false, limit: 0) })
  }
}
