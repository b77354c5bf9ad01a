import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork

/// What a benchmark runs on: the network of a map, or a graph alone.
package struct BenchmarkSubject: Sendable {
  package let name: String
  package let graph: ArcGraph
  package let hierarchy: Hierarchy
  /// Nil for a graph alone.
  package let network: StreetNetwork?
  /// The same points in every run, unless they are given.
  private let given: [FixedCoordinate]

  /// - Parameter points: Where trips start and end; random places near streets if empty.
  package init(_ network: StreetNetwork, name: String, points: [FixedCoordinate] = []) {
    self.name = name
    self.network = network
    graph = network.arcs(without: nil)
    hierarchy = network.hierarchy
    given = points
  }

  /// A graph alone, its states at `points` of a plane, which is contracted here.
  package init(_ graph: ArcGraph, at points: [SIMD2<Int32>], name: String) {
    self.name = name
    self.graph = graph
    network = nil
    hierarchy = Hierarchy(contracting: graph, at: points)
    given = []
  }

  /// `count` places; a second call gives others.
  func places(_ count: Int, _ random: inout SeededGenerator) -> [BenchmarkPlace] {
    guard let network else {
      return (0..<count).map { _ in .state(StateID(Int.random(in: 0..<graph.stateCount, using: &random))) }
    }
    guard given.isEmpty else {
      return (0..<count).map { _ in .point(given[Int.random(in: given.indices, using: &random)]) }
    }
    return (0..<count).map { _ in .point(network.randomPoint(using: &random)) }
  }
}

/// A place of a benchmark: not yet snapped, where there is something to snap to.
enum BenchmarkPlace: Sendable {
  case point(FixedCoordinate)
  case state(StateID)
}

extension StreetNetwork {
  /// A point up to some twenty metres from a random street.
  package func randomPoint(using random: inout SeededGenerator) -> FixedCoordinate {
    let shape = shape(of: StreetID(Int.random(in: 0..<streetCount, using: &random)))
    let point = points[Int.random(in: shape, using: &random)]
    return FixedCoordinate(
      longitude: point.longitude + .random(in: -2000...2000, using: &random),
      latitude: point.latitude + .random(in: -2000...2000, using: &random))
  }
}
