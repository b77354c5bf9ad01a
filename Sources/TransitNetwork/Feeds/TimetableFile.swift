import Foundation
import Geography
import Hierarchy
import StreetNetwork
import Transit

/// A timetable on disk, made from the zips of one or several feeds.
typealias TimetableFile = ColumnFile<TimetableSection>

/// The columns of a timetable file.
enum TimetableSection: UInt32, CaseIterable, ColumnSection {
  case callStops = 1, arrivals, departures, callFlags
  case firstCalls = 10, trips, serviceFeeds, serviceDays, firstDay
  case stops = 20, lines, frequencies, transfers, continuations, texts, pathways
  case timeZones = 30, facts, firstShapePoints, shapePoints, callHeadsigns, callSegments

  static let suffix = ".timetable"
  static let format = ColumnFormat(magic: "ODOTRIPS", version: 8, name: "timetable", otherOrigin: "other feeds")

  var rule: ColumnRule<TimetableSection> {
    let times = ColumnRule<TimetableSection>.Constraint.within(0...Int(Int32.max))
    return switch self {
    case .callStops: .values(UInt32.self, .any, .below(.count(.stops)))
    case .arrivals, .departures: .values(Int32.self, .as(.callStops), times)
    case .callFlags:
      .values(UInt8.self, .as(.callStops), .within(0...Int(Timetable.noBoarding | Timetable.noAlighting)))
    case .firstCalls:
      .values(UInt32.self, .exactly(.count(.trips, plus: 1)), .offsets(into: .count(.callStops)))
    case .trips:
      .values(
        Timetable.Trip.self, .any,
        [
          .init(\Timetable.Trip.line, .below(.count(.lines))),
          .init(\Timetable.Trip.service, .below(.count(.serviceFeeds))),
        ])
    case .serviceFeeds: .values(UInt32.self, .atLeastOne, .below(.count(.timeZones)))
    case .serviceDays: .values(UInt64.self)
    case .firstDay: .values(Int32.self, .exactly(.constant(1)), .within(FeedServices.knownDays))
    case .stops:
      .values(
        Timetable.Stop.self, .any,
        [
          .init(\Timetable.Stop.parent, .belowOrNone(.count(.stops))),
          .init(\Timetable.Stop.feed, .below(.count(.timeZones))),
        ])
    case .lines: .values(Timetable.Line.self, .any, [.init(\Timetable.Line.feed, .below(.count(.timeZones)))])
    case .timeZones, .callHeadsigns: .values(Timetable.Text.self)
    case .frequencies:
      .values(
        Timetable.Frequency.self, .any,
        [
          .init(\Timetable.Frequency.trip, .below(.count(.trips))), .init(\Timetable.Frequency.start, times),
          .init(\Timetable.Frequency.end, times),
          .init(\Timetable.Frequency.headway, .within(1...Int(Int32.max))),
          .init(\Timetable.Frequency.isExact, .within(0...1)),
        ])
    case .transfers:
      .values(
        Timetable.Transfer.self, .any,
        [
          .init(\Timetable.Transfer.from, .below(.count(.stops))),
          .init(\Timetable.Transfer.to, .below(.count(.stops))), .init(\Timetable.Transfer.seconds, times),
          .init(\Timetable.Transfer.type, .within(0...3)),
        ])
    case .continuations:
      .values(
        Timetable.Continuation.self, .any,
        [
          .init(\Timetable.Continuation.from, .below(.count(.trips))),
          .init(\Timetable.Continuation.to, .below(.count(.trips))),
        ])
    case .pathways:
      .values(
        Timetable.Pathway.self, .any,
        [
          .init(\Timetable.Pathway.from, .below(.count(.stops))),
          .init(\Timetable.Pathway.to, .below(.count(.stops))),
          .init(\Timetable.Pathway.stairs, .within(0...10_000)),
        ])
    case .firstShapePoints: .values(UInt32.self, .atLeastOne, .offsets(into: .count(.shapePoints)))
    case .shapePoints: .values(Timetable.Point.self)
    case .callSegments: .values(UInt32.self)
    case .texts, .facts: .values(UInt8.self)
    }
  }

