import Foundation
import Geography
import Hierarchy
import Input
import OpeningHours
import StreetNetwork
import Tables
import Transit

/// The timetable of a job's feeds, stored in a file: opened if the feeds have been read before, and written otherwise.
///
/// `NAME-KEY.timetable` is next to the first feed or in the cache folder; the key identifies the content of the zips
/// and the format version.
package struct FeedTimetable: Sendable {
  package let timetable: Timetable
  /// The feeds, in the order of the job.
  package let feeds: [Feed]
  /// The timetable file.
  package let path: String
  /// The zips and the file, as read.
  package let watched: [WatchedFile]

  package struct Feed: Sendable {
    /// The zip.
    package let path: String
    /// SHA-256 of the zip, in hexadecimal digits.
    package let digest: String
    /// Facts found while reading the feed.
    package let facts: FeedFacts

    /// The feed's rejected rows, for table `rejected`.
    package var rejected: [RejectedRow] {
      facts.rejected.map { RejectedRow(file: "\(path)/\($0.file)", line: $0.line, text: $0.text, reason: $0.reason) }
    }

    /// Notes for the user, without full stops.
    package var notes: [String] {
      facts.zipNotes.map { "\(path): \($0)" } + facts.notes.map { "\(path)/\($0)" }
        + (facts.rejectedRows == 0 ? [] : ["\(path): rows rejected: \(facts.rejectedRows) (table rejected)"])
        + (facts.unread.isEmpty ? [] : ["\(path): not read: \(facts.unread.joined(separator: ", "))"])
    }
  }

  /// - Parameters:
  ///   - paths: GTFS zips, one or more.
  ///   - cache: The folder for the file; the first feed's folder if nil.
  ///   - report: Called with a sentence before feeds are read; if it throws, nothing is read.
  /// - Throws: `OdometerError` if a feed is invalid or the file cannot be written; errors of `report`.
  package init(_ paths: [String], cache: String? = nil, report: (String) throws -> Void = { _ in }) throws {
    let zips = try paths.map { try FeedTimetable.digest(of: $0, cache) }
    for (index, zip) in zips.enumerated() {
      guard let first = zips[..<index].firstIndex(where: { $0.digest == zip.digest }) else { continue }
      throw .input(paths[index], "got the same feed as \(paths[first]), expected each feed once")
    }
    let content = Digest.of(zips.flatMap(\.digest))
    let origin = ColumnOrigin(from: content, with: Digest.of([UInt8]()))
    path = FeedTimetable.path(paths[0], cache, content)
    var known: (timetable: Timetable, facts: [FeedFacts], file: WatchedFile)?
    do {
      known = try FeedTimetable.opened(path, origin)
    } catch let error as POSIXError where error.code == .ENOENT {
      try report("reading the timetable of \(paths.joined(separator: ", ")), once")
    } catch let error as OdometerError {
      throw error
    } catch {
      try report("\(path): the timetable file \(TimetableFile.predicate(for: error)); reading the feeds again")
    }
    if known == nil {
      let contents = try FeedTimetable.read(paths)
      // If a zip has changed in the meantime, its data must not be stored.
      try zips.map(\.file).check(\.isSame)
      do {
        if let cache { try FileManager.makeFolder(cache) }
        try TimetableFile.write(contents, to: path, origin)
        known = try FeedTimetable.opened(path, origin)
      } catch {
        throw OdometerError.unwritable(path, kind: "timetable", error)
      }
    }
    let (timetable, facts, file) = known!
    (self.timetable, watched) = (timetable, zips.map(\.file) + [file])
    feeds = paths.indices.map { Feed(path: paths[$0], digest: zips[$0].digest.hexadecimal, facts: facts[$0]) }
  }

  private static func read(_ paths: [String]) throws -> TimetableFile.Contents {
    var (columns, facts) = (TimetableColumns(), [FeedFacts]())
    for path in paths {
      guard let feed = try GTFSFeed.open(path) else { throw .input(path, "not a GTFS zip") }
      let reader = try FeedReader(feed)
      columns.add(reader)
      facts.append(reader.facts)
    }
    var contents = columns.contents()
    try contents.add(.facts, json: facts)
    return contents
  }

  private static func digest(of path: String, _ cache: String?) throws -> (digest: [UInt8], file: WatchedFile) {
    if let problem = FileManager.irregularity(of: path, expecting: "a GTFS zip") {
      throw .input(path, problem)
    }
    do {
      let zip = try Digest.recorded(of: path, in: cache)
      return (zip.0, zip.of)
    } catch {
      throw .input(path, "the feed cannot be read: \(POSIXError.reason(for: error))")
    }
  }

  private static func path(_ feed: String, _ cache: String?, _ content: [UInt8]) -> String {
    let key = Digest.of(content + [UInt8(TimetableSection.format.version)]).hexadecimal.prefix(12)
    let file = (feed as NSString).lastPathComponent as NSString
    let name = file.pathExtension == "zip" ? file.deletingPathExtension : file as String
    let folder = cache ?? feed.folder
    return "\(folder.isEmpty ? "" : folder + "/")\(name)-\(key)\(TimetableSection.suffix)"
  }

  private static func opened(
    _ path: String, _ origin: ColumnOrigin
  ) throws -> (timetable: Timetable, facts: [FeedFacts], file: WatchedFile) {
    let file = try TimetableFile(path: path, origin, check: .unlessNoted(DigestNote(of: path)))
    let facts: [FeedFacts] = try file.decoded(.facts)
    let timetable = try Timetable(file)
    guard timetable.timeZones.count == facts.count else {
      throw InvalidColumnFile.invalid("\(TimetableSection.facts)")
    }
    return (timetable, facts, file.watched)
  }
}

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
  /// The headsigns of all calls up to the last feed that has headsigns.
  private var callHeadsigns: [Timetable.Text] = []
  private let noHeadsign = Timetable.Text(start: 0, count: 0)
  /// The segments of all calls up to the last feed that has segments.
  private var callSegments: [UInt32] = []
  private var blocks: UInt32 = 0
  private var strings: [UInt8] = []

  mutating func add(_ reader: FeedReader) {
    addTrips(reader)
    let (feed, firstStop) = (UInt32(services.count), UInt32(stops.count))
    callStops += reader.calls.lazy.map { firstStop + $0.stop }
    arrivals += reader.calls.lazy.map(\.arrival)
    departures += reader.calls.lazy.map(\.departure)
    callFlags += reader.calls.lazy.map {
      ($0.mayBoard ? 0 : Timetable.noBoarding) | ($0.mayAlight ? 0 : Timetable.noAlighting)
    }
    for (index, stop) in reader.stops.enumerated() {
      stops.append(
        Timetable.Stop(
          longitude: stop.point.longitude, latitude: stop.point.latitude,
          parent: stop.parent.map { firstStop + UInt32($0) } ?? Timetable.none, feed: feed,
          id: text(reader.stopIDs[stop.isPart ? stop.parent! : index]), name: text(stop.name),
          platform: text(stop.platform), type: stop.type, access: stop.isDirect ? 1 : 0,
          boarding: UInt16(stop.boarding), row: stop.row))
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
          textColor: route.textColor ?? Timetable.none, type: route.type.map(UInt32.init) ?? Timetable.none))
    }
    let used = reader.trips.indices.filter { !reader.trips[$0].calls.isEmpty }
    let shapes = reader.shapes.map { points -> UInt32 in
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
          line: firstLine + UInt32(trip.route), service: firstService + UInt32(trip.service),
          block: trip.block == 0 ? Timetable.none : blocks + UInt32(trip.block),
          shape: shapes[trip.shape], wheelchair: UInt32(trip.wheelchair), headsign: headsigns[trip.headsign],
          id: text(reader.tripIDs[index])))
    }
    if reader.calls.contains(where: { $0.headsign > 0 }) {
      callHeadsigns.pad(noHeadsign, to: callStops.count)
      callHeadsigns += reader.calls.lazy.map { headsigns[Int($0.headsign)] }
    }
    if reader.calls.contains(where: { $0.segment != Timetable.none }) {
      callSegments.pad(Timetable.none, to: callStops.count)
      callSegments += reader.calls.lazy.map(\.segment)
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

  private mutating func text(_ text: String) -> Timetable.Text {
    let start = strings.count
    strings += text.utf8
    return Timetable.Text(start: UInt32(start), count: UInt32(strings.count - start))
  }

  /// Returns the contents of the timetable file for all feeds.
  mutating func contents() -> TimetableFile.Contents {
    if !callHeadsigns.isEmpty { callHeadsigns.pad(noHeadsign, to: callStops.count) }
    if !callSegments.isEmpty { callSegments.pad(Timetable.none, to: callStops.count) }
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
    contents.add(.callSegments, callSegments)
    contents.add(.texts, strings)
    return contents
  }
}

