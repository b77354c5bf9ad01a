/// Rings of nodes, joined from ways end to end.
struct Rings {
  /// Each node once, the first is not repeated at the end.
  private(set) var rings: [[UInt32]] = []
  /// Whether some ways are left over, or have no nodes.
  private(set) var isOpen = false

  init(joining ways: [[UInt32]]) {
    isOpen = ways.contains { $0.count < 2 }
    var open: [UInt32: [Int]] = [:]
    for (index, way) in ways.enumerated() where way.count > 1 && way.first != way.last {
      for end in [way[0], way[way.count - 1]] { open[end, default: []].append(index) }
    }
    var isUsed = [Bool](repeating: false, count: ways.count)
    for (index, way) in ways.enumerated() where way.count > 1 && !isUsed[index] {
      isUsed[index] = true
      var nodes = way
      while nodes[0] != nodes[nodes.count - 1], let end = nodes.last {
        guard let next = open[end]?.first(where: { !isUsed[$0] }) else { break }
        isUsed[next] = true
        nodes.append(contentsOf: ways[next][0] == end ? ways[next].dropFirst() : ways[next].reversed().dropFirst())
      }
      if nodes[0] == nodes[nodes.count - 1] { split(nodes) } else { isOpen = true }
    }
  }

  /// Where a closed run of nodes touches itself, it is several rings.
  private mutating func split(_ nodes: [UInt32]) {
    var run: [UInt32] = []
    var positions: [UInt32: Int] = [:]
    for node in nodes {
      if let start = positions[node] {
        if run.count - start > 2 { rings.append(Array(run[start...])) }
        for left in run[(start + 1)...] { positions[left] = nil }
        run.removeSubrange((start + 1)...)
      } else {
        positions[node] = run.count
        run.append(node)
      }
    }
  }
}
