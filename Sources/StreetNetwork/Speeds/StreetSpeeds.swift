import Geography
import Hierarchy

/// How slow the streets of a network are over the week: a profile for each street in each direction.
package struct StreetSpeeds: Sendable {
  package let profiles: SpeedProfiles
  /// The profile of each street in each direction (by `DirectedStreet.index`).
  package let streets: Column<UInt32>
  /// The file that keeps them, if there is one.
  package var file: WatchedFile?

  package init(_ profiles: SpeedProfiles, streets: Column<UInt32>) {
    (self.profiles, self.streets) = (profiles, streets)
  }

  package func profile(of street: DirectedStreet) -> UInt32 { streets[Int(street.index)] }
}

extension StreetSpeeds {
  /// Free flow, but for the speeds that the map says for the hours of the week that a day is in; nil where it says none.
  init?(limitsOf network: StreetNetwork, inWeekOf day: LocalTime) {
    guard !network.conditionalLimits.isEmpty else { return nil }
    let limits = LimitSlowness(network, week: day)
    let period = limits.longestPeriod
    var profiles = Interner([Array(repeating: Slowness.one.bits, count: WeekHours.slotCount / period)])
    var streets = [UInt32](repeating: 0, count: network.streetCount * 2)
    for street in limits.streets {
      guard let slowness = limits.slowness(of: street, network, period: period) else { continue }
      streets[Int(street.index)] = UInt32(profiles.index(of: slowness.values.map { Slowness($0).bits }))
    }
    self.init(
      SpeedProfiles(period: UInt32(period * 300_000), slowness: Column(profiles.values.flatMap(\.self))),
      streets: Column(streets))
  }
}
