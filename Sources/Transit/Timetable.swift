import Foundation
import Hierarchy

/// The timetables of one or several feeds: trips that call at stops on the days of their services.
///
/// Times are seconds of the service day, which starts at noon minus 12 h in the feed's time zone (GTFS Schedule
/// Reference). The calls of a trip are adjacent and in order; each trip has two or more, and its times never decrease.
/// Indices refer to the whole timetable: feeds share no stop, line, service or block.
package struct Timetable: Sendable {
  /// For each feed: `agency_timezone`, the name of a time zone.
  package let timeZones: Column<Text>
  /// For each call: its stop.
  package let callStops: Column<UInt32>
  /// For each call: the vehicle's arrival, in seconds of the service day.
  package let arrivals: Column<Int32>
  /// For each call: the vehicle's departure, not before its arrival.
  package let departures: Column<Int32>
  /// For each call: `noBoarding`, `noAlighting`, both or 0.
  package let callFlags: Column<UInt8>
  /// The first call of each trip, then the total number of calls.
  package let firstCalls: Column<UInt32>
  /// The vehicles' trips.
  package let trips: Column<Trip>
  /// The feed of each service.
  package let serviceFeeds: Column<UInt32>
  /// The days of each service from `firstDay` on: one bit per day, in words with the first day in the lowest bit. All
  /// services have the same number of words.
  package let serviceDays: Column<UInt64>
  /// A single value: the day of the first bit, in days since 1 January 1970.
  package let firstDay: Column<Int32>
  /// Stops, stations, entrances, generic nodes and boarding areas.
  package let stops: Column<Stop>
  /// Routes of the feeds.
  package let lines: Column<Line>
  /// Repeated trips, ordered by trip.
  package let frequencies: Column<Frequency>
  /// Rules for pairs of stops, ordered by `from`, then `to`; one per pair.
  package let transfers: Column<Transfer>
  /// Rules for pairs of trips.
  package let continuations: Column<Continuation>
  /// Pathways within stations, each in one direction.
  package let pathways: Column<Pathway>
  /// The first point of each shape, then the total number of points.
  package let firstShapePoints: Column<UInt32>
  /// The points of shapes (shapes.txt), one shape after another.
  package let shapePoints: Column<Point>
  /// For each call: `stop_headsign`; an empty column if no feed has any.
  package let callHeadsigns: Column<Text>
  /// For each call: the segment of its trip's shape by `shape_dist_traveled`, or `none`; an empty column if no feed has
  /// any.
  package let callSegments: Column<UInt32>
  /// Names and ids in UTF-8; a `Text` is a range of these bytes.
  package let strings: Column<UInt8>
  /// The length of a degree along a meridian, in metres.
  private let metresPerDegree: Double

  /// Wraps existing columns.
  package init(
    timeZones: Column<Text>, callStops: Column<UInt32>, arrivals: Column<Int32>, departures: Column<Int32>,
    callFlags: Column<UInt8>, firstCalls: Column<UInt32>, trips: Column<Trip>, serviceFeeds: Column<UInt32>,
    serviceDays: Column<UInt64>, firstDay: Column<Int32>, stops: Column<Stop>, lines: Column<Line>,
    frequencies: Column<Frequency>, transfers: Column<Transfer>, continuations: Column<Continuation>,
    pathways: Column<Pathway>, firstShapePoints: Column<UInt32>, shapePoints: Column<Point>,
    callHeadsigns: Column<Text>, callSegments: Column<UInt32>, strings: Column<UInt8>, metresPerDegree: Double
  ) {
    (self.timeZones, self.callStops, self.arrivals, self.departures) = (timeZones, callStops, arrivals, departures)
    (self.callFlags, self.firstCalls, self.trips, self.serviceFeeds) = (callFlags, firstCalls, trips, serviceFeeds)
    (self.serviceDays, self.firstDay, self.stops, self.lines) = (serviceDays, firstDay, stops, lines)
    (self.frequencies, self.transfers, self.continuations) = (frequencies, transfers, continuations)
    (self.pathways, self.firstShapePoints, self.shapePoints) = (pathways, firstShapePoints, shapePoints)
    (self.callHeadsigns, self.callSegments) = (callHeadsigns, callSegments)
    (self.strings, self.metresPerDegree) = (strings, metresPerDegree)
  }

  /// A flag of a call: boarding is not allowed (`pickup_type` 1).
  package static let noBoarding: UInt8 = 1
  /// A flag of a call: alighting is not allowed (`drop_off_type` 1).
  package static let noAlighting: UInt8 = 2
  /// The index that means none.
  package static let none = UInt32.max

  /// Returns whether a service runs on a day, counted from 1 January 1970.
  package func runs(_ service: Int, on day: Int) -> Bool {
    let words = serviceFeeds.isEmpty ? 0 : serviceDays.count / serviceFeeds.count
    let bit = day - Int(firstDay[0])
    guard bit >= 0, bit < words * 64 else { return false }
    return serviceDays[service * words + bit / 64] >> UInt64(bit % 64) & 1 == 1
  }

  package func calls(of trip: Int) -> Range<Int> { Int(firstCalls[trip])..<Int(firstCalls[trip + 1]) }

  /// Returns the station of a stop or an entrance; a place without a parent is its own station.
  package func station(of stop: Int) -> Int {
    var station = stop
    while stops[station].parent != Timetable.none { station = Int(stops[station].parent) }
    return station
  }

  package func trip(of call: Int) -> Int { firstCalls.indices.partitionPoint { Int(firstCalls[$0]) > call } - 1 }

  /// Returns the headsign of a vehicle that departs from a call: the `stop_headsign`, or else the trip's headsign;
  /// empty if there is none.
  package func headsign(of call: Int) -> String {
    let own = callHeadsigns.isEmpty ? "" : text(callHeadsigns[call])
    return own.isEmpty ? text(trips[trip(of: call)].headsign) : own
  }

  package func points(ofShape shape: Int) -> Slice<Column<Point>> {
    shapePoints[Int(firstShapePoints[shape])..<Int(firstShapePoints[shape + 1])]
  }

  /// Returns the string of a `Text`.
  package func text(_ text: Text) -> String {
    String(decoding: strings[Int(text.start)..<Int(text.start) + Int(text.count)], as: UTF8.self)
  }

  /// A range of `strings`.
  package struct Text: Sendable, BitwiseCopyable {
    /// The offset of the first byte.
    package var start: UInt32
    /// The number of bytes.
    package var count: UInt32

    package init(start: UInt32, count: UInt32) { (self.start, self.count) = (start, count) }
  }

  /// A point of a shape, in 1e-7 degrees.
  package struct Point: Sendable, BitwiseCopyable {
    package var longitude: Int32
    package var latitude: Int32

    package init(longitude: Int32, latitude: Int32) { (self.longitude, self.latitude) = (longitude, latitude) }
  }

  /// A vehicle's trip.
  package struct Trip: Sendable, BitwiseCopyable {
    /// An index into `lines`.
    package var line: UInt32
    /// An index into the columns of services.
    package var service: UInt32
    /// The block, whose trips are run in sequence by one vehicle; `none` if there is none.
    package var block: UInt32
    /// The shape, an index into `firstShapePoints`; `none` if there is none.
    package var shape: UInt32
    /// `wheelchair_accessible`: 1 yes, 2 no, 0 unknown.
    package var wheelchair: UInt32
    /// `trip_headsign`.
    package var headsign: Text
    /// `trip_id`.
    package var id: Text

    package init(
      line: UInt32, service: UInt32, block: UInt32, shape: UInt32, wheelchair: UInt32, headsign: Text, id: Text
    ) {
      (self.line, self.service, self.block, self.shape) = (line, service, block, shape)
      (self.wheelchair, self.headsign, self.id) = (wheelchair, headsign, id)
    }
  }

  /// A location of a feed: a stop, a station, an entrance, a generic node or a boarding area.
  package struct Stop: Sendable, BitwiseCopyable {
    /// In 1e-7 degrees.
    package var longitude: Int32
    /// In 1e-7 degrees.
    package var latitude: Int32
    /// The station of a stop or an entrance, or the stop of a boarding area; `none` if there is none.
    package var parent: UInt32
    /// An index into `timeZones`.
    package var feed: UInt32
    /// `stop_id`.
    package var id: Text
    /// `stop_name`.
    package var name: Text
    /// `platform_code`.
    package var platform: Text
    /// `location_type`: 0 a stop, 1 a station, 2 an entrance, 3 a generic node, 4 a boarding area. Vehicles call at
    /// stops; vehicles with their own transfer rules call at copies of their stop, which are its boarding areas.
    package var type: UInt8
    /// `stop_access`: 1 if riders reach the stop directly instead of through its station's entrances, otherwise 0.
    package var access: UInt8
    /// `wheelchair_boarding`: 1 possible, 2 impossible, 0 unknown or as at the station.
    package var boarding: UInt16
    /// The line number in stops.txt, from 1.
    package var row: UInt32

    package init(
      longitude: Int32, latitude: Int32, parent: UInt32, feed: UInt32, id: Text, name: Text, platform: Text,
      type: UInt8, access: UInt8 = 0, boarding: UInt16, row: UInt32
    ) {
      (self.longitude, self.latitude, self.parent, self.feed) = (longitude, latitude, parent, feed)
      (self.id, self.name, self.platform, self.type, self.access) = (id, name, platform, type, access)
      (self.boarding, self.row) = (boarding, row)
    }
  }

  /// A route of a feed.
  package struct Line: Sendable, BitwiseCopyable {
    /// An index into `timeZones`.
    package var feed: UInt32
    /// The short name, or else the long name, or else the id.
    package var name: Text
    /// 0xRRGGBB; `none` if the feed has no colour.
    package var color: UInt32
    /// The colour of text on `color`, in the same form.
    package var textColor: UInt32
    /// `route_type`, as in the feed; `none` if it is unknown.
    package var type: UInt32

    package init(feed: UInt32, name: Text, color: UInt32, textColor: UInt32, type: UInt32) {
      (self.feed, self.name, self.color, self.textColor, self.type) = (feed, name, color, textColor, type)
    }
  }

  /// A trip repeated by frequency: it departs at `start`, then every `headway` seconds until just before `end`. Only
  /// the differences between the trip's own times are used.
  package struct Frequency: Sendable, BitwiseCopyable {
    /// An index into `trips`.
    package var trip: UInt32
    /// Seconds of the service day.
    package var start: Int32
    /// Seconds of the service day.
    package var end: Int32
    /// In seconds; positive.
    package var headway: Int32
    /// 1: vehicles run at these times; 0: the feed only gives the headway.
    package var isExact: UInt32

    package init(trip: UInt32, start: Int32, end: Int32, headway: Int32, isExact: UInt32) {
      (self.trip, self.start, self.end, self.headway, self.isExact) = (trip, start, end, headway, isExact)
    }
  }

  /// A rule for changing between two stops, or at one stop.
  package struct Transfer: Sendable, BitwiseCopyable {
    /// An index into `stops`.
    package var from: UInt32
    /// An index into `stops`; may be the same.
    package var to: UInt32
    /// `min_transfer_time`, in seconds.
    package var seconds: Int32
    /// `transfer_type`: 0 takes the walking time, 1 the vehicle waits, 2 takes at least `seconds`, 3 impossible.
    package var type: UInt32

    package init(from: UInt32, to: UInt32, seconds: Int32, type: UInt32) {
      (self.from, self.to, self.seconds, self.type) = (from, to, seconds, type)
    }
  }

  /// A pathway between two nodes of a station (platforms, entrances, generic nodes, boarding areas).
  package struct Pathway: Sendable, BitwiseCopyable {
    /// An index into `stops`.
    package var from: UInt32
    /// An index into `stops`.
    package var to: UInt32
    /// `pathway_mode`: 1 a walkway, 2 stairs, 3 a moving walkway, 4 an escalator, 5 a lift, 6 and 7 gates.
    package var mode: UInt32
    /// `traversal_time`, in seconds; `none` if there is none.
    package var seconds: UInt32
    /// `length`, in centimetres; `none` if there is none.
    package var centimetres: UInt32
    /// The number of stairs, up or down.
    package var stairs: UInt32

    package init(from: UInt32, to: UInt32, mode: UInt32, seconds: UInt32, centimetres: UInt32, stairs: UInt32) {
      (self.from, self.to, self.mode) = (from, to, mode)
      (self.seconds, self.centimetres, self.stairs) = (seconds, centimetres, stairs)
    }

    // Values of `mode`.
    package static let stairs: UInt32 = 2
    package static let escalator: UInt32 = 4
    package static let lift: UInt32 = 5
  }

  /// A rule for staying seated from one trip to another (`transfer_type` 4 and 5).
  package struct Continuation: Sendable, BitwiseCopyable {
    /// An index into `trips`.
    package var from: UInt32
    /// An index into `trips`; may be the same.
    package var to: UInt32
    /// 1: riders stay seated; 0: they do not, even if the trips belong to one block.
    package var staysSeated: UInt32

    package init(from: UInt32, to: UInt32, staysSeated: UInt32) {
      (self.from, self.to, self.staysSeated) = (from, to, staysSeated)
    }
  }
}

