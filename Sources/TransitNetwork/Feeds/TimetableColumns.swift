import Hierarchy
import Transit

/// The columns of a timetable file while feeds are read.
struct TimetableColumns {
  private var timeZones: [Timetable.Text] = []
  private var callStops: [UInt32] = []
  private var arrivals: [Int32] = []
  private var departures: [Int32] = []
  private var callFlags: [UInt8] = []
  private var firstCalls: [UInt32] = []
  private var trips: [Timetable.Trip] = []
  private var serviceFeeds: [UInt32] = []
  private var services: [(FeedServices, days: ClosedRange<Int>)] = []
  private var stops: [Timetable.Stop] = []
  private var lines: [Timetable.Line] = []
  private var frequencies: [Timetable.Frequency] = []
  private var transfers: [Timetable.Transfer] = []
  private var continuations: [Timetable.Continuation] = []
  private var pathways: [Timetable.Pathway] = []
  private var firstShapePoints: [UInt32] = [0]
  private var shapePoints: [Timetable.Point] = []
  /// Up to the last feed with headsigns.
  private var callHeadsigns: [Timetable.Text] = []
  private var blocks: UInt32 = 0
  private var texts: [UInt8] = []

  /// Appends a feed.
  mutating func add(_ reader: FeedReader) {
    addTrips(reader)
    addCalls(reader)
    let (feed, firstStop) = (UInt32(services.count), UInt32(stops.count))
    for (index, stop) in reader.stops.enumerated() {
      stops.append(
        Timetable.Stop(
          longitude: stop.point.longitude, latitude: stop.point.latitude,
          parent: stop.parent.map { firstStop + UInt32($0) } ?? Timetable.none, feed: feed,
          id: text(reader.stopIDs[stop.isPart ? stop.parent! : index]), name: text(stop.name),
          platform: text(stop.platform), type: UInt16(stop.type), boarding: UInt16(stop.boarding), row: stop.row))
    }
    for var transfer in reader.transfers {
      (transfer.from, transfer.to) = (firstStop + transfer.from, firstStop + transfer.to)
      transfers.append(transfer)
    }
    for var pathway in reader.pathways {
      (pathway.from, pathway.to) = (firstStop + pathway.from, firstStop + pathway.to)
      pathways.append(pathway)
    }
    serviceFeeds += [UInt32](repeating: feed, count: reader.services.count)
    services.append((reader.services, reader.days))
    timeZones.append(text(reader.timeZone))
  }

  private mutating func addTrips(_ reader: FeedReader) {
    let (firstLine, firstService) = (UInt32(lines.count), UInt32(serviceFeeds.count))
    for route in reader.routes {
      lines.append(
        Timetable.Line(
          feed: UInt32(services.count), name: text(route.name), color: route.color ?? Timetable.none,
          textColor: route.textColor ?? Timetable.none, type: UInt32(route.type)))
    }
    let used = reader.trips.indices.filter { !reader.trips[$0].calls.isEmpty }
    let unknown = UInt32(lines.count)
    if used.contains(where: { reader.trips[$0].route == nil }) {
      lines.append(
        Timetable.Line(
          feed: UInt32(services.count), name: text("?"), color: Timetable.none, textColor: Timetable.none,
          type: Timetable.none))
    }
    let shapes = reader.shapes.points.map { points -> UInt32 in
      guard points.count > 1 else { return Timetable.none }
      shapePoints += points.lazy.map { Timetable.Point(longitude: $0.longitude, latitude: $0.latitude) }
      firstShapePoints.append(UInt32(shapePoints.count))
      return UInt32(firstShapePoints.count - 2)
    }
    let headsigns = (0..<reader.headsigns.count).map { text(reader.headsigns[$0]) }
    var indices = [UInt32?](repeating: nil, count: reader.trips.count)
    for index in used {
      let trip = reader.trips[index]
      indices[index] = UInt32(trips.count)
      firstCalls.append(UInt32(callStops.count + trip.calls.lowerBound))
      trips.append(
        Timetable.Trip(
          line: trip.route.map { firstLine + UInt32($0) } ?? unknown, service: firstService + UInt32(trip.service),
          block: trip.block == 0 ? Timetable.none : blocks + UInt32(trip.block),
          shape: shapes[trip.shape], wheelchair: UInt32(trip.wheelchair), headsign: headsigns[trip.headsign],
          id: text(reader.tripIDs[index])))
    }
    if reader.calls.contains(where: { $0.headsign > 0 }) {
      padHeadsigns()
      callHeadsigns += reader.calls.lazy.map { headsigns[Int($0.headsign)] }
    }
    blocks += UInt32(reader.blocks.count)
    for var frequency in reader.frequencies {
      guard let trip = indices[Int(frequency.trip)] else { continue }
      frequency.trip = trip
      frequencies.append(frequency)
    }
    for continuation in reader.continuations {
      guard let from = indices[Int(continuation.from)], let to = indices[Int(continuation.to)] else { continue }
      continuations.append(.init(from: from, to: to, staysSeated: continuation.staysSeated))
    }
  }

