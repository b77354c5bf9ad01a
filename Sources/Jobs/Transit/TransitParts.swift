import Hierarchy
import Tables
import Transit

/// The parts of a transit trip's time, in milliseconds; together with the waits they add up to the trip's time.
struct TransitParts: Sendable, Equatable, JournaledFields {
  /// The number of vehicles taken; 0 if the whole trip is on foot.
  var rides = 0
  /// The walk to the first stop, or the whole trip if it is on foot.
  var access: Int64 = 0
  var riding: Int64 = 0
  /// The walks between vehicles.
  var transfer: Int64 = 0
  /// The walk from the last stop.
  var egress: Int64 = 0

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&rides, &access, &riding, &transfer, &egress)
  }
}

extension RouteRow.Found {
  /// - Parameter walk: The walk from origin to destination, which gives the length of a trip without rides.
  init(_ trip: TransitTrip, walk: Weight?) {
    let isWalk = trip.rides == 0
    self.init(centimetres: isWalk ? Int64(walk?.centimetres ?? 0) : 0, milliseconds: Int64(trip.milliseconds))
    waitingMilliseconds = Int64(trip.waiting)
    transit = TransitParts(
      rides: trip.rides, access: Int64(trip.access), riding: Int64(trip.riding), transfer: Int64(trip.transfer),
      egress: Int64(trip.egress))
  }

  /// Whether its length is known: rides have no length without their shapes.
  var hasLength: Bool { transit.map { $0.rides == 0 || route != nil } ?? true }
}
