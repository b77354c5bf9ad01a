import Foundation
import Hierarchy

/// Measures a graph in RoutingKit's vector format, and checks queries against its reference answers.
func graphScenario(prefix: String) throws {
  func numbers<Number>(_ name: String) throws -> [Number] {
    try Data(contentsOf: URL(fileURLWithPath: prefix + name)).withUnsafeBytes { Array($0.bindMemory(to: Number.self)) }
  }
  func vector(_ name: String) throws -> [UInt32] { try numbers(name) }
  let weights = zip(try vector("travel_time"), try vector("geo_distance")).map {
    // At least a centimetre, so that no arc is free.
    Weight(milliseconds: $0, centimetres: max(1, $1 * 100))
  }
  let graph = ArcGraph(
    firstArc: Column(try vector("first_out")), heads: Column(try vector("head")), weights: Column(weights))
  let (latitudes, longitudes): ([Float], [Float]) = (try numbers("latitude"), try numbers("longitude"))
  // Approximate metres: only the proximity of states matters.
  let points = zip(latitudes, longitudes).map { latitude, longitude in
    SIMD2(Int32(longitude * cos(latitude * .pi / 180) * 100_000), Int32(latitude * 100_000))
  }
  var seconds: [Double] = []
  var hierarchy = Hierarchy(contracting: graph, at: points)
  for _ in 0..<5 {
    let start = ContinuousClock.now
    hierarchy = Hierarchy(contracting: graph, at: points)
    seconds.append((ContinuousClock.now - start) / .seconds(1))
  }
  print("\n\(graph.stateCount) states, \(graph.arcCount) arcs")
  row("hierarchy, seconds", fixed(median(seconds), 2), "median of 5")
  row("  upward arcs a state and direction", fixed(Double(hierarchy.arcCount) / Double(2 * graph.stateCount), 2))
  let (sources, targets) = (try vector("source_node"), try vector("target_node"))
  let expected = try vector("query_reference_travel_time_length")
  let query = PathQuery(hierarchy)
  var right = 0
  var start = ContinuousClock.now
  for index in sources.indices {
    let weight = query.weight(from: [Seed(StateID(sources[index]))], to: [Seed(StateID(targets[index]))])
    // RoutingKit's infinity is 2^31 - 1.
    if (weight?.milliseconds ?? 2_147_483_647) == expected[index] { right += 1 }
  }
  let microseconds = (ContinuousClock.now - start) / .microseconds(1) / Double(sources.count)
  row("  query, microseconds", fixed(microseconds, 1))
  row("  right answers", "\(right)", "of \(sources.count)")
  start = ContinuousClock.now
  var arcs = 0
  for index in sources.indices {
    let path = query.path(from: [Seed(StateID(sources[index]))], to: [Seed(StateID(targets[index]))])
    arcs += path?.arcs.count ?? 0
  }
  let withPath = (ContinuousClock.now - start) / .microseconds(1) / Double(sources.count)
  row("  query with path, microseconds", fixed(withPath, 1), "\(arcs / sources.count) arcs on average")
}
