import Hierarchy
import Routing
import Tables

/// A check of answers at several hours: a later departure never arrives earlier, and a later arrival never requires an
/// earlier departure. With a wait limit, a later departure may arrive earlier.
struct DepartureOrder: Sendable {
  /// The indices of a job's hours in order of time.
  private let order: [Int]
  private let departures: Departures

  /// Nil if waits are limited.
  init?(_ departures: Departures, on clock: StreetClock) {
    guard clock.keepsOrder else { return nil }
    self.departures = departures
    let times = departures.times
    order = times.indices.sorted { (times[$0].clock, $0) < (times[$1].clock, $1) }
  }

  /// The checked share of rows in a job: one in `interval`.
  static let interval = 1000

  /// The first two hours whose travel times, in milliseconds, violate the order; nil if none do. `missing` and more is
  /// no route.
  func violation(_ times: [UInt32], missing: UInt32) -> (earlier: Int, later: Int)? {
    let found = order.filter { times[$0] < missing }
    return zip(found, found.dropFirst()).first { otherEnd($0, times) > otherEnd($1, times) }.map { ($0, $1) }
  }

  /// When a trip at an hour ends, or starts.
  private func otherEnd(_ hour: Int, _ times: [UInt32]) -> Int {
    let (clock, time) = (Int(departures.hours[hour].time.clock), Int(times[hour]))
    return departures.isArrival ? clock - time : clock + time
  }

  /// Stops a job whose cell violates the order.
  func check(_ times: [UInt32], missing: UInt32, from origin: Identifier, to destination: Identifier) throws {
    guard let (earlier, later) = violation(times, missing: missing) else { return }
    throw Violation(
      description:
        "from \(origin) to \(destination) the trip of \(departures.text(of: departures.hours[earlier])) takes "
        + "\(times[earlier]) ms, that of \(departures.text(of: departures.hours[later])) \(times[later]) ms: "
        + "a later departure must not arrive earlier")
  }

  /// A bug of the engine.
  struct Violation: Error, CustomStringConvertible { var description: String }
}
