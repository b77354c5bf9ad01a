import Hierarchy
import Synchronization

/// A network on the clock, day by day: made when a trip first needs a day, and shared by all threads.
package final class TimedNetworks: Sendable {
  package let network: StreetNetwork
  /// Nil for free flow at all hours.
  package let speeds: StreetSpeeds?
  private let days = Mutex<[LocalTime?: TimedNetwork]>([:])
  private let lazyWindows = Mutex<TimedWindows?>(nil)

  /// Days that are kept at a time: on a city's map 3 MB each.
  private static let capacity = 64

  package init(_ network: StreetNetwork, _ speeds: StreetSpeeds?) {
    (self.network, self.speeds) = (network, speeds)
  }

  /// The network on the day of a trip.
  package func network(at time: TripTime) -> TimedNetwork {
    let day = time.day?.clocks(at: 0)
    return days.withLock { days in
      if let known = days[day] { return known }
      if days.count >= TimedNetworks.capacity { days.removeAll() }
      let timed = TimedNetwork(network, speeds, on: day)
      days[day] = timed
      return timed
    }
  }

  /// What streets take at least in the hours of trips: the same on all days.
  package func windows(of timed: TimedNetwork) -> TimedWindows {
    lazyWindows.withLock { known in
      let windows =
        known
        ?? TimedWindows(
          network.customizable, arcProfiles: timed.graph.profiles, timed.graph.clock.profiles)
      known = windows
      return windows
    }
  }
}
