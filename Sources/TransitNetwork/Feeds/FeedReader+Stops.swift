import Geography
import Hierarchy
import Input

extension FeedReader {
  private static let stopFile = "stops.txt"
  private static let stopColumns = [
    "stop_lat", "stop_lon", "stop_name", "location_type", "parent_station", "wheelchair_boarding", "platform_code",
    "stop_access",
  ]

  /// Reads stops.txt. *Throws*: `OdometerError` if the file is invalid or all of its rows are rejected.
  func readStops() throws {
    var parents = FieldInterner()
    var stations: StationPoints?
    var placed = 0
    try read(FeedReader.stopFile, ["stop_id"], FeedReader.stopColumns) { row throws(RowProblem) in
      do throws(RowProblem) {
        let isBlank = row[1].isEmpty && row[2].isEmpty && row.has(1) && row.has(2)
        if isBlank, stations == nil { stations = try? stationPoints() }
        let station = isBlank ? stations?.position(id: row[0].text, parent: row[5].isEmpty ? nil : row[5].text) : nil
        try readStop(row, at: station, &parents)
        if station != nil { placed += 1 }
      } catch {
        if stopIDs.index(of: row[0]) == nil { _ = rejectedStops.insert(row[0]) }
        throw error
      }
    }
    if stops.isEmpty, let first = rejections.rows.first(where: { $0.file == FeedReader.stopFile }) {
      throw .input(
        feed.path(of: FeedReader.stopFile), line: first.line,
        "all rows of the file are rejected; the first one: \(first.reason)")
    }
    note(
      FeedReader.stopFile, placed,
      "{place has|places have} no coordinates; "
        + "the position of {its station or its|their station or their} platforms is used")
    resolve(parents)
  }

  /// Returns the positions of the rows of stops.txt that have coordinates. *Throws*: `OdometerError`.
  private func stationPoints() throws -> StationPoints {
    let check = CoordinateCheck(area: .earth)
    var points = StationPoints()
    try feed.forEachRow(FeedReader.stopFile, ["stop_id"], FeedReader.stopColumns) { row throws(RowProblem) in
      let position = try self.position(of: row)
      _ = try check.point(position, of: "the stop")
      points.add(
        id: row[0].text, parent: row[5].isEmpty ? nil : row[5].text, part: row[4].isEmpty ? nil : row[4].text,
        at: position)
    }
    return points
  }

  private func position(of row: FeedRow) throws(RowProblem) -> Coordinate {
    let longitude = try row.degrees(2, in: "stop_lon")
    return Coordinate(latitude: try row.degrees(1, in: "stop_lat"), longitude: longitude)
  }

  /// - Parameter station: The position to use if the row has no coordinates.
  private func readStop(
    _ row: FeedRow, at station: Coordinate?, _ parents: inout FieldInterner
  ) throws(RowProblem) {
    guard !row[0].isEmpty else { throw RowProblem("stop_id is empty") }
    let position = if let station { station } else { try self.position(of: row) }
    let point = try CoordinateCheck(area: .earth).point(position, of: "the stop")
    guard let type = row[4].isEmpty ? 0 : row[4].wholeNumber, type <= 4 else {
      throw RowProblem("location_type is not a number from 0 to 4")
    }
    guard stopIDs.insert(row[0]).isNew else { throw RowProblem("an earlier row has the same stop_id") }
    stops.append(
      FeedStop(
        point: point, type: UInt8(type), parent: row[5].isEmpty ? nil : parents.insert(row[5]).index,
        boarding: UInt8(clamping: row[6].wholeNumber ?? 0), name: row[3].text, platform: row[7].text,
        isDirect: row[8].isDigit("1"), row: UInt32(clamping: row.line)))
  }

  /// Resolves the parents of stops, which may come later in the file.
  private func resolve(_ parents: FieldInterner) {
    facts.stops = stops.count
    let indices = (0..<parents.count).map { stopIDs.index(of: parents, $0) }
    var orphans = 0
    for index in stops.indices {
      guard let parent = stops[index].parent else { continue }
      // The parent of a boarding area is a stop; the parent of any other place is a station; stations have none.
      stops[index].parent = indices[parent].flatMap { parent in
        stops[index].type != 1 && stops[parent].type == (stops[index].type == 4 ? 0 : 1) ? parent : nil
      }
      if stops[index].parent == nil { orphans += 1 }
    }
    note(
      FeedReader.stopFile, orphans,
      "{stop has|stops have} a parent_station that is not in the file or is not a station; it is ignored")
  }
}

