import Geography
import Input
import OpeningHours
import StreetNetwork
import Transit

/// A reader of a feed, which validates its rows and replaces ids with indices (GTFS Schedule Reference).
final class FeedReader {
  let feed: GTFSFeed
  var facts = FeedFacts()
  /// `agency_timezone`, as in the feed.
  private(set) var timeZone = ""
  var rejections = FeedRejections()
  var stops: [FeedStop] = []
  var stopIDs = FieldInterner()
  /// Values of stop_id in rejected rows of stops.txt.
  var rejectedStops = FieldInterner()
  var routes: [FeedRoute] = []
  var routeIDs = FieldInterner()
  var services = FeedServices()
  /// The range from the first to the last day with trips, in days since 1970.
  private(set) var days = 0...0
  /// Rows of trips.txt.
  var trips: [FeedTrip] = []
  var tripIDs = FieldInterner()
  /// Calls of the trips with two or more calls, by trip.
  var calls: [StopTime] = []
  /// Values of block_id and trip_headsign; the first is empty.
  var blocks = FieldInterner()
  var headsigns = FieldInterner()
  /// Values of shape_id in trips.txt; the first is empty.
  private var shapeIDs = FieldInterner()
  /// The points of each shape; none if shapes.txt lacks it.
  private(set) var shapes: [[FixedCoordinate]] = []
  /// Rows of the timetable, with the indices of this feed's trips and stops.
  var frequencies: [Timetable.Frequency] = []
  /// Trips whose rows of frequencies.txt are all rejected.
  var tripsWithRejectedFrequencies = Set<Int>()
  var transfers: [Timetable.Transfer] = []
  var continuations: [Timetable.Continuation] = []
  var pathways: [Timetable.Pathway] = []

  /// *Throws*: `OdometerError` if the feed is invalid.
  init(_ feed: GTFSFeed) throws {
    self.feed = feed
    facts.zipNotes = feed.notes
    try readAgencies()
    try readStops()
    try readPathways()
    try readRoutes()
    try readCalendar()
    try readTrips()
    try readFrequencies()
    try readStopTimes()
    try readShapes()
    days = try rangeOfDays()
    (facts.firstDate, facts.lastDate) = (text(days.lowerBound), text(days.upperBound))
    facts.frequencyTrips = Set(frequencies.map(\.trip)).count { !trips[Int($0)].calls.isEmpty }
    try readTransfers()
    try readFeedInfo()
    facts.unread = feed.names.filter { !FeedReader.files.contains($0) && $0.contains(".") }.sorted()
    (facts.rejected, facts.rejectedRows) = (rejections.rows, rejections.count)
    facts.notes += rejections.notes
  }

  private static let files: Set<String> = [
    "agency.txt", "calendar.txt", "calendar_dates.txt", "feed_info.txt", "frequencies.txt", "pathways.txt",
    "routes.txt", "shapes.txt", "stop_times.txt", "stops.txt", "transfers.txt", "trips.txt",
  ]

  /// Calls `body` with the rows of a file, like `GTFSFeed.forEachRow`, and rejects rows for which it throws. *Throws*:
  /// `OdometerError`.
  func read(
    _ name: String, _ columns: [String], _ optional: [String] = [], _ body: (FeedRow) throws(RowProblem) -> Void
  ) throws {
    let notes = try feed.forEachRow(
      name, columns, optional,
      reject: { row, problem in rejections.add(name, line: row.line, text: row.text, problem) }, body)
    // Without the feed's path, with which the notes begin.
    facts.notes += notes.map { String($0.dropFirst(feed.path(of: "").count)) }
  }

  /// Adds a note about rows or trips of a file, if there are any: "{trip has|trips have} no route".
  func note(_ file: String, _ count: Int, _ sentence: String) {
    guard count > 0 else { return }
    let words = sentence.replacing(/\{(.*?)\|(.*?)\}/) { count == 1 ? $0.1 : $0.2 }
    facts.notes.append("\(file): \(count) \(words)")
  }

  /// Returns the index of a stop. *Throws*: `RowProblem` if stops.txt lacks the stop, or if its row is rejected.
  func stop(_ id: RowField, in column: String) throws(RowProblem) -> Int {
    if let stop = stopIDs.index(of: id) { return stop }
    guard !id.isEmpty else { throw RowProblem("\(column) is empty") }
    throw RowProblem(
      rejectedStops.index(of: id) == nil
        ? "\(column) is not in stops.txt" : "\(column) refers to a rejected row of stops.txt")
  }

