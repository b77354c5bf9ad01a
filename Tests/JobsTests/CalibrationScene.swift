import Calibration
import Foundation
import Geography
import Jobs
import Routing
import Settings
import StreetNetwork
import Tables
import TestMaps

/// Trips on a drawn map, and their calibration. Streets from west to east are primary roads; streets from north to
/// south are residential.
struct CalibrationScene {
  static let map = TestMap(
    """
    a-b-c-d-e
    | | | | |
    f-g-h-i-j
    | | | | |
    k-l-m-n-o
    | | | | |
    p-q-r-s-t
    """, spacing: 1500
  )
  .way("abcde", ["highway": "primary"]).way("fghij", ["highway": "primary"]).way("klmno", ["highway": "primary"])
  .way("pqrst", ["highway": "primary"])
  .way("afkp").way("bglq").way("chmr").way("dins").way("ejot")

  let network: StreetNetwork
  private let router: Router
  private(set) var rows: [String] = []
  static let header = "id,departure_time,from_lon,from_lat,to_lon,to_lat,duration\n"

  init() throws {
    network = try CalibrationScene.map.network(profile: .stock("automobile"))
    router = Router(network, Directions.Options())
  }

  /// Returns the free-flow travel time in seconds.
  func freeFlow(_ from: Character, _ to: Character) -> Double {
    let ends = [from, to].map { router.end(at: CalibrationScene.map[$0])! }
    return router.weight(from: ends[0], to: ends[1])!.seconds
  }

  /// Adds trips that cycle through pairs of letters, in one hour of a Monday. `duration` computes a trip's time from
  /// its free-flow time.
  mutating func add(
    _ count: Int, hour: Int, among pairs: [String], _ duration: (_ pair: String, _ freeFlow: Double) -> Double
  ) {
    for index in 0..<count {
      let pair = pairs[index % pairs.count]
      let (from, to) = (pair.first!, pair.last!)
      let time = "2026-11-23T\(hour < 10 ? "0" : "")\(hour):\(10 + index % 50):00"
      add(time, CalibrationScene.map[from], CalibrationScene.map[to], duration(pair, freeFlow(from, to)))
    }
  }

  mutating func add(_ time: String, _ from: Coordinate, _ to: Coordinate, _ duration: Double) {
    rows.append(
      "\(rows.count + 1),\(time),\(from.longitude),\(from.latitude),\(to.longitude),\(to.latitude),\(duration)\n")
  }

  /// All pairs of letters that are far enough apart.
  var pairs: [String] {
    let letters = "abcdefghijklmnopqrst"
    return letters.flatMap { from in letters.map { "\(from)\($0)" } }
      .filter { freeFlow($0.first!, $0.last!) > 120 }
  }

  func calibration(_ change: (inout Calibration.Options) -> Void = { _ in }) throws -> Calibration {
    try calibration(of: CalibrationScene.header + rows.joined(), change)
  }

  func calibration(
    of text: String, _ change: (inout Calibration.Options) -> Void = { _ in }
  ) throws -> Calibration {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var options = Calibration.Options()
    change(&options)
    return try Calibration(scratch.write(text, to: "trips.csv"), on: network, options)
  }
}

extension Calibration {
  /// Returns the hours of a class in the table, with their slowness.
  func slowness(_ roadClass: String) throws -> [String: Double] {
    let root = try SettingsFile(name: "traffic", bytes: Data(traffic.utf8)).root
    let hours = try root.object("classes").object(roadClass)
    return try Dictionary(
      uniqueKeysWithValues: hours.keys.map { ($0, try hours.number($0, over: 0, unit: "a slowness")) })
  }
}
