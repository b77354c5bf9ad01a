import Foundation
import Geography
import Hierarchy

/// A finished graph out of the vectors that RoutingKit keeps (`first_out`, `head`, `travel_time`, `geo_distance`,
/// `latitude`, `longitude`, four little-endian bytes a number), for measuring the engine alone.
///
/// States are numbered along a Hilbert curve. `tiles` > 1 lays so many copies side by side and above one another, joined by
/// a dozen links at every seam: a graph of the size of a country that is none, with seams where it is easily cut.
package struct GraphVectors: Sendable {
  package let name: String
  package let graph: ArcGraph
  /// The state of each node of the first tile.
  package let states: [StateID]

  /// Links at a seam, each both ways.
  private static let seamLinks = 12

  /// Reads the files whose names begin with `prefix`. *Throws*: `InputError`.
  package init(prefix: String, tiles: Int) throws {
    let first: [UInt32] = try GraphVectors.vector(prefix + "first_out")
    let heads: [UInt32] = try GraphVectors.vector(prefix + "head")
    let times: [UInt32] = try GraphVectors.vector(prefix + "travel_time")
    let lengths: [UInt32] = try GraphVectors.vector(prefix + "geo_distance")
    let latitudes: [Float] = try GraphVectors.vector(prefix + "latitude")
    let longitudes: [Float] = try GraphVectors.vector(prefix + "longitude")
    let nodeCount = latitudes.count
    guard first.count == nodeCount + 1, longitudes.count == nodeCount, Int(first[nodeCount]) == heads.count,
      times.count == heads.count, lengths.count == heads.count
    else { throw InputError(file: prefix + "first_out", problem: "the vectors belong to different graphs") }

    let points = zip(latitudes, longitudes).map {
      FixedCoordinate(Coordinate(latitude: Double($0), longitude: Double($1)))
    }
    let box = BoundingBox(around: points)
    let (width, height) = (box.maxLongitude - box.minLongitude, box.maxLatitude - box.minLatitude)
    var places: [(along: UInt32, node: Int)] = []
    let whole = BoundingBox(
      minLongitude: box.minLongitude, minLatitude: box.minLatitude,
      maxLongitude: box.minLongitude + Int32(tiles) * width, maxLatitude: box.minLatitude + Int32(tiles) * height)
    for tile in 0..<tiles * tiles {
      for (node, point) in points.enumerated() {
        let moved = FixedCoordinate(
          longitude: point.longitude + Int32(tile % tiles) * width,
          latitude: point.latitude + Int32(tile / tiles) * height)
        places.append((HilbertIndex(moved, in: whole).value, tile * nodeCount + node))
      }
    }
    places.sort { ($0.along, $0.node) < ($1.along, $1.node) }
    var states = [StateID](repeating: StateID(0), count: places.count)
    for (state, place) in places.enumerated() { states[place.node] = StateID(state) }

    var arcs: [ArcGraph.Arc] = []
    arcs.reserveCapacity(tiles * tiles * heads.count)
    for tile in 0..<tiles * tiles {
      for node in 0..<nodeCount {
        for arc in Int(first[node])..<Int(first[node + 1]) {
          // An arc of no time and no length would cost nothing at all: it gets a centimetre.
          arcs.append(
            .init(
              from: states[tile * nodeCount + node], to: states[tile * nodeCount + Int(heads[arc])],
              weight: Weight(milliseconds: times[arc], centimetres: max(1, lengths[arc] * 100))))
        }
      }
    }
    let seams = GraphVectors.seams(points, box)
    for tile in 0..<tiles * tiles {
      let (row, column) = (tile / tiles, tile % tiles)
      let joined =
        (column + 1 < tiles ? [(tile + 1, seams.across)] : []) + (row + 1 < tiles ? [(tile + tiles, seams.up)] : [])
      for (other, links) in joined {
        for (number, link) in links.enumerated() {
          let seconds = 60 + UInt32(number) * 60 / UInt32(GraphVectors.seamLinks)
          let weight = Weight(milliseconds: seconds * 1000, centimetres: seconds * 2000)
          let (a, b) = (states[tile * nodeCount + link.0], states[other * nodeCount + link.1])
          arcs += [.init(from: a, to: b, weight: weight), .init(from: b, to: a, weight: weight)]
        }
      }
    }
    graph = ArcGraph(stateCount: states.count, arcs: arcs)
    self.states = Array(states[..<nodeCount])
    let file = (prefix as NSString).lastPathComponent.trimmingCharacters(in: CharacterSet(charactersIn: "_-."))
    name = tiles == 1 ? file : "\(file) tiled \(tiles)x\(tiles)"
  }

  /// Pairs of nodes that lie on opposite borders, at a dozen heights (or widths).
  private static func seams(
    _ points: [FixedCoordinate], _ box: BoundingBox
  ) -> (across: [(Int, Int)], up: [(Int, Int)]) {
    func extreme(_ key: (FixedCoordinate) -> Int32, _ band: (FixedCoordinate) -> Int32, _ low: Int32, _ high: Int32)
      -> [(least: Int, greatest: Int)]
    {
      (0..<Int32(seamLinks)).compactMap { number in
        let size = (high - low) / Int32(seamLinks) + 1
        let inBand = points.indices.filter { (band(points[$0]) - low) / size == number }
        guard let least = inBand.min(by: { key(points[$0]) < key(points[$1]) }),
          let greatest = inBand.max(by: { key(points[$0]) < key(points[$1]) })
        else { return nil }
        return (least, greatest)
      }
    }
    let across = extreme(\.longitude, \.latitude, box.minLatitude, box.maxLatitude)
    let up = extreme(\.latitude, \.longitude, box.minLongitude, box.maxLongitude)
    return (across.map { ($0.greatest, $0.least) }, up.map { ($0.greatest, $0.least) })
  }

  /// Pairs of states with the time of the best way between them, as RoutingKit keeps them beside the graph; nil in tiles.
  package static func references(
    prefix: String, of graph: GraphVectors
  ) throws -> [(source: StateID, target: StateID, milliseconds: UInt32?)] {
    let sources: [UInt32] = try vector(prefix + "source_node")
    let targets: [UInt32] = try vector(prefix + "target_node")
    let times: [UInt32] = try vector(prefix + "query_reference_travel_time_length")
    return sources.indices.map { index in
      // RoutingKit's infinity is 2^31 - 1.
      let time = times[index] < UInt32(Int32.max) ? times[index] : nil
      return (graph.states[Int(sources[index])], graph.states[Int(targets[index])], time)
    }
  }

  private static func vector<Number: BitwiseCopyable>(_ path: String) throws -> [Number] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw InputError(file: path, problem: "the file cannot be read")
    }
    guard data.count % 4 == 0 else { throw InputError(file: path, problem: "the file is no vector of 4-byte numbers") }
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Number.self) }
    }
  }
}
