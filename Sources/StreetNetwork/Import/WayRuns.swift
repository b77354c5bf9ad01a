/// The runs of consecutive nodes of each way that are present in the file, with at least two different nodes per run.
/// Ways are cut at the antimeridian, whose two sides are at opposite ends of a flat map.
struct WayRuns {
  /// The nodes of all runs, run by run, without immediate repetitions.
  private(set) var nodes: [UInt32] = []
  private(set) var bounds: [Range<Int>] = []
  /// The index of each way's first run, with a final entry for the end.
  private var first: [UInt32] = [0]

  init(_ map: OSMImport) {
    // Leaves room for the nodes of zero-length pieces, which `PieceList` appends.
    nodes.reserveCapacity(map.wayNodes.count + map.wayNodes.count / 32)
    first.reserveCapacity(map.ways.count + 1)
    for way in map.ways {
      var start = nodes.count
      for node in map.wayNodes[way.nodes] {
        if map.points[Int(node)] == nil {
          endRun(from: &start)
        } else if nodes.count == start || nodes[nodes.count - 1] != node {
          if nodes.count > start, map.crossesAntimeridian(nodes[nodes.count - 1], node) { endRun(from: &start) }
          nodes.append(node)
        }
      }
      endRun(from: &start)
      first.append(UInt32(bounds.count))
    }
  }

  private mutating func endRun(from start: inout Int) {
    if nodes.count - start > 1 { bounds.append(start..<nodes.count) } else { nodes.removeSubrange(start...) }
    start = nodes.count
  }

  func bounds(ofWay way: Int) -> ArraySlice<Range<Int>> { bounds[Int(first[way])..<Int(first[way + 1])] }

  /// Returns the nodes of all runs of a way.
  func nodes(ofWay way: Int) -> some Sequence<UInt32> { bounds(ofWay: way).lazy.map { nodes[$0] }.joined() }
}