  /// The maximum number of services times days: 128 MB of bits.
  private static let maximumServiceDays = 1 << 30

  private func readAgencies() throws {
    var zones: [String] = []
    try read("agency.txt", [], ["agency_timezone"]) { row in
      let zone = row[0].text
      if !zones.contains(zone) { zones.append(zone) }
    }
    guard zones.count < 2 else {
      throw .input(
        feed.path(of: "agency.txt"),
        "agencies are in two time zones, \(RowProblem.excerpt(zones[0])) and "
          + "\(RowProblem.excerpt(zones[1])); expected one for all (GTFS)")
    }
    timeZone = zones.first ?? ""
  }

  private func readRoutes() throws {
    var (hailed, untyped) = (0, 0)
    try read(
      "routes.txt", ["route_id", "route_type"],
      [
        "route_short_name", "route_long_name", "route_color", "route_text_color", "continuous_pickup",
        "continuous_drop_off",
      ]
    ) { row throws(RowProblem) in
      guard !row[0].isEmpty else { throw RowProblem("route_id is empty") }
      guard routeIDs.insert(row[0]).isNew else { throw RowProblem("an earlier row has the same route_id") }
      let type = row[1].wholeNumber.flatMap(UInt16.init(exactly:))
      if type == nil { untyped += 1 }
      let name = (2...3).lazy.map { row[$0] }.first { !$0.isEmpty } ?? row[0]
      routes.append(FeedRoute(name: name.text, type: type, color: row[4].color, textColor: row[5].color))
      if (6...7).contains(where: { !row[$0].isEmpty && !row[$0].isDigit("1") }) { hailed += 1 }
    }
    note(
      "routes.txt", untyped,
      "{route has|routes have} a route_type that is not a whole number up to 65535; {its|their} vehicle type is unknown"
    )
    note(
      "routes.txt", hailed, "{route allows|routes allow} hailing between stops; riders board and alight only at stops")
  }

  private func readCalendar() throws {
    guard feed.has("calendar.txt") || feed.has("calendar_dates.txt") else {
      throw .input(feed.path, "the zip has no calendar.txt and no calendar_dates.txt, expected one")
    }
    if feed.has("calendar.txt") {
      let week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
      try read("calendar.txt", ["service_id", "start_date", "end_date"] + week) { row throws(RowProblem) in
        let (first, last) = (try row[1].day(in: "start_date"), try row[2].day(in: "end_date"))
        guard first <= last else { throw RowProblem("end_date is before start_date") }
        for (column, day) in zip(3..<10, week) where !row[column].isDigit("0") && !row[column].isDigit("1") {
          throw RowProblem("\(day) is neither 0 nor 1")
        }
        try services.addWeek(row[0], first...last, runs: (3..<10).map { row[$0].isDigit("1") })
      }
    }
    if feed.has("calendar_dates.txt") {
      try read("calendar_dates.txt", ["service_id", "date", "exception_type"]) { row throws(RowProblem) in
        guard row[2].isDigit("1") || row[2].isDigit("2") else { throw RowProblem("exception_type is neither 1 nor 2") }
        try services.addException(row[0], try row[1].day(in: "date"), runs: row[2].isDigit("1"))
      }
    }
  }

  /// Returns the days from the first day with trips to the last.
  private func rangeOfDays() throws -> ClosedRange<Int> {
    let used = Set(trips.lazy.filter { !$0.calls.isEmpty }.map(\.service))
    let days = used.compactMap { service in
      let days = services.days(of: service)
      return days.min().map { ($0, days.max() ?? $0) }
    }
    guard let first = days.map(\.0).min(), let last = days.map(\.1).max() else {
      let cause =
        rejections.mainReason(of: "calendar.txt", "calendar_dates.txt").map { " (rejected rows, \($0))" } ?? ""
      throw .input(feed.path, "no trip runs on any day of calendar.txt or calendar_dates.txt\(cause)")
    }
    guard services.count * (last - first + 1) <= FeedReader.maximumServiceDays else {
      throw .input(
        feed.path,
        "\(services.count) services over \(last - first + 1) days, expected fewer: does a date have a wrong year?")
    }
    return first...last
  }

