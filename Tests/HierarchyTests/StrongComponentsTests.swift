import Hierarchy
import TestMaps
import Testing

struct StrongComponentsTests {
  @Test func separatesARingFromItsTail() {
    let components = StrongComponents(TestGraph("a>b 1, b>c 1, c>a 1, c>d 1").graph)
    #expect(Set(components.ofState[..<3]).count == 1)
    #expect(components.ofState[3] != components.ofState[0])
    #expect(components.sizes.sorted() == [1, 3])
  }

  @Test func agreesWithReachabilityOnRandomGraphs() {
    for seed in 1...300 as ClosedRange<UInt64> {
      let test = TestGraph.random(seed: seed)
      let oracle = Dijkstra(test.graph)
      let reach = (0..<test.stateCount).map { oracle.weights(from: [Seed(StateID($0))]).map(\.isFinite) }
      let components = StrongComponents(test.graph)
      for a in 0..<test.stateCount {
        for b in 0..<test.stateCount {
          #expect(
            (components.ofState[a] == components.ofState[b]) == (reach[a][b] && reach[b][a]), "seed \(seed): \(test)")
        }
        #expect(
          components.sizes[Int(components.ofState[a])] == components.ofState.count { $0 == components.ofState[a] })
      }
    }
  }
}
