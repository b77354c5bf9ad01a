import Geography
import Hierarchy

/// From a map and a profile to a network's columns: the way of the data, in the order it runs.
func builtNetwork(from source: OSMSource, profile: Profile, workers: Int) throws -> NetworkFile.Contents {
  var map = try OSMImport(source, profile: profile)
  let pieces = Pieces(&map)
  guard !pieces.pieces.isEmpty else {
    throw MapError(map: source.name, problem: "the map's ways have no nodes in the file; is it a whole extract?")
  }
  let streets = StreetTable(
    joinedChains(pieces.pieces, junctionCount: pieces.junctionCount), junctionCount: pieces.junctionCount,
    attributes: map.attributeRows)
  let states = StateGraph(streets.streets, junctionCount: streets.junctionCount)
  let hierarchy = Hierarchy(contracting: states.arcs, workers: workers)
  let index = StreetIndex(streets.streets, points: streets.points)

  var contents = NetworkFile.Contents()
  contents.add(.streets, streets.streets)
  contents.add(.points, streets.points)
  contents.add(.attributes, map.attributeRows)
  contents.add(.nameBytes, map.names.names.flatMap(\.utf8))
  contents.add(.nameEnds, map.names.ends)
  contents.add(.box, [BoundingBox(around: streets.points)])
  contents.add(
    .counts,
    [
      StreetNetwork.ImportCounts(
        ways: UInt32(map.ways.count), incompleteWays: UInt32(map.incompleteWays),
        tooLongStreets: UInt32(streets.tooLong))
    ])
  contents.add(.firstArc, states.arcs.firstArc)
  contents.add(.arcHeads, states.arcs.heads)
  contents.add(.arcWeights, states.arcs.weights)
  contents.add(.arcStreets, states.streets)
  contents.add(.junctions, states.junctions)
  contents.add(.ranks, hierarchy.ranks)
  contents.add(.firstOutgoing, hierarchy.outgoing.first)
  contents.add(.outgoing, hierarchy.outgoing.arcs)
  contents.add(.outgoingParts, hierarchy.outgoing.parts)
  contents.add(.firstIncoming, hierarchy.incoming.first)
  contents.add(.incoming, hierarchy.incoming.arcs)
  contents.add(.incomingParts, hierarchy.incoming.parts)
  contents.add(.runs, index.runs)
  contents.add(.boxes, index.boxes)
  return contents
}

extension NameTable {
  /// The end of each name among the bytes of all.
  var ends: [UInt32] {
    var end: UInt32 = 0
    return names.map { name in
      end += UInt32(name.utf8.count)
      return end
    }
  }
}
