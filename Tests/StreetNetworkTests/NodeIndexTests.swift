import Geography
import StreetNetwork
import Testing

struct NodeIndexTests {
  @Test(arguments: [[], [7], [7, 7, -7], [.min, 0, .max, -1]] as [[Int64]]) func findsFewIDs(ids: [Int64]) {
    expectAll(of: ids)
  }

  @Test(arguments: [10, 40, 63] as [Int64]) func findsManyIDsAndNoOthers(bits: Int64) {
    var random = SeededGenerator(seed: UInt64(bits))
    let most = Int64.max >> (63 - bits)
    expectAll(of: (0..<10_000).map { _ in Int64.random(in: -most...most, using: &random) })
  }

  private func expectAll(of ids: [Int64]) {
    let (index, known) = (NodeIndex(ids), Set(ids))
    #expect(index.ids == known.sorted() && index.count == known.count)
    #expect(index.ids.indices.allSatisfy { index[index.ids[$0]] == $0 })
    let others = ids.flatMap { [$0 &- 1, $0 &+ 1] } + [.min, .max, 0]
    #expect(others.allSatisfy { known.contains($0) || index[$0] == nil })
  }
}
