import OpeningHours
import Hierarchy

/// What of a network is closed at a moment.
package struct Closure: Sendable {
  /// Which conditions close what they are about.
  package let key: [Bool]
  /// Arcs that no path uses.
  package let arcs: ArcSet
  /// Streets in a direction in which no trip travels them, not even a part; one bit per directed street and use.
  private let streets: ArcSet
  /// Whether it is what is closed where no time is given: the hierarchy is made without that.
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
  /// What is closed at a time, or where none is given; nil for nothing, then and without a time.
  package func closure(at time: LocalTime?) -> Closure? {
    guard time != nil else { return closureWithoutDate }
    return conditions.key(at: time).map { closure($0) }
  }

  /// The closure of some conditions.
  package func closure(_ key: [Bool]) -> Closure {
    Closure(key, conditions, arcCount: states.arcs.arcCount, streetCount: streetCount)
  }

  /// The hierarchy without what is closed: that of the network, or one made for it.
  package func hierarchy(without closed: Closure?) -> Hierarchy {
    guard let closed, !closed.isDefault else { return hierarchy }
    return customizable.hierarchy(without: closed.arcs)
  }

  /// The arcs without those that are closed. The arcs that stay get new IDs.
  package func arcs(without closed: Closure?) -> ArcGraph {
    (closed ?? closureWithoutDate).map { states.arcs.without($0.arcs) } ?? states.arcs
  }
}
