import Hierarchy

/// Which streets lead to most of a network, and which are reached from there: from its largest strongly connected
/// component.
package struct MainReach {
  private let network: StreetNetwork
  private let reached: [Bool]
  private let reaching: [Bool]

  /// A street that is a trap: trips lead one way alone.
  package enum Trap: String, Sendable {
    case cannotBeLeft = "cannot be left"
    case cannotBeEntered = "cannot be entered"
  }

  package init(_ network: StreetNetwork) {
    self.network = network
    let arcs = network.arcs(without: nil)
    let components = StrongComponents(arcs)
    let largest = components.sizes.indices.max { components.sizes[$0] < components.sizes[$1] }
    let main = components.ofState.indices.filter { Int(components.ofState[$0]) == largest }
    reached = reachable(from: main, arcs)
    reaching = reachable(from: main, arcs.reversed())
  }

  /// What a place on a street should know: nil where trips lead there and back, or neither.
  package func trap(_ street: StreetID) -> Trap? {
    switch (canBeLeft(street), canBeEntered(street)) {
    case (true, false): .cannotBeEntered
    case (false, true): .cannotBeLeft
    default: nil
    }
  }

  func canBeLeft(_ street: StreetID) -> Bool {
    [false, true].contains { isReversed in
      let directed = DirectedStreet(street, isReversed: isReversed)
      return network.isOpen(directed, nil) && network.states.start(of: directed).map { reaching[Int($0)] } == true
    }
  }

  /// By turning into it: that others pass its end does not count.
  func canBeEntered(_ street: StreetID) -> Bool {
    let states = network.states
    let ends = network.street(street)
    return [ends.tail, ends.head].contains { junction in
      (states.junctions[Int(junction)].first..<states.junctions[Int(junction) + 1].first).contains { state in
        reached[Int(state)]
          && states.arcs.arcs(from: StateID(state)).contains {
            states.streets[$0].street == street && network.isOpen(states.streets[$0], nil)
          }
      }
    }
  }
}
