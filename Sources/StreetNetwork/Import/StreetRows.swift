import Geography
import Hierarchy

/// Streets made of some chains, one after the other: a share of a `StreetTable`, by one thread.
struct StreetRows: Sendable {
  /// As the table has them, the first point of each street counted from the share's.
  private(set) var streets: [Street] = []
  private(set) var points: [FixedCoordinate] = []
  private(set) var pointNodes: [Int64] = []
  private(set) var delays: [(head: UInt32, tail: UInt32)] = []
  private(set) var ways: [(tail: UInt32, head: UInt32)] = []
  private(set) var hours: [PieceTimes] = []
  private(set) var parts: StreetParts.Builder
  private(set) var climbs: [Climb] = []
  private(set) var tooLong = 0

  /// - Parameters:
  ///   - junctions: The index of each junction, by its index among the pieces'.
  ///   - slopes: Along nodes, and the parts that they are of; nil where the ground is not known.
  init(
    _ order: ArraySlice<UInt32>, of chains: Chains, _ junctions: [UInt32], _ map: OSMImport,
    slopes: (([UInt32], [PiecePart]) throws -> Terrain.Slopes)?
  ) rethrows {
    parts = StreetParts.Builder(streetCount: order.count)
    streets.reserveCapacity(order.count + 1)
    delays.reserveCapacity(order.count)
    ways.reserveCapacity(order.count)
    hours.reserveCapacity(order.count)
    let share = order.count == chains.count ? chains.nodeCount : 0
    points.reserveCapacity(share)
    pointNodes.reserveCapacity(share)
    let (positions, nodeIDs) = (map.points, map.nodeIDs)
    var (nodes, pieceParts, shape): ([UInt32], [PiecePart], [FixedCoordinate]) = ([], [], [])
    for chain in order.lazy.map({ Int($0) }) {
      let piece = chains.whole(chain)
      chains.get(chain, &nodes, &pieceParts)
      shape.removeAll(keepingCapacity: true)
      for node in nodes { shape.append(positions[Int(node)]!) }
      // A gate has no length, but every arc takes a millisecond at least: what takes none has no hours.
      let isGate = piece.flags.contains(.gate)
      let metres = isGate ? 0 : shape[...].length
      let slope = isGate ? nil : try slopes?(nodes, pieceParts)
      // Who pushes a bicycle is as fast anywhere.
      let ahead = piece.flags.contains(.pushedForward) ? 1 : slope?.forward ?? 1
      let back = piece.flags.contains(.pushedBackward) ? 1 : slope?.backward ?? 1
      let forward = StreetRows.milliseconds(metres * ahead, piece.forwardSpeed, piece.forwardWait)
      let backward = StreetRows.milliseconds(metres * back, piece.backwardSpeed, piece.backwardWait)
      guard metres * 100 < Double(Weight.arcLimit), max(forward, backward) < StreetRows.longest else {
        tooLong += 1
        continue
      }
      streets.append(
        Street(
          tail: junctions[Int(piece.tail)], head: junctions[Int(piece.head)], firstPoint: UInt32(points.count),
          attributes: piece.attributes, forwardMilliseconds: UInt32(forward), backwardMilliseconds: UInt32(backward),
          centimetres: UInt32((metres * 100).rounded()),
          tailHeading: piece.heading ?? StreetTable.heading(ofDegrees: shape[...].initialHeading),
          headHeading: piece.heading ?? StreetTable.heading(ofDegrees: shape[...].reversedHeading) &+ 0x8000,
          tailEnd: 0, headEnd: 0, flags: piece.flags))
      points += shape
      for node in nodes { pointNodes.append(nodeIDs[Int(node)]) }
      if slopes != nil { climbs.append(slope?.climb ?? Climb()) }
      delays.append((piece.headDelay, piece.tailDelay))
      let ends = chains.ends(of: chain)
      ways.append((ends.first.way, ends.last.way))
      parts.append(isGate ? [] : pieceParts, of: map)
      hours.append(piece.times)
    }
  }

  /// Milliseconds: a passage of a week with boarding, and as much left for turns as all delays of a profile take.
  private static let longest = Double(Weight.arcTimeLimit) * 2 / 3

  /// What a length takes, and waiting besides; 0 where it is not used so.
  private static func milliseconds(_ metres: Double, _ speed: Double, _ wait: UInt32) -> Double {
    speed > 0 ? max(1, (metres / speed * 1000).rounded() + Double(wait)) : 0
  }

  /// Appends a share that follows.
  mutating func append(_ other: StreetRows) {
    for var street in other.streets {
      street.firstPoint += UInt32(points.count)
      streets.append(street)
    }
    points += other.points
    pointNodes += other.pointNodes
    delays += other.delays
    ways += other.ways
    hours += other.hours
    parts.append(other.parts)
    climbs += other.climbs
    tooLong += other.tooLong
  }
}