  private func readTrips() throws {
    let known = routes.count
    var (withoutService, withoutRoute) = (0, 0)
    _ = (blocks.insert(.empty), headsigns.insert(.empty), shapeIDs.insert(.empty))
    try read(
      "trips.txt", ["trip_id", "route_id", "service_id"],
      ["trip_headsign", "block_id", "shape_id", "wheelchair_accessible"]
    ) {
      row throws(RowProblem) in
      guard !row[0].isEmpty else { throw RowProblem("trip_id is empty") }
      guard tripIDs.insert(row[0]).isNew else { throw RowProblem("an earlier row has the same trip_id") }
      let (isUnknown, route) = routeIDs.insert(row[1])
      if isUnknown { routes.append(FeedRoute(name: row[1].isEmpty ? "?" : row[1].text)) }
      if route >= known { withoutRoute += 1 }
      if services.ids.index(of: row[2]) == nil { withoutService += 1 }
      trips.append(
        FeedTrip(
          route: route, service: services.index(of: row[2]), headsign: headsigns.insert(row[3]).index,
          block: blocks.insert(row[4]).index, shape: shapeIDs.insert(row[5]).index,
          wheelchair: UInt8(clamping: row[6].wholeNumber ?? 0)))
    }
    facts.trips = trips.count
    note(
      "trips.txt", withoutRoute,
      "{trip has|trips have} a route_id without a valid row in routes.txt; {its line is|their lines are} named by the route_id"
    )
    note(
      "trips.txt", withoutService,
      "{trip has|trips have} a service_id that neither calendar has; {it never runs|they never run}")
  }

  private func text(_ day: Int) -> String { CalendarDay(number: day).text }

  private func readFeedInfo() throws {
    guard feed.has("feed_info.txt") else { return }
    let columns = ["feed_publisher_name", "feed_version", "feed_start_date", "feed_end_date"]
    try read("feed_info.txt", [], columns) { row throws(RowProblem) in
      (facts.publisher, facts.version) = (row[0].text, row[1].text)
      for column in 2...3 where !row[column].isEmpty {
        let day = try row[column].day(in: columns[column])
        let end = column == 2 ? days.lowerBound : days.upperBound
        guard day != end else { continue }
        let words = column == 2 ? "first" : "last"
        facts.notes.append(
          "feed_info.txt: \(columns[column]) is \(text(day)), but the \(words) trip runs on \(text(end))")
      }
    }
  }
}

/// A row of routes.txt, or a route that is only in trips.txt.
struct FeedRoute {
  /// The short name, or else the long name, or else the id.
  var name: String
  /// The code in the feed, which `RouteType(code:)` interprets; nil if it is invalid or routes.txt lacks the route.
  var type: UInt16?
  /// 0xRRGGBB; nil if the feed has no colour.
  var color: UInt32?
  var textColor: UInt32?
}

/// A row of trips.txt.
struct FeedTrip {
  var route: Int
  var service: Int
  var headsign: Int
  /// 0 for none.
  var block: Int
  /// 0 for none.
  var shape: Int
  var wheelchair: UInt8
  /// The trip's calls; empty if the trip is invalid.
  var calls = 0..<0
}

extension FeedReader {
  /// Reads the shapes of trips from shapes.txt, and ignores unused ones.
  func readShapes() throws {
    shapes = Array(repeating: [], count: shapeIDs.count)
    defer {
      note(
        "trips.txt", trips.count { $0.shape > 0 && shapes[$0.shape].count < 2 },
        "{trip has a shape_id|trips have shape_ids} without a line in shapes.txt; "
          + "rides are drawn straight between stops")
      note(
        "trips.txt", implausibleShapes,
        "{trip has a shape|trips have shapes} more than \(Int(ShapeRule.maximumMetres)) m from a stop or with a stray "
          + "point; rides are drawn straight between stops there")
    }
    guard feed.has("shapes.txt") else { return }
    let check = CoordinateCheck(area: .earth)
    var rows: [(shape: UInt32, sequence: UInt32, point: FixedCoordinate, distance: Double)] = []
    let columns = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"]
    try read("shapes.txt", columns, ["shape_dist_traveled"]) { row throws(RowProblem) in
      guard let shape = shapeIDs.index(of: row[0]), shape > 0 else { return }
      guard let sequence = row[3].wholeNumber else { throw RowProblem("shape_pt_sequence is not a whole number") }
      let longitude = try row.degrees(2, in: "shape_pt_lon")
      let position = Coordinate(latitude: try row.degrees(1, in: "shape_pt_lat"), longitude: longitude)
      let distance = row[4].isEmpty ? .nan : (try? row[4].number(in: "shape_dist_traveled")) ?? .nan
      rows.append((UInt32(shape), UInt32(sequence), try check.point(position, of: "the point"), distance))
    }
    var distances = [[Double]](repeating: [], count: shapes.count)
    for row in rows.indices.sorted(by: {
      (rows[$0].shape, rows[$0].sequence, $0) < (rows[$1].shape, rows[$1].sequence, $1)
    }) {
      shapes[Int(rows[row].shape)].append(rows[row].point)
      distances[Int(rows[row].shape)].append(rows[row].distance)
    }
    findSegments(distances)
  }

