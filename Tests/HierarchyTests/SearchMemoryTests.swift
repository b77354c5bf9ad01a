import Hierarchy
import TestMaps
import Testing

/// The memory of searches that reach few states.
struct SearchMemoryTests {
  @Test func unreachedStatesHaveTheInitialLabel() {
    let labels = PagedLabels<UInt64>(stateCount: 1000, 7)
    defer { labels.deallocate() }
    for state: UInt32 in [999, 17, 16] { labels.writable(state).pointee = UInt64(state) }
    #expect([0, 15, 16, 17, 18, 998, 999].map { labels[$0] } == [7, 7, 16, 17, 7, 7, 999])
    labels.removeAll()
    #expect((0..<1000).allSatisfy { labels[$0] == 7 })
    labels.writable(18).pointee = 1
    #expect([16, 17, 18].map { labels[$0] } == [7, 7, 1])
  }

  @Test func labelsTakeMemoryForReachedStatesOnly() {
    let labels = PagedLabels<UInt64>(stateCount: 100_000, 7)
    defer { labels.deallocate() }
    for state: UInt32 in 0..<100 { labels.writable(state).pointee = 1 }
    #expect((800...60_000).contains(labels.memory))
    for state: UInt32 in 0..<100_000 { labels.writable(state).pointee = 1 }
    #expect(labels.memory == PagedLabels<UInt64>.memory(stateCount: 100_000) && labels.memory > 800_000)
  }

  @Test func queriesThatShareMemoryAgree() {
    let hierarchies = ["a-b 9,b-c 9,a-d 4,d-c 4", "a-b 1,b-c 1,a-d 4,d-c 4"].map {
      Hierarchy(contracting: TestGraph($0).graph)
    }
    let query = PathQuery(hierarchies[0])
    let queries = [query, PathQuery(hierarchies[1], sharing: query)]
    for (from, to) in ["ac", "db", "ca", "ad"].map({ (TestGraph.state($0.first!), TestGraph.state($0.last!)) }) {
      for (query, hierarchy) in zip(queries, hierarchies) {
        #expect(query.path(from: from, to: to) == PathQuery(hierarchy).path(from: from, to: to))
      }
    }
  }
}
