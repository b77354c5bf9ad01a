import Foundation
import Geography
import Routing
import Tables

/// The traces of a GPX file (1.0 and 1.1): a segment of a track is one, `file/track/segment`.
///
/// Of a point are read its place, its time, and speed and course where they are elements of it (GPX 1.0) or of its
/// extensions. Routes and waypoints are plans, not traces: they are left out, and counted.
final class GPXTraces: TraceFileReader, XMLEvents.Handler {
  private let path: String
  private let rejections: TraceRejections
  let clock: TraceClock
  private let check: CoordinateCheck
  private var events: XMLEvents?
  private var isAtEnd = false
  /// Segments that are read and not yet asked for.
  private var finished: [RecordedTrace] = []
  private var taken = 0

  /// The track's number in the file, and its name where it has one.
  private var track = 0
  private var trackName: String?
  private var trackNames: Set<String> = []
  private var segmentNumber = 0
  private var segment: RecordedTrace?
  private var point: Point?
  private var routes = 0
  private var waypoints = 0

  /// A point that is being read.
  private struct Point {
    var fix: Fix
    /// What is wrong first: where, in which element, and why.
    var problem: (line: Int, text: String, problem: RowProblem)?
  }

  /// The elements that are read.
  private enum Element: String, CaseIterable { case trkpt, time, speed, course, accuracy, trkseg, trk, name, rte, wpt }
  private static let elements = Element.allCases

  let hasRowsOfFixes = false

  /// *Throws*: `InputError`.
  init(path: String, _ format: TraceFormat, _ rejections: TraceRejections) throws {
    (self.path, self.rejections) = (path, rejections)
    clock = TraceClock(format.clock)
    check = CoordinateCheck(area: format.area)
    events = try XMLEvents(path: path, names: GPXTraces.elements.map(\.rawValue), handler: self)
  }

  func next() throws -> RecordedTrace? {
    while taken == finished.count, !isAtEnd {
      (finished, taken) = ([], 0)
      isAtEnd = try events?.readBlock() != true
      if let root = events?.root, root != "gpx" {
        throw InputError(file: path, problem: "got XML of <\(root)>, expected <gpx>")
      }
    }
    guard taken < finished.count else { return nil }
    defer { taken += 1 }
    return finished[taken]
  }

  var leftOut: String? {
    let parts = [(routes, "route"), (waypoints, "waypoint")].filter { $0.0 > 0 }
    return parts.isEmpty ? nil : parts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  func begin(_ element: Int, _ attributes: XMLAttributes) {
    switch GPXTraces.elements[element] {
    case .trkpt:
      if segment != nil { point = begun(attributes) }
    case .trkseg:
      segmentNumber += 1
      segment = RecordedTrace(id: .number(0), fixes: [], file: path, line: events?.line ?? 1)
    case .trk: (track, trackName, segmentNumber) = (track + 1, nil, 0)
    case .rte: routes += 1
    case .wpt: waypoints += 1
    case .time, .speed, .course, .accuracy, .name: break
    }
  }

  func end(_ element: Int, _ text: RowField) {
    let element = GPXTraces.elements[element]
    switch element {
    case .trkpt:
      if let point { take(point) }
      point = nil
    case .trkseg:
      guard var finished = segment else { return }
      finished.id = .text("\(TraceFiles.stem(of: path))/\(nameOfTrack())/\(segmentNumber)")
      self.finished.append(finished)
      segment = nil
    case .name:
      // Of the track itself, or of the file, which the next track forgets.
      if point == nil, segment == nil, segmentNumber == 0, !text.isEmpty { trackName = text.text }
    case .time, .speed, .course, .accuracy:
      if !text.isEmpty { read(element, text) }
    case .trk, .rte, .wpt: break
    }
  }

  /// The track's name, unless another track of the file has it, else its number.
  private func nameOfTrack() -> String {
    if let trackName, segmentNumber > 1 || trackNames.insert(trackName).inserted { return trackName }
    trackName = nil
    return String(track)
  }

  private func begun(_ attributes: XMLAttributes) -> Point {
    let (latitude, longitude) = (attributes["lat"], attributes["lon"])
    do throws(RowProblem) {
      let point = Coordinate(latitude: try latitude.number(in: "lat"), longitude: try longitude.number(in: "lon"))
      return Point(fix: Fix(coordinate: try check.fix(at: point)))
    } catch {
      let text = "<trkpt lat=\"\(latitude.text)\" lon=\"\(longitude.text)\">"
      return Point(
        fix: Fix(coordinate: Coordinate(latitude: 0, longitude: 0)), problem: (events?.line ?? 1, text, error))
    }
  }

  /// Takes what an element of a point says.
  private func read(_ element: Element, _ text: RowField) {
    guard point != nil, point?.problem == nil else { return }
    do throws(RowProblem) {
      switch element {
      case .time: point!.fix.timestamp = Date(timeIntervalSince1970: try clock.seconds(text.bytes, in: "time"))
      case .speed: point!.fix.speed = try text.measure(in: "speed")
      case .course: point!.fix.course = try text.measure(in: "course")
      default: point!.fix.horizontalAccuracy = try text.measure(in: "accuracy")
      }
    } catch {
      point!.problem = (events?.line ?? 1, "<\(element.rawValue)>\(text.text)</\(element.rawValue)>", error)
    }
  }

  /// Keeps the fix that a point says, or why it says none.
  private func take(_ point: Point) {
    guard let (line, text, problem) = point.problem else {
      segment?.fixes.append(point.fix)
      return
    }
    rejections.append(RejectedRow(file: path, line: line, text: text, reason: problem.reason))
  }
}
