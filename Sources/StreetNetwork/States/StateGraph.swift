import Foundation
import Geography
import Hierarchy

extension StateGraph {
  /// Returns the rank of each state in all hierarchies: an order by position on the map, independent of weights.
  func ranks(_ streets: [Street], points: [FixedCoordinate], workers: Int) -> [UInt32] {
    let box = BoundingBox(around: points)
    // Degrees of longitude are shorter than degrees of latitude.
    let eastward = Int64((cos(box.centre.coordinate.latitude * .pi / 180) * 1024).rounded())
    var places = [SIMD2<Int32>](repeating: SIMD2(0, 0), count: arcs.stateCount)
    for (index, street) in streets.enumerated() {
      let shape = points[streets.shape(of: index, points.count)]
      for (junction, point) in [(street.tail, shape.first!), (street.head, shape.last!)] {
        let place = SIMD2(Int32(truncatingIfNeeded: Int64(point.longitude) * eastward / 1024), point.latitude)
        for state in junctions[Int(junction)].first..<junctions[Int(junction) + 1].first { places[Int(state)] = place }
      }
    }
    return CustomizableHierarchy.ranks(of: arcs, at: places, workers: workers)
  }
}

/// The states and arcs of searches, and the street of each arc.
///
/// A state is the end of a street, just before the turn; an arc is a turn and the street after it, so turns can cost
/// time or be forbidden. Ends at one junction with identical turns share one state. On foot, where turns cost nothing,
/// that gives one state per junction; with turn restrictions only, slightly more; with turn costs by angle, one for
/// each direction of a street.
///
/// An access-restricted street, which only serves trips that start or end there, is never a shortcut; this is exact and
/// needs no penalties. Its end has one state for trips that have used only such streets so far (leaving), and another
/// for trips that must end on such streets (entering).
///
///     leaving ──open street──> through ──restricted street──> entering
///       ⟲ restricted             ⟲ open                         ⟲ restricted
///
/// An open street that can be left only over restricted streets counts as open to trips that arrive over open streets,
/// and as restricted to trips that start there. An open street that can be entered only over restricted streets counts
/// as open to trips that start there, and as restricted to others.
package struct StateGraph: Sendable {
  package let arcs: ArcGraph
  /// The street that each arc travels.
  package let streets: Column<DirectedStreet>
  /// The states at each junction, followed by an entry that marks the end.
  package let junctions: Column<JunctionStates>
  /// Two states at the end of each directed street (by `DirectedStreet.index`): one for trips that start on the street,
  /// and one for trips that enter it from streets that are open to all, if that is a separate state; `none` if there is
  /// no such state.
  package let starts: Column<UInt32>

  /// The states of trips that start on streets with access restrictions at certain times, while these are open to all,
  /// sorted by street.
  let startsThrough: Column<StartThrough>

  package static let none = UInt32.max

  struct StartThrough: Sendable, BitwiseCopyable {
    var street: DirectedStreet
    var state: UInt32
  }

  init(
    arcs: ArcGraph, streets: Column<DirectedStreet>, junctions: Column<JunctionStates>, starts: Column<UInt32>,
    startsThrough: Column<StartThrough>
  ) {
    precondition(arcs.arcCount == streets.count, "columns of different networks")
    self.startsThrough = startsThrough
    self.arcs = arcs
    self.streets = streets
    self.junctions = junctions
    self.starts = starts
  }

  package var junctionCount: Int { junctions.count - 1 }

  /// Returns the state at the end of a street for trips that start on it or, with `isEntering`, that enter it from
  /// streets that are open to all; nil if there is none.
  package func start(of street: DirectedStreet, isEntering: Bool = false) -> UInt32? {
    let state = starts[Int(street.index) * 2 + (isEntering ? 1 : 0)]
    return state == StateGraph.none ? nil : state
  }

  /// Returns all states at the end of a street for trips that start on it, each with the use of the street.
  package func starts(of street: DirectedStreet, isEntering: Bool = false) -> [(state: UInt32, use: StreetUse)] {
    guard let state = start(of: street, isEntering: isEntering) else { return [] }
    guard !startsThrough.isEmpty, let through = startThrough(of: street) else { return [(state, .any)] }
    return [(state, .ends), (through, .through)]
  }

  private func startThrough(of street: DirectedStreet) -> UInt32? {
    let index = (0..<startsThrough.count).partitionPoint { startsThrough[$0].street.index >= street.index }
    return index < startsThrough.count && startsThrough[index].street == street ? startsThrough[index].state : nil
  }
}

/// The use of a street: `any`; for a street that is access-restricted at certain times also `ends`, at these times, and
/// `through`, while it is open to all.
package enum StreetUse: UInt32, CaseIterable, Sendable {
  case any, through, ends

  /// Returns the item of `Conditions.streets` for a street with this use.
  package func item(_ street: DirectedStreet) -> UInt32 { street.index * StreetUse.count + rawValue }

  /// Returns the street of an item.
  package static func street(ofItem item: UInt32) -> DirectedStreet { DirectedStreet(index: item / count) }

  /// Creates the use of an item.
  package init(ofItem item: UInt32) { self.init(rawValue: item % StreetUse.count)! }

  static let count: UInt32 = 3
}

package struct JunctionStates: Sendable, BitwiseCopyable {
  /// The index of the junction's first state; its states end where the next junction's start.
  package var first: UInt32
  /// Trips may end in the states before this one. The other states arrived over access-restricted streets at a junction
  /// that is open to all.
  var lastTarget: UInt32
  /// The state from which a trip that starts here may enter any street at no cost; `StateGraph.none` if there is none.
  package var free: UInt32
}
