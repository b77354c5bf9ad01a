import Foundation
import Geography
import Hierarchy
import Input

/// A graph in RoutingKit's vector format (`first_out`, `head`, `travel_time`, `geo_distance`, `latitude`, `longitude`,
/// four little-endian bytes per number: milliseconds, metres and degrees), for benchmarks of the engine alone.
package struct GraphVectors: Sendable {
  /// The graph's name, from the files' common prefix.
  package let name: String
  private let firstArcs: [UInt32]
  private let heads: [UInt32]
  private let weights: [Weight]
  private let points: [FixedCoordinate]

  /// The maximum number of links at a seam between tiles, each in both directions.
  private static let seamLinks = 12

  /// Reads the files whose names begin with `prefix`. *Throws*: `OdometerError`.
  package init(prefix: String) throws {
    name = (prefix as NSString).lastPathComponent.trimmingCharacters(in: CharacterSet(charactersIn: "_-."))
    firstArcs = try GraphVectors.vector(prefix + "first_out")
    heads = try GraphVectors.vector(prefix + "head")
    let times: [UInt32] = try GraphVectors.vector(prefix + "travel_time")
    let lengths: [UInt32] = try GraphVectors.vector(prefix + "geo_distance")
    let latitudes: [Float] = try GraphVectors.vector(prefix + "latitude")
    let longitudes: [Float] = try GraphVectors.vector(prefix + "longitude")
    let coordinates = zip(latitudes, longitudes).map { Coordinate(latitude: Double($0), longitude: Double($1)) }
    let arcs = heads.count
    guard latitudes.count == longitudes.count, firstArcs.count == latitudes.count + 1, firstArcs.first == 0,
      firstArcs.last == UInt32(arcs), zip(firstArcs, firstArcs.dropFirst()).allSatisfy({ $0 <= $1 }),
      heads.allSatisfy({ $0 < latitudes.count }), times.count == arcs, lengths.count == arcs
    else { throw .input(prefix + "first_out", "this vector and the others do not form a graph") }
    guard coordinates.allSatisfy(\.isValid), times.allSatisfy({ $0 <= Weight.arcTimeLimit }),
      lengths.allSatisfy({ $0 <= Weight.arcLimit / 100 })
    else { throw .input(prefix + "latitude", "a coordinate, a time or a length is out of range") }
    points = coordinates.map(FixedCoordinate.init)
    // Every arc gets a length of at least one centimetre, since an arc with neither time nor length would be free.
    weights = zip(times, lengths).map { Weight(milliseconds: $0, centimetres: max(1, $1 * 100)) }
  }

  /// Returns `tiles` x `tiles` copies of the graph in a grid, joined by up to a dozen links at every seam. The result
  /// may be as large as a country's graph, but is easier to partition: along the seams. States are numbered along a
  /// Hilbert curve; their points lie in a plane.
  package func graph(tiles: Int) -> (graph: ArcGraph, points: [SIMD2<Int32>]) {
    let (states, places) = self.states(tiles: tiles)
    let (across, up) = seams
    var arcs: [ArcGraph.Arc] = []
    arcs.reserveCapacity(tiles * tiles * heads.count)
    for tile in 0..<tiles * tiles {
      let start = tile * points.count
      for node in points.indices {
        for arc in Int(firstArcs[node])..<Int(firstArcs[node + 1]) {
          arcs.append(.init(from: states[start + node], to: states[start + Int(heads[arc])], weight: weights[arc]))
        }
      }
      let neighbours =
        (tile % tiles + 1 < tiles ? [(tile + 1, across)] : []) + (tile / tiles + 1 < tiles ? [(tile + tiles, up)] : [])
      for (neighbour, links) in neighbours {
        for (index, link) in links.enumerated() {
          let seconds = 60 + UInt32(index) * 60 / UInt32(GraphVectors.seamLinks)
          let weight = Weight(milliseconds: seconds * 1000, centimetres: seconds * 2000)
          let (a, b) = (states[start + link.from], states[neighbour * points.count + link.to])
          arcs += [.init(from: a, to: b, weight: weight), .init(from: b, to: a, weight: weight)]
        }
      }
    }
    return (ArcGraph(stateCount: states.count, arcs: arcs), places)
  }

  /// Returns the state of each node of each tile, and the position of each state.
  private func states(tiles: Int) -> (states: [StateID], points: [SIMD2<Int32>]) {
    // The side length of a tile, which is square.
    let side = 1 << 20
    let box = BoundingBox(around: points)
    func scaled(_ value: Int32, _ low: Int32, _ high: Int32, _ tile: Int) -> Int32 {
      Int32(tile * side + Int((Int64(value) - Int64(low)) * Int64(side - 1) / max(1, Int64(high) - Int64(low))))
    }
    let square = BoundingBox(
      minLongitude: 0, minLatitude: 0, maxLongitude: Int32(tiles * side), maxLatitude: Int32(tiles * side))
    let moved = (0..<tiles * tiles * points.count).map { node in
      let (tile, point) = (node / points.count, points[node % points.count])
      return SIMD2(
        scaled(point.longitude, box.minLongitude, box.maxLongitude, tile % tiles),
        scaled(point.latitude, box.minLatitude, box.maxLatitude, tile / tiles))
    }
    let order = moved.enumerated().map { node, point in
      (along: HilbertIndex(FixedCoordinate(longitude: point.x, latitude: point.y), in: square).value, node: node)
    }.sorted { ($0.along, $0.node) < ($1.along, $1.node) }
    var states = [StateID](repeating: StateID(0), count: order.count)
    for (state, point) in order.enumerated() { states[point.node] = StateID(state) }
    return (states, order.map { moved[$0.node] })
  }

  private typealias Links = [(from: Int, to: Int)]

  /// The links to the next tile to the east and to the north, between nodes at opposite borders.
  private var seams: (across: Links, up: Links) {
    let box = BoundingBox(around: points)
    return (
      links(from: \.longitude, in: \.latitude, box.minLatitude, box.maxLatitude),
      links(from: \.latitude, in: \.longitude, box.minLongitude, box.maxLongitude)
    )
  }

  /// Returns, for each of a dozen bands, the nodes with the largest and the smallest coordinate along an axis.
  private func links(
    from along: KeyPath<FixedCoordinate, Int32>, in band: KeyPath<FixedCoordinate, Int32>, _ low: Int32, _ high: Int32
  ) -> Links {
    let size = (Int64(high) - Int64(low)) / Int64(GraphVectors.seamLinks) + 1
    let bands = Dictionary(grouping: points.indices) { (Int64(points[$0][keyPath: band]) - Int64(low)) / size }
    return bands.sorted { $0.key < $1.key }.map { _, nodes in
      let sorted = nodes.sorted { (points[$0][keyPath: along], $0) < (points[$1][keyPath: along], $1) }
      return (from: sorted[sorted.count - 1], to: sorted[0])
    }
  }

  private static func vector<Number: BitwiseCopyable>(_ path: String) throws -> [Number] {
    guard let data = FileManager.default.contents(atPath: path) else { throw .input(path, "the file cannot be read") }
    guard data.count % 4 == 0 else { throw .input(path, "the file is not a vector of 4-byte numbers") }
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Number.self) }
    }
  }
}