/// A row of stops.txt.
struct FeedStop {
  var point: FixedCoordinate
  /// `location_type`: 0 stop, 1 station, 2 entrance, 3 generic node, 4 boarding area.
  var type: UInt8
  /// The index of the parent.
  var parent: Int?
  /// `wheelchair_boarding`.
  var boarding: UInt8
  var name: String
  var platform: String
  /// Whether riders reach it directly instead of through its station's entrances (`stop_access` 1).
  var isDirect: Bool
  /// The line in stops.txt, from 1.
  var row: UInt32
  /// Whether it is a copy of its parent for vehicles with their own transfer rules.
  var isPart = false
}

extension FeedReader {
  private static let file = "stop_times.txt"
  /// A window includes service days from two days before its first one (`ServiceCalendar`), so trips are found until
  /// 72:00.
  private static let threeDays: Int32 = 3 * 86_400
  /// Reasons for rejection that are known only after reading all rows of a trip.
  private enum LateReason: String {
    case duplicate = "an earlier row of the trip has the same stop_sequence"
    case untimed = "no time, and not between two timed stops of the trip"
    case decreasing = "the time is before the previous stop's: the trip is left out"
  }

  /// Reads stop_times.txt and turns its rows into calls. *Throws*: `OdometerError` if more than a tenth are invalid.
  func readStopTimes() throws {
    let (rows, onDemand) = try stopTimes()
    let all = rows.count + rejections.count(of: FeedReader.file)
    let byTrip = Grouped<UInt32>(trips.count) { add in
      for (index, row) in rows.enumerated() { add(row.trip, UInt32(index)) }
    }
    let points = stops.map { MeasuredPoint($0.point.coordinate) }
    var rejected: [(line: UInt32, reason: LateReason)] = []
    var (addedDays, lateArrivals, short, decreasing, unusable) = (0, 0, 0, 0, 0)
    var times = TripStopTimes()
    calls.reserveCapacity(rows.count)
    for trip in trips.indices {
      guard !tripsWithRejectedFrequencies.contains(trip) else { continue }
      times.begin(byTrip[UInt32(trip)].lazy.map { rows[Int($0)] })
      times.sort { rejected.append(($0, .duplicate)) }
      times.trim { rejected.append(($0, .untimed)) }
      let changes = times.makeNondecreasing()
      if let line = changes.decreasingLine {
        rejected.append((line, .decreasing))
        (decreasing, unusable) = (decreasing + 1, unusable + times.rows.count - 1)
        continue
      }
      if changes.addsDays { addedDays += 1 }
      lateArrivals += changes.lateArrivals
      guard times.rows.count > 1 else {
        short += 1
        continue
      }
      facts.interpolatedTimes += times.interpolate(points)
      trips[trip].calls = calls.count..<calls.count + times.rows.count
      calls.append(contentsOf: times.rows)
    }
    try reject(rejected)
    try checkUse(of: all, unusable: unusable + rejections.count(of: FeedReader.file), onDemand)
    var isUsed = [Bool](repeating: false, count: stops.count)
    for call in calls { isUsed[Int(call.stop)] = true }
    facts.stopsUsed = isUsed.count { $0 }
    let late = trips.count { !$0.calls.isEmpty && calls[$0.calls.upperBound - 1].arrival >= FeedReader.threeDays }
    note(FeedReader.file, onDemand, "{stop time is|stop times are} on demand, which is not supported")
    note(FeedReader.file, facts.interpolatedTimes, "blank {time is|times are} interpolated")
    note(
      FeedReader.file, addedDays,
      "{trip continues|trips continue} after midnight with 00:xx instead of 24:xx; 24 h are added from there on")
    note(
      FeedReader.file, lateArrivals,
      "{call arrives after it departs; its|calls arrive after they depart; their} arrival is used as departure")
    note(FeedReader.file, decreasing, "{trip is left out since its|trips are left out since their} times decrease")
    note(FeedReader.file, short, "{trip has|trips have} fewer than two stop times and {is|are} left out")
    note(
      FeedReader.file, late,
      "{trip runs|trips run} beyond 72:00 and {is|are} not found from then on: windows include only the two days before"
    )
  }

