import Hierarchy

/// The stops within walking distance of each place; a place is an origin, a destination, or a stop.
///
/// For origins and stops, walks lead to the listed stops; for destinations, from them. Each stop is listed once per
/// place.
package struct StopWalks: Sendable {
  /// The index of the first walk of each place, then the total number of walks.
  package let first: Column<UInt32>
  /// The walks, one place after the other.
  package let walks: Column<Walk>

  package var count: Int { first.count - 1 }

  /// A walk to or from a stop.
  package struct Walk: Sendable, BitwiseCopyable {
    /// An index into the timetable's stops.
    package var stop: UInt32
    /// The time of the walk in milliseconds.
    package var milliseconds: UInt32

    package init(stop: UInt32, milliseconds: UInt32) { (self.stop, self.milliseconds) = (stop, milliseconds) }
  }

  /// Creates the columns from a list of walks for each place.
  package init(_ places: [[Walk]]) {
    var first: [UInt32] = [0]
    for walks in places { first.append(first[first.count - 1] + UInt32(walks.count)) }
    (self.first, walks) = (Column(first), Column(places.flatMap(\.self)))
  }

  package subscript(place: Int) -> Slice<Column<Walk>> { walks[Int(first[place])..<Int(first[place + 1])] }
}
