import Foundation
import Geography
import Hierarchy
import Input
import Jobs
import OpeningHours
import StreetNetwork
import Transit
import TransitNetwork

/// A benchmark of the sweep from every stop of a feed to all stops, for comparison with other programs: three
/// percentiles of 60 departures from 7:00 on the date with the most trips.
///
/// Riders start at a stop. Between rides and at the end, they stay at the stop or walk in a straight line to another
/// stop within 400 m. Walking times are whole seconds, and there is no boarding slack.
package struct TransitBenchmark {
  private let timetable: Timetable
  private let graph: TransitGraph
  private let day: CalendarDay
  /// The stops with service.
  private let stops: [Int]
  private let walks: [[StopWalks.Walk]]
  private let access: StopWalks
  private let destinations: TransitDestinations
  private static let percentiles = [25, 50, 75]
  /// In milliseconds since midnight.
  private static let departures = (0..<60).map { (7 * 3600 + $0 * 60) * 1000 }
  /// In milliseconds.
  private static let limit = 180 * 60_000
  private static let (maximumMetres, metresPerSecond) = (400.0, 1.25)

  /// - Parameter cache: The folder for the timetable file; the feed's folder if nil.
  /// - Throws: `OdometerError`, for example for an invalid feed.
  package init(of path: String, cache: String?) throws {
    let feeds = try FeedTimetable([path], cache: cache)
    let timetable = feeds.timetable
    let calendar = FeedCalendar.all(of: timetable, feeds: 1)[0]
    let busiest = calendar.trips.max() ?? 0
    day = CalendarDay(number: calendar.firstDay + (calendar.trips.firstIndex(of: busiest) ?? 0))
    guard let clock = LocalClock(timeZone: timetable.text(timetable.timeZones[0])) else {
      throw .input(path, "its agency_timezone is not a time zone")
    }
    let service = try ServiceCalendar(feeds, on: day, clock: clock, isNamed: false)
    let window = TransitWindow(
      departures: TransitBenchmark.departures, limit: TransitBenchmark.limit, boardingSlack: 0, days: service.days)
    let stops = Set(timetable.callStops.map { Int($0) }).sorted()
    let walks = TransitBenchmark.walks(timetable, stops)
    graph = TransitGraph(timetable, window, walks: StopWalks(walks))
    func zeroWalk(to stop: Int) -> StopWalks.Walk { .init(stop: UInt32(stop), milliseconds: 0) }
    access = StopWalks(stops.map { [zeroWalk(to: $0)] })
    // Walks are the same in both directions.
    destinations = TransitDestinations(
      graph, walks: StopWalks(stops.map { [zeroWalk(to: $0)] + walks[$0] }), workers: 1)
    (self.timetable, self.stops, self.walks) = (timetable, stops, walks)
  }

  private static func walks(_ timetable: Timetable, _ stops: [Int]) -> [[StopWalks.Walk]] {
    let points = timetable.stops.map { FixedCoordinate(longitude: $0.longitude, latitude: $0.latitude) }
    var walks = [[StopWalks.Walk]](repeating: [], count: timetable.stops.count)
    for from in stops {
      for to in stops where to != from {
        let metres = points[from].distance(to: points[to])
        guard metres <= maximumMetres else { continue }
        let seconds = (metres / metresPerSecond).rounded(.up)
        walks[from].append(.init(stop: UInt32(to), milliseconds: UInt32(seconds) * 1000))
      }
    }
    return walks
  }

  package var summary: String {
    "\(stops.count) stops, \(graph.nodeCount) nodes, \(graph.arcCount) arcs, \(walks.reduce(0) { $0 + $1.count }) walks; "
      + "\(day.text), 60 departures from 7:00"
  }

  /// Computes all cells `repetitions` times after one warm-up run. `cells`, if not nil, receives the cells of the last
  /// run: for each stop and percentile, a row of times in seconds to all stops, `UInt32.max` for unreachable ones.
  package func run(repetitions: Int, cells: inout [UInt32]?) throws -> BenchmarkResult {
    let sweep = TransitSweep(graph)
    let (block, onFoot) = (
      MatrixBlock(columns: stops.count, hasLengths: false), MatrixBlock(columns: stops.count, hasLengths: false)
    )
    let network = PercentileNetwork(count: TransitBenchmark.departures.count, percentiles: TransitBenchmark.percentiles)
    let note =
      "times from an origin to all stops, three percentiles of 60 departures; excludes building the timetable graph"
    var kept = cells
    let result = try BenchmarkResult(
      "stops to stops", stops.count * stops.count * TransitBenchmark.percentiles.count, "cells",
      repetitions: repetitions, warmUp: 1, note: note
    ) {
      var sum: UInt64 = 0
      kept?.removeAll(keepingCapacity: true)
      for origins in stops.indices.batches(of: TransitSweep.lanes) {
        sweep.run(origins, of: access)
        onFoot.reset(0..<origins.count)
        for (row, origin) in origins.enumerated() {
          for column in stops.indices {
            onFoot.set(
              row: row, column: column, to: column == origin ? Weight(milliseconds: 0, centimetres: 0) : .infinity)
          }
        }
        sweep.fill(block, to: destinations, walking: onFoot, percentiles: network)
        for row in 0..<block.rows.count {
          for time in block.times(row: row) {
            sum = sum &* 31 &+ UInt64(time)
            kept?.append(time == MatrixBlock.unreachable ? .max : time / 1000)
          }
        }
      }
      return sum
    }
    cells = kept
    return result
  }

  /// Writes the input for another program: `stops.csv`, in the order of the cells; `walks.tsv`; `facts.json`; and the
  /// cells, `cells.u32`. *Throws*: write errors.
  package func write(_ cells: [UInt32], to folder: String) throws {
    try FileManager.makeFolder(folder)
    func write(_ name: String, _ data: Data) throws { try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    func id(_ stop: Int) -> String { timetable.text(timetable.stops[stop].id) }
    try write("stops.csv", Data(stops.map { "\(id($0))\n" }.joined().utf8))
    let lines = stops.flatMap { from in
      walks[from].map { "\(id(from))\t\(id(Int($0.stop)))\t\($0.milliseconds / 1000)\n" }
    }
    try write("walks.tsv", Data(lines.joined().utf8))
    let facts: [String: Any] = [
      "date": day.text, "percentiles": TransitBenchmark.percentiles, "limit": TransitBenchmark.limit / 1000,
      "departures": TransitBenchmark.departures.count,
    ]
    try write("facts.json", try JSONSerialization.data(withJSONObject: facts, options: [.sortedKeys]))
    try write("cells.u32", cells.withUnsafeBytes { Data($0) })
  }
}