extension Array {
  /// Appends an element until there are `count`: for the calls of feeds that have none.
  fileprivate mutating func pad(_ element: Element, to count: Int) {
    self += repeatElement(element, count: count - self.count)
  }
}

/// The days on which each service of a feed runs (calendar.txt, calendar_dates.txt), counted from 1 January 1970.
struct FeedServices {
  /// The days supported by `LocalClock`: from 1970 to 2099.
  static let knownDays = 0...47_481

  private(set) var ids = FieldInterner()
  private var services: [Service] = []

  private struct Service {
    /// Nil if calendar.txt lacks the service.
    var range: ClosedRange<Int>?
    /// Whether the service runs on each weekday in `range`, from Monday.
    var runs: [Bool] = []
    /// Whether the service runs on a day, regardless of the weekday.
    var exceptions: [Int: Bool] = [:]
  }

  var count: Int { services.count }

  /// Returns the index of a service. A new service gets the next index, and runs only on the days that are added.
  mutating func index(of id: RowField) -> Int {
    let (isNew, service) = ids.insert(id)
    if isNew { services.append(Service()) }
    return service
  }

  mutating func addWeek(_ id: RowField, _ range: ClosedRange<Int>, runs: [Bool]) throws(RowProblem) {
    let service = index(of: id)
    guard services[service].range == nil else { throw RowProblem("an earlier row has the same service_id") }
    (services[service].range, services[service].runs) = (range, runs)
  }

  mutating func addException(_ id: RowField, _ day: Int, runs: Bool) throws(RowProblem) {
    let service = index(of: id)
    guard services[service].exceptions[day] == nil else {
      throw RowProblem("an earlier row has the same service_id and date")
    }
    services[service].exceptions[day] = runs
  }

  /// Returns the days of a service, unordered.
  func days(of service: Int) -> [Int] {
    let service = services[service]
    let weekly = service.range.map { range in
      range.filter { service.exceptions[$0] == nil && service.runs[CalendarDay(number: $0).weekday] }
    }
    return (weekly ?? []) + service.exceptions.filter(\.value).map(\.key)
  }
}
