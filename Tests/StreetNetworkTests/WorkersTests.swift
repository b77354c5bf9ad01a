import StreetNetwork
import TestMaps
import Testing

/// A network does not depend on the number of threads used to build it.
struct WorkersTests {
  @Test(arguments: Profile.stockNames) func networksAreTheSameForAnyNumberOfWorkers(type: String) throws {
    let map = WorkersTests.town(side: 24)
    let one = try network(of: map, type, workers: 1)
    #expect(one.streetCount > 1000)
    for workers in [2, 3, 7] {
      #expect(try network(of: map, type, workers: workers).fingerprints == one.fingerprints, "\(workers) workers")
    }
  }

  @Test func smallNetworksAreTheSameForMoreWorkersThanStreets() throws {
    let map = TestMap("a-b\n| |\nd-c").way("ab").way("bcda", ["highway": "footway"])
    let one = try map.network()
    for workers in [2, 7] { #expect(try map.network(workers: workers).fingerprints == one.fingerprints) }
  }

  private func network(of opl: String, _ type: String, workers: Int) throws -> StreetNetwork {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try StreetNetwork(.opl(opl), profile: .stock(type), at: scratch.path("map.network"), workers: workers)
  }

  /// Returns a grid of streets with paths along them, in which every fifth block is a square, and half of the nodes
  /// have negative IDs; one node is missing, and some turns are forbidden.
  private static func town(side: Int) -> String {
    var (nodes, ways, relations): ([String], [String], [String]) = ([], [], [])
    func node(_ row: Int, _ column: Int) -> Int { (row % 2 == 0 ? 1 : -1) * (row * side + column + 1) * 7 }
    func path(_ row: Int, _ column: Int) -> Int { 1_000_000_000_000 + row * side + column }
    func way(_ tags: String, _ nodes: [Int]) {
      ways.append("w\(ways.count + 1) T\(tags) N\(nodes.map { "n\($0)" }.joined(separator: ","))")
    }
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = (Double(column) * 0.001 - 8.6, Double(row * row % 7) * 0.000_03 + Double(row) * 0.001 + 41.1)
        if (row, column) != (3, 5) { nodes.append("n\(node(row, column)) x\(x) y\(y)") }
        nodes.append("n\(path(row, column)) x\(x) y\(y + 0.000_08)")
      }
    }
    for index in 0..<side {
      for start in stride(from: 0, to: side - 1, by: 3) {
        let part = start...min(start + 3, side - 1)
        way("highway=residential,name=Row%20%\(index),cycleway=separate", part.map { node(index, $0) })
        way("highway=tertiary,ref=N%20%\(index),oneway=\(index % 2 == 0 ? "yes" : "no")", part.map { node($0, index) })
        way("highway=\(index % 2 == 0 ? "footway,footway=sidewalk" : "cycleway")", part.map { path(index, $0) })
      }
      way("highway=footway", [path(index, 0), node(index, 0)])
    }
    for block in stride(from: 0, to: (side - 1) * (side - 1), by: 5) {
      let (row, column) = (block / (side - 1), block % (side - 1))
      let corners = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map { node(row + $0.0, column + $0.1) }
      way("highway=pedestrian,area=yes", corners)
    }
    for index in 1..<side - 1 {
      relations.append(
        "r\(index) Ttype=restriction,restriction=no_left_turn Mw\(index * 3 + 1)@from,n\(node(0, index))@via,w\(index)@to"
      )
    }
    return (nodes + ways + relations).joined(separator: "\n") + "\n"
  }
}
