import Hierarchy
import OpeningHours

/// The closed arcs and streets of a network at an instant.
package struct Closure: Sendable {
  /// Whether each closing applies.
  package let key: [Bool]
  /// Closed arcs, which no path uses.
  package let arcs: ArcSet
  /// Closed streets, which no trip enters even partly: one bit per directed street and use.
  private let streets: ArcSet
  /// Whether it equals the closure without a time, which the hierarchy already excludes.
  package let isDefault: Bool

  init(_ key: [Bool], _ conditions: Conditions, arcCount: Int, streetCount: Int) {
    self.key = key
    arcs = ArcSet(conditions.arcs.lazy.filter { key[Int($0.closing)] }.map(\.item), arcCount: arcCount)
    streets = ArcSet(
      conditions.streets.lazy.filter { key[Int($0.closing)] }.map(\.item),
      arcCount: streetCount * 2 * Int(StreetUse.count))
    isDefault = key == conditions.closedWithoutDate
  }

  package func contains(_ arc: ArcID) -> Bool { arcs.contains(arc) }
  package func contains(_ street: DirectedStreet, as use: StreetUse = .any) -> Bool { contains(item: use.item(street)) }
  func contains(item: UInt32) -> Bool { streets.contains(ArcID(item)) }
}

extension StreetNetwork {
  /// Returns the closure at a time, or the closure that applies without a time; nil if nothing is closed in either
  /// case.
  package func closure(at time: LocalTime?) -> Closure? {
    guard time != nil else { return closureWithoutDate }
    return conditions.key(at: time).map { closure($0) }
  }

  /// Returns the closure for a key, which states whether each closing applies.
  package func closure(_ key: [Bool]) -> Closure {
    Closure(key, conditions, arcCount: states.arcs.arcCount, streetCount: streetCount)
  }

  /// Returns the hierarchy without closed arcs: the network's, or one customized for the closure.
  package func hierarchy(without closed: Closure?) -> Hierarchy {
    guard let closed, !closed.isDefault else { return hierarchy }
    return customizable.hierarchy(without: closed.arcs)
  }

  /// Returns the graph without closed arcs. The remaining arcs get new IDs.
  package func arcs(without closed: Closure?) -> ArcGraph {
    (closed ?? closureWithoutDate).map { states.arcs.without($0.arcs) } ?? states.arcs
  }
}
