import Hierarchy
import Synchronization

/// A network on the clock, day by day: made when a trip first needs a day, and shared by all threads.
package final class TimedNetworks: Sendable {
  package let network: StreetNetwork
  /// Nil for free flow, with the speeds that the map says for certain hours.
  package let speeds: StreetSpeeds?
  private let waitLimit: UInt32
  private let days = Mutex<[LocalTime?: TimedNetwork]>([:])
  /// What the map says for the hours of a week, by its Monday, and windows for it; nil where that does not count.
  private let weeks = Mutex<[LocalTime?: Week]>([:])

  private struct Week {
    var speeds: StreetSpeeds?
    var windows: TimedWindows?
  }

  /// Days that are kept at a time: on a city's map 3 MB each.
  private static let capacity = 64

  /// - Parameter waitLimit: Milliseconds that trips wait at most for a closed street.
  package init(_ network: StreetNetwork, _ speeds: StreetSpeeds?, waitLimit: UInt32) {
    (self.network, self.speeds, self.waitLimit) = (network, speeds, waitLimit)
  }

  /// The network on the day of a trip.
  package func network(at time: TripTime) -> TimedNetwork {
    let day = time.day?.clocks(at: 0)
    return days.withLock { days in
      if let known = days[day] { return known }
      if days.count >= TimedNetworks.capacity { days.removeAll() }
      let timed = TimedNetwork(network, speeds ?? mapSpeeds(on: day), on: day, waitLimit: waitLimit)
      days[day] = timed
      return timed
    }
  }

  /// What streets take at least in the hours of trips at a time: the same on all days of a week.
  package func windows(at time: TripTime) -> TimedWindows {
    let timed = network(at: time)
    return weeks.withLock { weeks in
      let monday = monday(of: time.day)
      if let known = weeks[monday]?.windows { return known }
      let windows = TimedWindows(
        network.customizable, arcProfiles: timed.graph.profiles, timed.graph.clock.profiles)
      weeks[monday, default: Week()].windows = windows
      return windows
    }
  }

  private func mapSpeeds(on day: LocalTime?) -> StreetSpeeds? {
    guard let monday = monday(of: day) else { return nil }
    return weeks.withLock { weeks in
      if let known = weeks[monday]?.speeds { return known }
      if weeks.count >= TimedNetworks.capacity { weeks.removeAll() }
      let speeds = StreetSpeeds(limitsOf: network, inWeekOf: monday)
      weeks[monday, default: Week()].speeds = speeds
      return speeds
    }
  }

  /// The Monday of a day's week; nil where all weeks are alike.
  private func monday(of day: LocalTime?) -> LocalTime? {
    guard speeds == nil, let day, !network.conditionalLimits.isEmpty else { return nil }
    return day.clocks(at: -1440 * day.day.weekday)
  }
}
