import Hierarchy
import Routing
import Tables

/// A check of travel times at several hours: a later departure must not arrive earlier, and a later arrival must not
/// require an earlier departure. It does not apply with a wait limit, since a later departure may then arrive earlier.
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

  /// The distance between checked rows of a job: only one in 1,000 is checked.
  static let interval = 1000

  /// Returns the first two hours whose travel times, in milliseconds, violate the order; nil if none do. A time of at
  /// least `missing` means no route.
  func violation(_ times: [UInt32], missing: UInt32) -> (earlier: Int, later: Int)? {
    let found = order.filter { times[$0] < missing }
    return zip(found, found.dropFirst()).first { otherEnd($0, times) > otherEnd($1, times) }.map { ($0, $1) }
  }

  /// Returns the end of a trip at an hour, or its start if hours are arrivals.
  private func otherEnd(_ hour: Int, _ times: [UInt32]) -> Int {
    let (clock, time) = (Int(departures.hours[hour].time.clock), Int(times[hour]))
    return departures.isArrival ? clock - time : clock + time
  }

  /// Stops a job if the times of a cell violate the order. *Throws*: `Violation`.
  func check(_ times: [UInt32], missing: UInt32, from origin: Identifier, to destination: Identifier) throws {
    guard let (earlier, later) = violation(times, missing: missing) else { return }
    throw Violation(
      description:
        "from \(origin) to \(destination) the trip at \(departures.text(of: departures.hours[earlier])) takes "
        + "\(times[earlier]) ms, the one at \(departures.text(of: departures.hours[later])) \(times[later]) ms: "
        + "a later departure must not arrive earlier")
  }

  /// A violation of the order, which is a bug in the engine.
  struct Violation: Error, CustomStringConvertible { var description: String }
}