  private mutating func addCalls(_ reader: FeedReader) {
    let firstStop = UInt32(stops.count)
    callStops += reader.calls.lazy.map { firstStop + $0.stop }
    arrivals += reader.calls.lazy.map(\.arrival)
    departures += reader.calls.lazy.map(\.departure)
    callFlags += reader.calls.lazy.map {
      ($0.mayBoard ? 0 : Timetable.noBoarding) | ($0.mayAlight ? 0 : Timetable.noAlighting)
    }
  }

  /// Appends empty headsigns for the calls of previous feeds.
  private mutating func padHeadsigns() {
    let missing = callStops.count - callHeadsigns.count
    callHeadsigns += repeatElement(Timetable.Text(start: 0, count: 0), count: missing)
  }

  private mutating func text(_ text: String) -> Timetable.Text {
    let start = texts.count
    texts += text.utf8
    return Timetable.Text(start: UInt32(start), count: UInt32(texts.count - start))
  }

  /// The timetable of all feeds, for a file.
  mutating func contents() -> TimetableFile.Contents {
    if !callHeadsigns.isEmpty { padHeadsigns() }
    let firstDay = services.map(\.days.lowerBound).min() ?? 0
    let words = ((services.map(\.days.upperBound).max() ?? 0) - firstDay) / 64 + 1
    var days: [UInt64] = []
    days.reserveCapacity(serviceFeeds.count * words)
    for (services, _) in services {
      for service in 0..<services.count {
        let start = days.count
        days += repeatElement(0, count: words)
        for day in services.days(of: service) where (0..<words * 64).contains(day - firstDay) {
          days[start + (day - firstDay) / 64] |= 1 << UInt64((day - firstDay) % 64)
        }
      }
    }
    var contents = TimetableFile.Contents()
    contents.add(.timeZones, timeZones)
    contents.add(.callStops, callStops)
    contents.add(.arrivals, arrivals)
    contents.add(.departures, departures)
    contents.add(.callFlags, callFlags)
    contents.add(.firstCalls, firstCalls + [UInt32(callStops.count)])
    contents.add(.trips, trips)
    contents.add(.serviceFeeds, serviceFeeds)
    contents.add(.serviceDays, days)
    contents.add(.firstDay, [Int32(firstDay)])
    contents.add(.stops, stops)
    contents.add(.lines, lines)
    contents.add(.frequencies, frequencies.sorted { ($0.trip, $0.start) < ($1.trip, $1.start) })
    contents.add(.transfers, transfers)
    contents.add(.continuations, continuations)
    contents.add(.pathways, pathways)
    contents.add(.firstShapePoints, firstShapePoints)
    contents.add(.shapePoints, shapePoints)
    contents.add(.callHeadsigns, callHeadsigns)
    contents.add(.texts, texts)
    return contents
  }
}
