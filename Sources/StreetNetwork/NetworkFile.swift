import Foundation
import Geography
import Hierarchy

/// A built network on disk, made from a map with a profile.
typealias NetworkFile = ColumnFile<NetworkSection>

/// The columns of a network file.
enum NetworkSection: UInt32, CaseIterable, ColumnSection {
  case streets = 1, points, attributes, nameBytes, nameEnds, box, counts, mapDate, countries
  case timeZone = 10, firstPart, parts, pointNodes, climbs, heights, firstSample, samples
  case firstArc = 20, arcHeads, arcWeights, arcStreets, junctions, starts, closedArcs, conditions, closedStreets
  case conditionalLimits, unreadableTags, startsThrough
  case ranks = 40, firstOutgoing, outgoing, outgoingParts, firstIncoming, incoming, incomingParts, parents
  case runs = 60, boxes, islandRuns, islandBoxes, componentSizes
  case firstEnd = 80, ends, firstManeuver, maneuvers
  case profile = 100, avoids, mapName
  case backdropRecords = 120, backdropText, backdropKinds
  case squares = 140, squareRings, squarePoints, squareCorners, squareRuns, squareBoxes

  static let format = ColumnFormat(
    magic: "ODOMETER", version: 25, name: "network", otherOrigin: "another map or profile")
}

