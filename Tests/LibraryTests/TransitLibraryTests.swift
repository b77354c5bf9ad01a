import Foundation
import Geography
import TestMaps
import Testing

/// Public transport for other languages. Walking a kilometre takes 12 minutes.
struct TransitLibraryTests {
  private static let map = TestMap("a-b-c-d", spacing: 1000).way("abcd")
  /// Vehicles go from a to d at 7:10 and 7:30, in 5 minutes.
  private static var feed: Data {
    let files = [
      "agency.txt": "agency_name,agency_timezone\nA,Etc/UTC",
      "stops.txt": "stop_id,stop_lat,stop_lon\n"
        + "ad".map { "\($0),\(map[$0].latitude),\(map[$0].longitude)" }.joined(separator: "\n"),
      "routes.txt": "route_id,route_short_name,route_type\nr,5,3",
      "calendar_dates.txt": "service_id,date,exception_type\ns,20261123,1",
      "trips.txt": "trip_id,route_id,service_id\nt,r,s\nu,r,s",
      "stop_times.txt": """
      trip_id,stop_id,stop_sequence,arrival_time,departure_time
      t,a,1,7:10:00,7:10:00
      t,d,2,7:15:00,7:15:00
      u,a,1,7:30:00,7:30:00
      u,d,2,7:35:00,7:35:00
      """,
    ]
    return storedZip(files.sorted { $0.key < $1.key }.map { ($0.key, Data($0.value.utf8)) })
  }

  /// 7:00, 7:05 and 7:10 on a day with service.
  private static let departures = (0..<3).map { 1_795_417_200_000 + Int64($0) * 300_000 }

  @Test func departuresAndPercentilesAreRows() throws {
    let library = try CalledLibrary(Self.map, feed: Self.feed)
    let (from, to) = ([Self.map["a"]], [Self.map["d"], Self.map["b"]])
    let times = try library.transit(from, to, at: Self.departures)
    #expect(stride(from: 0, to: 6, by: 2).map { times[$0] } == [900, 600, 1500])
    let sorted = try library.transit(from, to, at: Self.departures, percentiles: [0, 50, 100])
    #expect(stride(from: 0, to: 6, by: 2).map { sorted[$0] } == [600, 900, 1500])
    #expect(times[1] == sorted[5])
  }

  @Test func arrivalTripsLeaveLate() throws {
    let library = try CalledLibrary(Self.map, feed: Self.feed)
    let times = try library.transit(
      [Self.map["a"]], [Self.map["d"]], at: [Self.departures[0] + 2_400_000], areArrivals: true)
    // To arrive by 7:40 with the second vehicle, the trip starts a minute before the vehicle leaves.
    #expect(times == [660])
  }

  @Test func tripsAreThoseOfTheMatrix() throws {
    let library = try CalledLibrary(Self.map, feed: Self.feed)
    let (from, to) = (Array(repeating: Self.map["a"], count: 3), Array(repeating: Self.map["d"], count: 3))
    let trips = try library.etas(from, to, at: Self.departures)
    #expect(trips.map(\.seconds) == [900, 600, 1500] && trips.allSatisfy { $0.status == "ok" })
    let far = Coordinate(latitude: 1, longitude: 1)
    #expect(try library.etas([far], [to[0]], at: [Self.departures[0]])[0].status == "placemark_not_found")
    #expect(throws: CalledLibrary.Failure(code: 2, message: "departures: a trip by public transport needs a departure"))
    {
      try library.etas(from, to)
    }
  }

  @Test func optionsAreInSeconds() throws {
    let library = try CalledLibrary(Self.map, "--boarding-slack", "0", "--limit", "300", feed: Self.feed)
    let times = try library.transit([Self.map["a"]], [Self.map["d"]], at: Self.departures)
    #expect(times[0].isNaN && times[1].isNaN && times[2] == 300)
  }

  @Test(arguments: [
    (["--walk-limit", "60"], "--walk-limit: only for public transport; add --gtfs"),
    (
      ["--gtfs", "x.zip", "--traffic", "porto"],
      "--traffic: vehicles follow their timetable; it has no effect with --gtfs"
    ),
  ]) func incompatibleOptionsAreRefused(options: [String], message: String) throws {
    #expect(throws: CalledLibrary.Failure(code: 2, message: message)) {
      switch options.count {
      case 2: _ = try CalledLibrary(Self.map, options[0], options[1])
      default: _ = try CalledLibrary(Self.map, options[0], options[1], options[2], options[3])
      }
    }
  }

  @Test func streetsHaveNoTimetable() throws {
    let library = try CalledLibrary(Self.map)
    #expect(throws: CalledLibrary.Failure.self) {
      try library.transit([Self.map["a"]], [Self.map["d"]], at: Self.departures)
    }
  }
}
