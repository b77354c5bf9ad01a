import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Random maps with overlapping ways: their results equal those of maps without overlapping ways, or with the ways in a
/// different order.
struct RandomTwinTests {
  /// On foot, it does not matter how many times a street is drawn.
  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func streetsDrawnTwiceEqualStreetsDrawnOnce(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 5000)
    let scene = Scene(&random) { _, tags in tags }
    try scene.expectEqual(scene.map(scene.ways), scene.map(scene.ways + scene.twins), .walking, &random, "\(seed)")
  }

  /// It does not matter to which of the twins a place is snapped.
  @Test(arguments: 1...60 as ClosedRange<UInt64>, TransportType.allCases)
  func resultsDoNotDependOnTheOrderOfWays(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed &+ 6000)
    let scene = Scene(&random) { random, _ in Scene.tags.randomElement(using: &random)! }
    try scene.expectEqual(
      scene.map(scene.ways + scene.twins), scene.map(scene.twins.reversed() + scene.ways), type, &random, "\(seed)")
  }

  private struct Scene {
    typealias Way = (letters: String, tags: [String: String])
    private(set) var ways: [Way] = []
    private(set) var twins: [Way] = []
    private var nodes: [(Character, [String: String])] = []

    static let tags: [[String: String]] = [
      [:], [:], ["oneway": "yes"], ["highway": "primary"], ["highway": "footway"], ["access": "private"],
    ]

    /// - Parameter tags: A function that returns the tags of a twin, given those of its way.
    init(
      _ random: inout SeededGenerator, tags: (inout SeededGenerator, [String: String]) -> [String: String]
    ) {
      for row in 0..<5 {
        for letters in [Scene.letters(row * 5..<row * 5 + 5), Scene.letters(stride(from: row, to: 25, by: 5))] {
          ways.append((letters, Scene.tags.randomElement(using: &random)!))
        }
      }
      for letter in Scene.letters(0..<25) where Int.random(in: 0..<12, using: &random) == 0 {
        let kinds = [["barrier": "gate", "access": "private"], ["barrier": "wall"], ["highway": "traffic_signals"]]
        nodes.append((letter, kinds.randomElement(using: &random)!))
      }
      // Draws parts of ways again, in either direction.
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let (letters, known) = ways.randomElement(using: &random)!
        let (first, length) = (Int.random(in: 0...2, using: &random), Int.random(in: 2...3, using: &random))
        let part = letters.dropFirst(first).prefix(length)
        let isReversed = known["oneway"] == nil && Bool.random(using: &random)
        twins.append((isReversed ? String(part.reversed()) : String(part), tags(&random, known)))
      }
    }

    private static func letters(_ indices: some Sequence<Int>) -> String {
      String(indices.map { Array("abcdefghijklmnopqrstuvwxy")[$0] })
    }

    func map(_ ways: [Way]) -> TestMap {
      let grid = (0..<5).map { Scene.letters($0 * 5..<$0 * 5 + 5).map(String.init).joined(separator: " ") }
      let drawn = TestMap(grid.joined(separator: "\n"))
      return nodes.reduce(ways.reduce(drawn) { $0.way($1.letters, $1.tags) }) { $0.node($1.0, $1.1) }
    }

    func expectEqual(
      _ first: TestMap, _ second: TestMap, _ type: TransportType, _ random: inout SeededGenerator, _ name: String
    ) throws {
      let routers = try [first, second].map { map in
        Router(try map.network(profile: .stock(type.rawValue)), Directions.Options())
      }
      for _ in 0..<40 {
        let pairs = routers.map { [random] router in
          var random = random
          return RandomStateTests.ends(2, router, &random)
        }
        _ = RandomStateTests.ends(2, routers[0], &random)
        let weights = zip(routers, pairs).map { RandomStateTests.weight($1[0], $1[1], $0) }
        #expect(
          Scene.isEqual(weights[0], weights[1]),
          "seed \(name), \(type): \(weights), \(pairs)\n\(first.opl)\n\(second.opl)")
      }
    }

    /// Returns whether weights are equal, except for the rounding of a point on a street that is drawn in reverse.
    private static func isEqual(_ a: Weight?, _ b: Weight?) -> Bool {
      guard let a, let b else { return a == nil && b == nil }
      return abs(Int(a.centimetres) - Int(b.centimetres)) <= 4 && abs(Int(a.milliseconds) - Int(b.milliseconds)) <= 30
    }
  }
}
