import Hierarchy

/// A built network on disk, made from a map with a profile.
typealias NetworkFile = ColumnFile<NetworkSection>

/// The columns of a network file.
enum NetworkSection: UInt32, CaseIterable, ColumnSection {
  case streets = 1, points, attributes, nameBytes, nameEnds, box, counts, mapDate, countries
  case timeZone = 10, firstPart, parts, pointNodes, climbs, heights
  case firstArc = 20, arcHeads, arcWeights, arcStreets, junctions, starts, closedArcs, conditions, closedStreets
  case conditionalLimits, unreadableTags, startsThrough
  case ranks = 40, firstOutgoing, outgoing, outgoingParts, firstIncoming, incoming, incomingParts, parents
  case runs = 60, boxes, islandRuns, islandBoxes, componentSizes
  case firstEnd = 80, ends, firstManeuver, maneuvers
  case profile = 100, avoids, mapName
  case backdropRecords = 120, backdropText, backdropKinds
  case squares = 140, squareRings, squarePoints, squareCorners, squareRuns, squareBoxes

  static let format = ColumnFormat(
    magic: "ODOMETER", version: 16, name: "network", otherOrigin: "another map or profile")
}

extension StreetNetwork.Fingerprints {
  init(of file: NetworkFile) {
    self.init(
      map: file.origin.from.hexadecimal, profile: file.origin.with.hexadecimal, network: file.content.hexadecimal)
  }
}

extension Hierarchy {
  init(_ file: NetworkFile) throws {
    self.init(
      ranks: try file.column(.ranks), parents: try file.column(.parents),
      outgoing: UpwardArcs(
        first: try file.column(.firstOutgoing), arcs: try file.column(.outgoing), parts: try file.column(.outgoingParts)
      ),
      incoming: UpwardArcs(
        first: try file.column(.firstIncoming), arcs: try file.column(.incoming), parts: try file.column(.incomingParts)
      ))
  }
}