extension StreetNetwork.Fingerprints {
  init(of file: NetworkFile) {
    self.init(
      map: file.origin.source.hexadecimal, profile: file.origin.inputs.hexadecimal,
      network: file.contentDigest.hexadecimal)
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

/// The permitted content of each column of a network. `NetworkCoherence` checks columns against one another.
extension NetworkSection {
  var rule: ColumnRule<NetworkSection> {
    switch self {
    case .streets:
      .values(
        Street.self, .any,
        [
          .init(\Street.tail, .below(.junctionCount)), .init(\Street.head, .below(.junctionCount)),
          .init(\Street.firstPoint, .ascending(upTo: .count(.points))),
          .init(\Street.attributes, .below(.count(.attributes))),
          .init(\Street.forwardMilliseconds, .arcTime), .init(\Street.backwardMilliseconds, .arcTime),
          .init(\Street.centimetres, .arcLength),
        ])
    case .points, .squarePoints: .values(FixedCoordinate.self, .any, .point(at: 0))
    case .pointNodes: .values(Int64.self, .as(.points))
    case .attributes:
      .values(
        StreetAttributes.self, .any,
        [
          .init(\StreetAttributes.name, .name), .init(\StreetAttributes.ref, .name),
          .init(\StreetAttributes.destination, .name), .init(\StreetAttributes.exit, .name),
          .init(\StreetAttributes.kind, .below(.constant(StreetKind.allCases.count))),
          .init(\StreetAttributes.roadClass, .below(.constant(RoadClass.allCases.count))),
        ])
    case .nameBytes, .profile: .values(UInt8.self)
    case .nameEnds: .values(UInt32.self, .atLeastOne, .ascending(upTo: .count(.nameBytes)))
    case .box: .values(BoundingBox.self, .exactly(.constant(1)), .point(at: 0) + .point(at: 8))
    case .counts: .values(StreetNetwork.ImportCounts.self, .exactly(.constant(1)))
    case .mapDate, .countries, .timeZone, .mapName: .values(UInt8.self, .any, .without("\0"))
    case .avoids: .values(UInt8.self, .exactly(.constant(1)))
    case .firstPart:
      .values(UInt32.self, .exactly(.count(.streets, plus: 1)), .offsets(into: .count(.parts)))
    case .parts: .values(StreetParts.Record.self)
    case .climbs: .values(Climb.self, .noneOr(.count(.streets)))
    case .heights: .values(Int32.self, .noneOr(.count(.points)))
    case .firstSample: .values(UInt32.self, .as(.climbs), .ascending(upTo: .count(.samples)))
    case .samples: .values(Int32.self)
    case .componentSizes: .values(UInt32.self, .as(.streets))

    case .firstEnd: .values(UInt32.self, .as(.junctions), .offsets(into: .count(.ends)))
    case .ends: .values(DirectedStreet.self, .exactly(.count(.streets, times: 2)), .below(.directedStreets))
    case .firstManeuver:
      .values(UInt32.self, .exactly(.junctionCount), .ascending(upTo: .count(.maneuvers)))
    case .maneuvers: .values(TurnManeuver.self, .any, .below(.constant(TurnManeuver.allCases.count)))

    case .junctions:
      .values(
        JunctionStates.self, .atLeastOne,
        [
          .init(\JunctionStates.first, .offsets(into: .stateCount)),
          .init(\JunctionStates.free, .belowOrNone(.stateCount)),
        ])
    case .firstArc: .values(UInt32.self, .atLeastOne, .offsets(into: .count(.arcHeads)))
    case .arcHeads: .values(UInt32.self, .any, .below(.stateCount))
    case .arcWeights:
      .values(Weight.self, .as(.arcHeads), [.init(at: 0, width: 4, .arcLength), .init(at: 4, width: 4, .arcTime)])
    case .arcStreets: .values(DirectedStreet.self, .as(.arcHeads), .below(.directedStreets))
    case .starts: .values(UInt32.self, .exactly(.count(.streets, times: 4)), .belowOrNone(.stateCount))
    case .startsThrough:
      .values(
        StateGraph.StartThrough.self, .any,
        [
          .init(\StateGraph.StartThrough.street, .below(.directedStreets)),
          .init(\StateGraph.StartThrough.state, .below(.stateCount)),
        ])

    case .closedArcs: .conditions(of: .count(.arcHeads))
    case .closedStreets: .conditions(of: .count(.streets, times: 2 * Int(StreetUse.count)))
    case .conditions: .values(UInt32.self, .any, .name)
    case .conditionalLimits:
      .values(
        ConditionalLimits.Entry.self, .any,
        [
          .init(\ConditionalLimits.Entry.street, .below(.directedStreets)),
          .init(\ConditionalLimits.Entry.limits, .name),
        ])
    case .unreadableTags: .values(UnreadableTag.self, .any, [.init(\UnreadableTag.tag, .name)])

    case .ranks, .parents: .values(UInt32.self, .exactly(.stateCount), .below(.stateCount))
    case .firstOutgoing: .values(UInt32.self, .as(.firstArc), .offsets(into: .count(.outgoing)))
    case .firstIncoming: .values(UInt32.self, .as(.firstArc), .offsets(into: .count(.incoming)))
    case .outgoing, .incoming: .values(UpwardArc.self, .any, [.init(\UpwardArc.head, .below(.stateCount))])
    case .outgoingParts: .values(ArcParts.self, .as(.outgoing))
    case .incomingParts: .values(ArcParts.self, .as(.incoming))

    case .runs, .islandRuns:
      .values(StreetIndex.Run.self, .any, [.init(\StreetIndex.Run.street, .below(.count(.streets)))])
    case .squareRuns:
      .values(
        StreetIndex.Run.self, .exactly(.count(.squares, plus: -1)),
        [.init(\StreetIndex.Run.segment, .below(.count(.squares, plus: -1)))])
    case .boxes, .islandBoxes, .squareBoxes: .values(BoundingBox.self)
    case .squares:
      .values(
        SquareAreas.Record.self, .atLeastOne,
        [
          .init(\SquareAreas.Record.firstRing, .offsets(into: .count(.squareRings, plus: -1))),
          .init(\SquareAreas.Record.firstCorner, .offsets(into: .count(.squareCorners))),
        ])
    case .squareRings: .values(UInt32.self, .atLeastOne, .offsets(into: .count(.squarePoints)))
    case .squareCorners:
      .values(
        SquareAreas.Corner.self, .any, .point(at: 0) + [.init(\SquareAreas.Corner.street, .below(.directedStreets))])

    case .backdropRecords:
      .values(
        Backdrop.Record.self, .any,
        [
          .init(\Backdrop.Record.end, .ascending(upTo: .count(.backdropText))),
          .init(\Backdrop.Record.layer, .below(.constant(BackdropLayer.allCases.count))),
        ])
    // The text is embedded in the script of a page.
    case .backdropText: .values(UInt8.self, .any, .without("<"))
    case .backdropKinds: .values(UInt8.self)
    }
  }

  static func checkConsistency(_ file: NetworkFile) throws { try NetworkCoherence(file).check() }
}

extension ColumnRule<NetworkSection>.Size {
  fileprivate static let junctionCount = Self.count(.junctions, plus: -1)
  fileprivate static let stateCount = Self.count(.firstArc, plus: -1)
  fileprivate static let directedStreets = Self.count(.streets, times: 2)
}

extension ColumnRule<NetworkSection>.Constraint {
  fileprivate static let name = Self.below(.count(.nameEnds))
  fileprivate static let arcTime = Self.within(0...Int(Weight.arcTimeLimit))
  fileprivate static let arcLength = Self.within(0...Int(Weight.arcLimit))
}

extension [ColumnRule<NetworkSection>.Part] {
  /// Returns the parts for a longitude and a latitude, in 1e-7 degrees.
  fileprivate static func point(at offset: Int) -> Self {
    [
      .init(at: offset, width: 4, .within(-1_800_000_000...1_800_000_000)),
      .init(at: offset + 4, width: 4, .within(-900_000_000...900_000_000)),
    ]
  }
}

extension ColumnRule<NetworkSection> {
  /// Returns the rule for conditional arcs or streets, with their conditions.
  fileprivate static func conditions(of items: Size) -> Self {
    .values(
      Conditions.Entry.self, .any,
      [.init(\Conditions.Entry.item, .below(items)), .init(\Conditions.Entry.closing, .below(.count(.conditions)))])
  }
}

/// Complete checks of network files.
extension StreetNetwork {
  /// Reads the whole network file at `path`, even if an earlier check was recorded, and records that it is intact.
  /// *Throws*: `OdometerError`.
  ///
  /// - Returns: The file name of its map, its profile, and the SHA-256 of its content.
  package static func check(
    networkFile path: String, cache: String? = nil
  ) throws -> (map: String, profile: Profile, digest: String) {
    try NetworkFile.reading(path) {
      let file = try NetworkFile(path: path, check: .wholeAndNoted(DigestNote(of: path, in: cache)))
      return (try file.text(.mapName), try file.profile(), file.contentDigest.hexadecimal)
    }
  }
}