  /// Checks that trips have at least two calls at non-decreasing times, that services have the same number of days, and
  /// that the ranges of strings are within bounds.
  static func checkConsistency(_ file: TimetableFile) throws {
    let timetable = try Timetable(file)
    func check(_ holds: Bool, _ section: TimetableSection) throws {
      guard holds else { throw InvalidColumnFile.invalid("\(section)") }
    }
    try check(timetable.serviceDays.count % timetable.serviceFeeds.count == 0, .serviceDays)
    for trip in timetable.trips.indices {
      let calls = timetable.calls(of: trip)
      try check(calls.count > 1, .firstCalls)
      for call in calls {
        try check(timetable.arrivals[call] <= timetable.departures[call], .departures)
        guard call > calls.lowerBound else { continue }
        try check(timetable.departures[call - 1] <= timetable.arrivals[call], .arrivals)
      }
    }
    func isPart(_ text: Timetable.Text) -> Bool { Int(text.start) + Int(text.count) <= timetable.strings.count }
    try check(timetable.trips.allSatisfy { isPart($0.headsign) && isPart($0.id) }, .trips)
    let headsigns = timetable.callHeadsigns
    try check(headsigns.isEmpty || headsigns.count == timetable.callStops.count, .callHeadsigns)
    try check(headsigns.allSatisfy(isPart), .callHeadsigns)
    let segments = timetable.callSegments
    try check(segments.isEmpty || segments.count == timetable.callStops.count, .callSegments)
    let shapes = timetable.firstShapePoints.count - 1
    try check(timetable.trips.allSatisfy { $0.shape == Timetable.none || $0.shape < shapes }, .trips)
    // A boarding area is a part of a stop, which may be a part of a station.
    try check(
      timetable.stops.allSatisfy { stop in
        let parent = stop.parent == Timetable.none ? nil : timetable.stops[Int(stop.parent)]
        let station = parent.flatMap { $0.parent == Timetable.none ? nil : timetable.stops[Int($0.parent)] }
        return station?.parent ?? Timetable.none == Timetable.none
      }, .stops)
    try check(timetable.stops.allSatisfy { isPart($0.id) && isPart($0.name) && isPart($0.platform) }, .stops)
    try check(timetable.lines.allSatisfy { isPart($0.name) }, .lines)
    try check(timetable.timeZones.allSatisfy(isPart), .timeZones)
  }
}

extension Timetable {
  init(_ file: TimetableFile) throws {
    self.init(
      timeZones: try file.column(.timeZones), callStops: try file.column(.callStops),
      arrivals: try file.column(.arrivals),
      departures: try file.column(.departures), callFlags: try file.column(.callFlags),
      firstCalls: try file.column(.firstCalls), trips: try file.column(.trips),
      serviceFeeds: try file.column(.serviceFeeds), serviceDays: try file.column(.serviceDays),
      firstDay: try file.column(.firstDay), stops: try file.column(.stops), lines: try file.column(.lines),
      frequencies: try file.column(.frequencies), transfers: try file.column(.transfers),
      continuations: try file.column(.continuations), pathways: try file.column(.pathways),
      firstShapePoints: try file.column(.firstShapePoints), shapePoints: try file.column(.shapePoints),
      callHeadsigns: try file.column(.callHeadsigns), callSegments: try file.column(.callSegments),
      strings: try file.column(.texts),
      metresPerDegree: Coordinate.metresPerDegree)
  }
}

extension NetworkFolder {
  /// Returns the networks and timetables in a folder, as `init(_:timetable:)` finds them.
  package static func withTimetables(_ path: String) throws -> NetworkFolder {
    try NetworkFolder(path, timetable: timetable)
  }

  /// Returns the entry of a file named `NAME-KEY.timetable`; nil for other files.
  private static func timetable(_ path: String) -> Entry? {
    guard path.hasSuffix(TimetableSection.suffix) else { return nil }
    let name = (path as NSString).lastPathComponent.dropLast(TimetableSection.suffix.count)
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    guard words.count > 1, let key = words.last, key.utf8.count == 12, key.allSatisfy(\.isHexDigit) else { return nil }
    let feed = "\(words.dropLast().joined(separator: "-")).zip"
    func entry(_ use: Use) -> Entry { Entry(path: path, use: use, map: feed, profile: "transit") }
    do {
      let file = try TimetableFile(path: path, check: .header)
      // The file's name contains only the first of several feeds.
      guard try Timetable(file).timeZones.count == 1 else { return entry(.inUse("for several feeds")) }
      let zip = path.folder.isEmpty ? feed : "\(path.folder)/\(feed)"
      guard let digest = try? Digest.recorded(of: zip, in: nil).0 else { return entry(.inUse("for a feed elsewhere")) }
      return entry(
        file.wasBuilt(from: Digest.of(digest))
          ? .inUse("for the feed next to it") : .obsolete("the feed next to it has changed"))
    } catch InvalidColumnFile.version(let found, let expected) where found < expected {
      return entry(.obsolete("was written in format \(found), but this version reads \(expected)"))
    } catch {
      return entry(.unknown(POSIXError.reason(for: error)))
    }
  }
}