extension Timetable.Frequency {
  /// Returns the seconds between departures in the model. If riders wait half the headway, the interval is at most half
  /// a minute (31 s for odd headways, so that half its difference from the headway is a whole number of seconds).
  private func interval(_ headways: TransitWindow.Headways) -> Int {
    headways == .averageWait && isExact == 0 ? min(Int(headway), 30 + Int(headway) % 2) : Int(headway)
  }

  /// Returns the departures of the vehicles, in seconds of the service day.
  package func starts(_ headways: TransitWindow.Headways) -> StrideTo<Int> {
    stride(from: Int(start), to: Int(end), by: interval(headways))
  }

  /// Returns how early riders must be at the stop, in seconds before the vehicle departs. Together with the wait for
  /// the next vehicle, this time averages half the headway.
  func wait(_ headways: TransitWindow.Headways) -> Int { (Int(headway) - interval(headways)) / 2 }
}

extension Timetable {
  /// Returns the straight-line distance between two stops on a tangent plane, which is accurate for a few hundred
  /// metres.
  func metres(between a: Int, and b: Int) -> Double {
    let (a, b) = (stops[a], stops[b])
    let north = Double(b.latitude) - Double(a.latitude)
    let degrees = (Double(b.longitude) - Double(a.longitude)).remainder(dividingBy: 360e7)
    let east = degrees * cos(Double(a.latitude) * 1e-7 * .pi / 180)
    return metresPerDegree * 1e-7 * (north * north + east * east).squareRoot()
  }
}
