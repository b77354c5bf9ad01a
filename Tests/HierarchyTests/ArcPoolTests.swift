import Hierarchy
import TestMaps
import Testing

struct ArcPoolTests {
  private static let graph = TestGraph.grid(side: 40, seed: 7).graph

  /// The first start that 32 bits cannot tell from another: the pool of a continent goes on from there.
  @Test(arguments: [1 << 32 - 1_000, 1 << 32, 1 << 33 + 5])
  func contractsAlikeWhereThePoolStartsBeyond32Bits(firstSlot: Int) {
    let near = Hierarchy.contracting(ArcPoolTests.graph)
    let far = Hierarchy.contracting(ArcPoolTests.graph, firstSlot: firstSlot)
    #expect(near.settledStates == far.settledStates)
    #expect(near.hierarchy.ranks.elementsEqual(far.hierarchy.ranks))
    #expect(near.hierarchy.outgoing.arcs.elementsEqual(far.hierarchy.outgoing.arcs))
    #expect(near.hierarchy.incoming.parts.elementsEqual(far.hierarchy.incoming.parts))
    #expect(far.hierarchy.brokenInvariants(over: ArcPoolTests.graph).isEmpty)
  }
}