  /// Finds the segment of each call by `shape_dist_traveled`, if those of its trip and of the shape increase.
  ///
  /// - Parameter distances: `shape_dist_traveled` of the points of each shape.
  private func findSegments(_ distances: [[Double]]) {
    let areIncreasing = distances.map(\.isIncreasing)
    for trip in trips where areIncreasing[trip.shape] && !trip.calls.isEmpty {
      let line = distances[trip.shape]
      var own = calls[trip.calls].map(\.distance)
      // Some feeds leave out the first one.
      if own[0].isNaN { own[0] = line[0] }
      guard own.isIncreasing else { continue }
      for (call, distance) in zip(trip.calls, own) {
        let end = line.indices.partitionPoint { line[$0] >= distance }
        calls[call].segment = UInt32(min(max(end, 1), line.count - 1) - 1)
      }
    }
  }

  /// The number of trips whose shape is not plausible everywhere.
  private var implausibleShapes: Int {
    // Most trips have the same shape and stops as another.
    var counts: [[UInt32]: Int] = [:]
    for trip in trips where shapes[trip.shape].count > 1 && !trip.calls.isEmpty {
      counts[[UInt32(trip.shape)] + calls[trip.calls].map(\.stop), default: 0] += 1
    }
    return counts.reduce(0) { sum, item in
      let points = item.key.dropFirst().map { stops[Int($0)].point }
      let located = points.filter { $0.longitude != 0 || $0.latitude != 0 }
      return sum + (ShapeRule.isBroken(by: shapes[Int(item.key[0])], for: located) ? item.value : 0)
    }
  }

  /// Reads pathways.txt: connections between the platforms, entrances and other nodes of a station.
  func readPathways() throws {
    guard feed.has("pathways.txt") else { return }
    let optional = ["traversal_time", "length", "stair_count"]
    var invalidTimes = 0
    try read("pathways.txt", ["from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional"], optional) {
      row throws(RowProblem) in
      let ends = (try node(row[0], in: "from_stop_id"), try node(row[1], in: "to_stop_id"))
      guard let mode = row[2].wholeNumber, (1...7).contains(mode) else {
        throw RowProblem("pathway_mode is not from 1 to 7")
      }
      guard row[3].isDigit("0") || row[3].isDigit("1") else { throw RowProblem("is_bidirectional is neither 0 nor 1") }
      let seconds = row[4].wholeNumber.flatMap { $0 > 0 ? UInt32($0) : nil }
      let metres = row[5].isEmpty ? nil : try row[5].number(in: "length")
      guard metres.map({ (0...100_000).contains($0) }) != false else {
        throw RowProblem("length is not from 0 to 100000 metres")
      }
      var pathway = Timetable.Pathway(
        from: UInt32(ends.0), to: UInt32(ends.1), mode: UInt32(mode),
        seconds: seconds ?? Timetable.none,
        centimetres: metres.map { UInt32(($0 * 100).rounded()) } ?? Timetable.none, stairs: try stairs(row[6]))
      if seconds == nil, !row[4].isEmpty { invalidTimes += 1 }
      pathways.append(pathway)
      if row[3].isDigit("1") {
        swap(&pathway.from, &pathway.to)
        pathways.append(pathway)
      }
    }
    note(
      "pathways.txt", invalidTimes,
      "{pathway has|pathways have} a traversal_time that is not a whole number of seconds above 0, which is ignored")
  }

  private func node(_ id: RowField, in column: String) throws(RowProblem) -> Int {
    let node = try stop(id, in: column)
    guard stops[node].type != 1 else { throw RowProblem("\(column) is a station, expected one of its parts") }
    return node
  }

  /// Returns the number of stairs; negative values of stair_count mean stairs down.
  private func stairs(_ field: RowField) throws(RowProblem) -> UInt32 {
    guard !field.isEmpty else { return 0 }
    let count = try field.number(in: "stair_count")
    guard count == count.rounded(), abs(count) <= 10_000 else {
      throw RowProblem("stair_count is not a whole number from -10000 to 10000")
    }
    return UInt32(abs(count))
  }
}
