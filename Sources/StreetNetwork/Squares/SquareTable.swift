import Geography
import Hierarchy

/// The areas that places may lie on as a network has them, made of those of the map and the streets along and across them.
struct SquareTable {
  private(set) var areas: [SquareAreas.Record] = []
  private(set) var rings: [UInt32] = []
  private(set) var points: [FixedCoordinate] = []
  private(set) var corners: [SquareAreas.Corner] = []
  private(set) var index = StreetIndex([])

  /// Streets from which one comes to a corner, for each: enough for all directions.
  private static let mostApproaches = 8

  init(_ map: OSMImport, _ table: StreetTable) {
    guard !map.squareAreas.isEmpty else {
      finish()
      return
    }
    // The corner among those of its area; nil for another node of the outline.
    var nodes: [Int64: [(area: Int, corner: Int?)]] = [:]
    for (number, square) in map.squareAreas.enumerated() {
      let corners = Dictionary(
        square.area.corners.enumerated().map { ($1.node, $0) }, uniquingKeysWith: { first, _ in first })
      for node in square.area.nodes { nodes[map.nodeIDs[Int(node)], default: []].append((number, corners[node])) }
    }
    var approaches = map.squareAreas.map { [[DirectedStreet]](repeating: [], count: $0.area.corners.count) }
    var streets = [[UInt32]](repeating: [], count: map.squareAreas.count)
    for (index, street) in table.streets.enumerated() where !street.flags.contains(.gate) {
      let end = index + 1 < table.streets.count ? Int(table.streets[index + 1].firstPoint) : table.pointNodes.count
      let ways = table.ways[index]
      for (node, way, isReversed) in [
        (table.pointNodes[Int(street.firstPoint)], Int(ways.tail), true),
        (table.pointNodes[end - 1], Int(ways.head), false),
      ] {
        for (area, corner) in nodes[node] ?? [] {
          let isOfArea =
            map.areasOfLines[way].map { $0 == area } ?? map.squareAreas[area].ways.contains(map.ways[way].id)
          guard isOfArea else { continue }
          streets[area].append(UInt32(index))
          if let corner { approaches[area][corner].append(DirectedStreet(StreetID(index), isReversed: isReversed)) }
        }
      }
    }
    var isTaken: Set<UInt32> = []
    var named: [(street: UInt32, area: Int)] = []
    for (number, streets) in streets.enumerated() {
      // The longest line says most exactly how fast one is; the street stands for the square, so each has its own.
      func rank(_ street: UInt32) -> (Int, UInt32, UInt32) {
        let isLine = map.areasOfLines[Int(table.ways[Int(street)].tail)] != nil
        return (isLine ? 1 : 0, table.streets[Int(street)].centimetres, .max - street)
      }
      let best = streets.lazy.filter { !isTaken.contains($0) }.max { rank($0) < rank($1) }
      guard let best, table.streets[Int(best)].centimetres > 0 else { continue }
      isTaken.insert(best)
      named.append((best, number))
    }
    var runs: [(run: StreetIndex.Run, box: BoundingBox)] = []
    for (street, number) in named.sorted(by: { $0.street < $1.street }) {
      let area = map.squareAreas[number].area
      runs.append((.init(street: street, segment: UInt32(areas.count)), BoundingBox(around: area.rings.joined())))
      areas.append(.init(street: street, firstRing: UInt32(rings.count), firstCorner: UInt32(corners.count)))
      for ring in area.rings {
        rings.append(UInt32(points.count))
        points += ring
      }
      for (corner, streets) in zip(area.corners, approaches[number]) {
        let step = max(1, (streets.count + SquareTable.mostApproaches - 1) / SquareTable.mostApproaches)
        for index in stride(from: 0, to: streets.count, by: step) {
          corners.append(
            .init(point: corner.point, street: streets[index].index, isEntrance: corner.isEntrance ? 1 : 0))
        }
      }
    }
    index = StreetIndex(runs)
    finish()
  }

  private mutating func finish() {
    areas.append(.init(street: .max, firstRing: UInt32(rings.count), firstCorner: UInt32(corners.count)))
    rings.append(UInt32(points.count))
  }
}
