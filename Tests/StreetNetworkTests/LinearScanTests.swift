import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// The results of a search with boxes, bounds and vectors equal those of a scan of all segments, to the last bit.
struct LinearScanTests {
  static let tags = ["", "", ",tunnel=yes", ",access=private", ",route=ferry"]

  @Test(arguments: [1, 2, 5, 40, 300], 1...8 as ClosedRange<UInt64>)
  func agreesWithAScan(ways: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let network = try RandomStreets(tags: LinearScanTests.tags, ways: ways, &random).network
    let search = StreetSearch(network)
    for _ in 0..<(ways == 300 ? 15 : 60) {
      let (place, limit) = (RandomStreets.place(network, &random), [50, 1000, 1e7].randomElement(using: &random)!)
      let snap = search.snap(place, limit: limit)
      let found = LinearScan.snap(place, limit: limit, network)
      #expect(snap?.street == found?.street && snap?.segment == found?.segment && snap?.point == found?.point)
    }
  }

  /// The previous place only provides a bound.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func resultsDoNotDependOnThePreviousSearch(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 100)
    let network = try RandomStreets(tags: LinearScanTests.tags, ways: 100, &random).network
    let places = (0..<300).map { _ in RandomStreets.place(network, &random) } + [Coordinate(latitude: 91, longitude: 0)]
    let alone = places.map { Router(network, Directions.Options()).end(at: $0) }
    #expect(Router(network, Directions.Options()).ends(at: places) == alone)
    #expect(alone.contains { $0 != nil } && alone.contains(nil))
  }
}

/// Ways of up to thirty nodes across a town; some are drawn twice.
struct RandomStreets {
  let network: StreetNetwork

  init(tags: [String], ways: Int, _ random: inout SeededGenerator) throws {
    var opl = ""
    for node in 1...400 {
      let x = Double.random(in: 24.9...25, using: &random)
      opl += "n\(node) v1 T x\(x) y\(Double.random(in: 60.1...60.15, using: &random))\n"
    }
    for way in 1...ways {
      let nodes = (0..<Int.random(in: 2...30, using: &random)).map { _ in "n\(Int.random(in: 1...400, using: &random))"
      }
      let line = "v1 Thighway=footway\(tags.randomElement(using: &random)!) N\(nodes.joined(separator: ","))\n"
      opl += "w\(way) \(line)"
      if tags.count > 1, way % 5 == 0 { opl += "w\(way + 1000) \(line)" }
    }
    let scratch = try Scratch()
    defer { scratch.remove() }
    network = try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
  }

  static func place(_ random: inout SeededGenerator) -> Coordinate {
    Coordinate(
      latitude: .random(in: 60.08...60.17, using: &random), longitude: .random(in: 24.85...25.05, using: &random))
  }

  /// Returns a place anywhere, at a point of a street, or next to one.
  static func place(_ network: StreetNetwork, _ random: inout SeededGenerator) -> Coordinate {
    guard let point = network.points.randomElement(using: &random), Bool.random(using: &random) else {
      return place(&random)
    }
    let by = Int32.random(in: 0...2, using: &random)
    return FixedCoordinate(longitude: point.longitude + by, latitude: point.latitude - by).coordinate
  }
}
