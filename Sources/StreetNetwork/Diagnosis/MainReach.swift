import Hierarchy

/// The streets that lead to the main part of a network (its largest strongly connected component of streets that are
/// open to all), and the streets that can be reached from it.
package struct MainReach {
  private let network: StreetNetwork
  private let reached: [Bool]
  private let reaching: [Bool]

  /// A street that trips can only enter, or only leave.
  package enum OneWayAccess: String, Sendable {
    case cannotBeLeft = "cannot be left"
    case cannotBeEntered = "cannot be entered"
  }

  package init(_ network: StreetNetwork) {
    self.network = network
    let arcs = network.arcs(without: nil)
    let components = StrongComponents(arcs)
    // Trips that use only access-restricted streets have states of their own, which may be as many as the others.
    var isOpenToAll = [Bool](repeating: false, count: components.sizes.count)
    let states = network.states
    for (head, street) in zip(states.arcs.heads, states.streets)
    where network.street(street.street).flags.isDisjoint(with: .endsOnly) {
      isOpenToAll[Int(components.ofState[Int(head)])] = true
    }
    func size(_ component: Int) -> (Int, Int) { (isOpenToAll[component] ? 1 : 0, components.sizes[component]) }
    let largest = components.sizes.indices.max { size($0) < size($1) }
    let main = components.ofState.indices.filter { Int(components.ofState[$0]) == largest }
    reached = reachable(from: main, arcs)
    reaching = reachable(from: main, arcs.reversed())
  }

  /// Returns whether a street can only be entered, or only left; nil if it can be both, or neither.
  package func oneWayAccess(_ street: StreetID) -> OneWayAccess? {
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

  /// Returns whether a trip can turn into the street: passing its end does not count.
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
