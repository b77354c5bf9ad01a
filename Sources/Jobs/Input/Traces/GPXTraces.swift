import Foundation
import Geography
import Results
import Routing

/// The traces of a GPX file (1.0 and 1.1): a segment of a track is one, `file/track/segment`.
///
/// Of a point are read its place, its time, and speed and course where they are elements of it (GPX 1.0) or of its
/// extensions. Routes and waypoints are plans, not traces: they are left out, and counted.
final class GPXTraces: TraceFileReader, XMLEvents.Handler {
  private let path: String
  private let rejections: TraceRejections
  private var clock: TraceClock
  private let check: CoordinateCheck
  private var events: XMLEvents?
  private var isAtEnd = false
  /// Segments that are read and not yet asked for.
  private var finished: [RecordedTrace] = []
  private var taken = 0

  private var root: String?
  /// The track's number in the file, and its name where it has one.
  private var track = 0
  private var trackName: String?
  private var trackNames: Set<String> = []
  private var segmentNumber = 0
  private var segment: RecordedTrace?
  private var point: Point?
  /// What stands in the innermost element.
  private var text = ""
  private var routes = 0
  private var waypoints = 0

  private struct Point {
    var latitude: String?
    var longitude: String?
    var line: Int
    /// Text of the elements that say something of a fix, by their names.
    var values: [String: String] = [:]
  }

  let hasRowsOfFixes = false
  /// The elements of a point that are read.
  private static let values: Set = ["time", "speed", "course", "accuracy"]
  /// Of texts, longer than any name or time.
  private static let longestText = 1000

  /// *Throws*: `InputError`.
  init(path: String, _ format: TraceFormat, _ rejections: TraceRejections) throws {
    (self.path, self.rejections) = (path, rejections)
    clock = TraceClock(zone: format.timeZone)
    check = CoordinateCheck(area: format.area)
    events = try XMLEvents(path: path, handler: self)
  }

  func next() throws -> RecordedTrace? {
    while taken == finished.count, !isAtEnd {
      (finished, taken) = ([], 0)
      isAtEnd = try events?.readBlock() != true
      if let root, root != "gpx" {
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

  func begin(_ element: String, attribute: (String) -> String?) {
    text = ""
    if root == nil { root = element }
    switch element {
    case "trk":
      (track, trackName, segmentNumber) = (track + 1, nil, 0)
    case "trkseg":
      segmentNumber += 1
      segment = RecordedTrace(id: .number(0), fixes: [], file: path, line: events?.line ?? 1)
    case "trkpt" where segment != nil:
      point = Point(latitude: attribute("lat"), longitude: attribute("lon"), line: events?.line ?? 1)
    case "rte": routes += 1
    case "wpt": waypoints += 1
    default: break
    }
  }

  func text(_ text: String) {
    if self.text.utf8.count < GPXTraces.longestText { self.text += text }
  }

  func end(_ element: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch element {
    case "trkpt" where point != nil:
      take(point!)
      point = nil
    case "trkseg" where segment != nil:
      segment!.id = .text("\(TraceFiles.stem(of: path))/\(nameOfTrack())/\(segmentNumber)")
      finished.append(segment!)
      segment = nil
    case "name" where point == nil && segment == nil && segmentNumber == 0:
      // Of the track itself, or of the file, which the next track forgets.
      if !text.isEmpty { trackName = text }
    case _ where GPXTraces.values.contains(element):
      if point != nil, !text.isEmpty { point!.values[element] = text }
    default: break
    }
    self.text = ""
  }

  /// The track's name, unless another track of the file has it, else its number.
  private func nameOfTrack() -> String {
    if let trackName, segmentNumber > 1 || trackNames.insert(trackName).inserted { return trackName }
    trackName = nil
    return String(track)
  }

  /// Keeps the fix that a point says, or why it says none.
  private func take(_ point: Point) {
    do throws(RowProblem) {
      let latitude = try CoordinateCheck.number(point.latitude ?? "", in: "lat")
      let longitude = try CoordinateCheck.number(point.longitude ?? "", in: "lon")
      var fix = Fix(coordinate: try check.fix(at: Coordinate(latitude: latitude, longitude: longitude)))
      if let time = point.values["time"] {
        fix.timestamp = Date(timeIntervalSince1970: try clock.seconds(time, in: "time"))
      }
      fix.speed = try measure("speed", of: point)
      fix.course = try measure("course", of: point)
      fix.horizontalAccuracy = try measure("accuracy", of: point)
      segment?.fixes.append(fix)
    } catch {
      let (latitude, longitude) = (point.latitude ?? "", point.longitude ?? "")
      let time = point.values["time"].map { "<time>\($0)</time>" } ?? ""
      rejections.append(
        RejectedRow(
          file: path, line: point.line, text: "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">\(time)",
          reason: error.reason))
    }
  }

  private func measure(_ name: String, of point: Point) throws(RowProblem) -> Double? {
    guard let text = point.values[name] else { return nil }
    return try CoordinateCheck.measure(try CoordinateCheck.number(text, in: name), in: name)
  }
}