  /// Returns the valid rows of stop_times.txt, and the number of on-demand rows.
  private func stopTimes() throws -> ([StopTime], onDemand: Int) {
    var rows: [StopTime] = []
    var (onDemand, unknownTypes, hailed) = (0, 0, 0)
    var hasTimes = (arrival: true, departure: true)
    func isType(_ field: RowField) -> Bool { field.isEmpty || "0123".unicodeScalars.contains(where: field.isDigit) }
    try read(
      FeedReader.file, ["trip_id", "stop_sequence"],
      [
        "stop_id", "arrival_time", "departure_time", "pickup_type", "drop_off_type", "shape_dist_traveled",
        "start_pickup_drop_off_window", "location_id", "location_group_id", "stop_headsign",
        "continuous_pickup", "continuous_drop_off",
      ]
    ) { row throws(RowProblem) in
      guard row[8].isEmpty, row[9].isEmpty, row[10].isEmpty else {
        onDemand += 1
        return
      }
      guard let trip = tripIDs.index(of: row[0]) else { throw RowProblem("trip_id is not in trips.txt") }
      guard row.has(2) else { throw RowProblem("the header has no column stop_id") }
      let stop = try self.stop(row[2], in: "stop_id")
      guard stops[stop].type == 0 else { throw RowProblem("stop_id is not a stop, expected location_type 0") }
      guard let sequence = row[1].wholeNumber else {
        throw RowProblem("stop_sequence is not a whole number from 0 to 999999999")
      }
      hasTimes = (row.has(3), row.has(4))
      if !isType(row[5]) || !isType(row[6]) { unknownTypes += 1 }
      if (12...13).contains(where: { !row[$0].isEmpty && !row[$0].isDigit("1") }) { hailed += 1 }
      var arrival = row[3].isEmpty ? StopTime.blank : try row[3].serviceTime(in: "arrival_time")
      let departure = row[4].isEmpty ? arrival : try row[4].serviceTime(in: "departure_time")
      if arrival == StopTime.blank { arrival = departure }
      rows.append(
        StopTime(
          line: UInt32(truncatingIfNeeded: row.line), trip: UInt32(trip), sequence: UInt32(sequence),
          stop: UInt32(stop), arrival: arrival,
          departure: departure, mayBoard: !row[5].isDigit("1"), mayAlight: !row[6].isDigit("1"),
          distance: try row[7].isEmpty ? .nan : row[7].number(in: "shape_dist_traveled"),
          headsign: UInt32(headsigns.insert(row[11]).index)))
    }
    note(
      FeedReader.file, unknownTypes,
      "{stop time has|stop times have} a pickup_type or drop_off_type that is not from 0 to 3, which is taken as 0")
    note(
      FeedReader.file, hailed,
      "{stop time allows|stop times allow} hailing between stops; riders board and alight only at stops")
    for (isThere, name, other) in [
      (hasTimes.arrival, "arrival_time", "departures"), (hasTimes.departure, "departure_time", "arrivals"),
    ] where !isThere {
      facts.notes.append("\(FeedReader.file): the header has no column \(name); the \(other) are used instead")
    }
    return (rows, onDemand)
  }

  /// Rejects rows that are no longer in memory, by reading the file again.
  private func reject(_ late: [(line: UInt32, reason: LateReason)]) throws {
    guard !late.isEmpty else { return }
    var reasons = Dictionary(uniqueKeysWithValues: late.map { (Int($0.line), $0.reason) })
    try feed.forEachRow(FeedReader.file, []) { row in
      guard let reason = reasons.removeValue(forKey: row.line) else { return }
      rejections.add(FeedReader.file, line: row.line, text: row.text, RowProblem(reason.rawValue))
    }
  }

  /// Rejects a feed if more than a tenth of its stop times are invalid, or if it has no trips.
  private func checkUse(of all: Int, unusable: Int, _ onDemand: Int) throws {
    guard unusable * 10 <= all else {
      let reason = rejections.mainReason(of: FeedReader.file).map { " (\($0))" } ?? ""
      throw .input(
        feed.path(of: FeedReader.file),
        "\(unusable) of \(all) stop times cannot be used\(reason); expected at most a tenth")
    }
    guard calls.isEmpty else { return }
    throw .input(
      feed.path,
      onDemand > 0
        ? "no trip has a time: \(onDemand) stop times are on demand, which is not supported"
        : tripsWithRejectedFrequencies.isEmpty
          ? "no trip has two stop times"
          : "no trip is left: rows of frequencies.txt are rejected (\(rejections.mainReason(of: "frequencies.txt") ?? ""))"
    )
  }
}
