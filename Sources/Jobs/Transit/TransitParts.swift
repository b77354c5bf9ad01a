import Hierarchy
import Tables
import Transit

/// The parts of a transit trip's time, in milliseconds; together with the waits they add up to it.
struct TransitParts: Sendable, Equatable, JournaledFields {
  /// Vehicles taken; 0 if the trip is on foot all the way.
  var rides = 0
  /// Walk to the first stop, or all the way.
  var access: Int64 = 0
  var riding: Int64 = 0
  /// Walks between vehicles.
  var transfer: Int64 = 0
  /// Walk from the last stop.
  var egress: Int64 = 0

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&rides, &access, &riding, &transfer, &egress)
  }
}

extension RouteRow.Found {
  /// - Parameter walk: The walk all the way, which is the length of a trip without rides.
  init(_ trip: TransitTrip, walk: Weight?) {
    let isWalk = trip.rides == 0
    self.init(centimetres: isWalk ? Int64(walk?.centimetres ?? 0) : 0, milliseconds: Int64(trip.milliseconds))
    waitingMilliseconds = Int64(trip.waiting)
    transit = TransitParts(
      rides: trip.rides, access: Int64(trip.access), riding: Int64(trip.riding), transfer: Int64(trip.transfer),
      egress: Int64(trip.egress))
  }

  /// Whether its length is known: rides have none without their shapes.
  var hasLength: Bool { transit.map { $0.rides == 0 || route != nil } ?? true }
}
