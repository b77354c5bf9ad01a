import Hierarchy
import Tables
import Transit

/// The parts of a transit trip's time, in milliseconds; together with the waits they add up to it.
package struct TransitParts: Sendable, Equatable, JournaledFields {
  /// Vehicles taken; 0 if the trip is on foot all the way.
  package var rides = 0
  /// Walk to the first stop, or all the way.
  package var access: Int64 = 0
  package var riding: Int64 = 0
  /// Walks between vehicles.
  package var transfer: Int64 = 0
  /// Walk from the last stop.
  package var egress: Int64 = 0
  package init() {}

  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&rides, &access, &riding, &transfer, &egress)
  }
}

extension RouteRow.Found {
  /// - Parameter walk: The walk all the way, which is the length of a trip without rides.
  init(_ trip: TransitTrip, walk: Weight?) {
    let isWalk = trip.rides == 0
    self.init(
      centimetres: isWalk ? Int64(walk?.centimetres ?? 0) : 0, milliseconds: Int64(trip.milliseconds))
    waitingMilliseconds = Int64(trip.waiting)
    var parts = TransitParts()
    (parts.rides, parts.access, parts.riding) = (trip.rides, Int64(trip.access), Int64(trip.riding))
    (parts.transfer, parts.egress) = (Int64(trip.transfer), Int64(trip.egress))
    transit = parts
  }

  /// Whether its length is known: rides have none without their shapes.
  var hasLength: Bool { transit.map { $0.rides == 0 || route != nil } ?? true }
}
