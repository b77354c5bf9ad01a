import Hierarchy

/// The states and arcs that searches run on, and what each arc travels.
///
/// On foot a state is a junction: turning costs nothing. Junctions with streets that only serve a trip's ends have
/// up to three states, so that such a street is never a short cut, exactly and without penalties:
///
///     leaving ──open street──> through ──street for ends only──> entering
///       ⟲ ends only              ⟲ open                             ⟲ ends only
///
/// A trip starts in `leaving` or `through` and never goes back to an earlier row of the picture.
package struct StateGraph: Sendable {
  package let arcs: ArcGraph
  /// What each arc travels.
  package let streets: Column<DirectedStreet>
  /// The states of each junction.
  package let junctions: Column<JunctionStates>

  package init(arcs: ArcGraph, streets: Column<DirectedStreet>, junctions: Column<JunctionStates>) {
    precondition(arcs.arcCount == streets.count, "columns of different networks")
    self.arcs = arcs
    self.streets = streets
    self.junctions = junctions
  }

  package init(_ streets: [Street], junctionCount: Int) {
    var hasOpen = [Bool](repeating: false, count: junctionCount)
    var hasEndsOnly = hasOpen
    for street in streets {
      for junction in [Int(street.tail), Int(street.head)] {
        if street.flags.contains(.endsOnly) { hasEndsOnly[junction] = true } else { hasOpen[junction] = true }
      }
    }
    var stateCount: UInt32 = 0
    func newState(_ isNeeded: Bool) -> UInt32 {
      guard isNeeded else { return JunctionStates.none }
      defer { stateCount += 1 }
      return stateCount
    }
    let junctions = (0..<junctionCount).map {
      JunctionStates(
        leaving: newState(hasEndsOnly[$0]), through: newState(hasOpen[$0]), entering: newState(hasEndsOnly[$0]))
    }
    var travelled: [(tail: UInt32, head: UInt32, street: DirectedStreet)] = []
    travelled.reserveCapacity(streets.count * 2)
    for (index, street) in streets.enumerated() {
      for direction in [StreetFlags.forward, .backward] where street.flags.contains(direction) {
        let isReversed = direction == .backward
        let tail = junctions[Int(isReversed ? street.head : street.tail)]
        let head = junctions[Int(isReversed ? street.tail : street.head)]
        for (from, to) in tail.moves(to: head, endsOnly: street.flags.contains(.endsOnly)) {
          travelled.append((from, to, DirectedStreet(StreetID(index), isReversed: isReversed)))
        }
      }
    }
    travelled.sort { ($0.tail, $0.street.index) < ($1.tail, $1.street.index) }
    self.init(
      arcs: ArcGraph(
        stateCount: Int(stateCount),
        arcs: travelled.map { .init(from: StateID($0.tail), to: StateID($0.head), weight: streets[$0.street].weight) }),
      streets: Column(travelled.map(\.street)), junctions: Column(junctions))
  }
}

/// The states of a junction; `none` where it needs no such state.
package struct JunctionStates: Sendable, BitwiseCopyable {
  /// The trip has used only streets for a trip's ends so far.
  package var leaving: UInt32
  package var through: UInt32
  /// The trip has entered streets for a trip's ends, and must end there.
  package var entering: UInt32

  package static let none = UInt32.max

  /// The moves from a state of this junction to a state of `head` over one street.
  func moves(to head: JunctionStates, endsOnly: Bool) -> [(UInt32, UInt32)] {
    let moves =
      endsOnly
      ? [(leaving, head.leaving), (through, head.entering), (entering, head.entering)]
      : [(through, head.through), (leaving, head.through)]
    return moves.filter { $0.0 != JunctionStates.none && $0.1 != JunctionStates.none }
  }

  /// The states in which a trip may be when it sets out along a street of this junction, having started on it.
  func starts(endsOnly: Bool) -> [UInt32] {
    [endsOnly ? leaving : through].filter { $0 != JunctionStates.none }
  }

  /// The states from which a trip may turn into a street of this junction to end on it.
  func ends(endsOnly: Bool) -> [UInt32] {
    (endsOnly ? [leaving, through, entering] : [leaving, through]).filter { $0 != JunctionStates.none }
  }
}

extension [Street] {
  fileprivate subscript(_ directed: DirectedStreet) -> Street { self[Int(directed.street.index)] }
}

extension Street {
  package var weight: Weight { Weight(milliseconds: milliseconds, centimetres: centimetres) }
}
