import Geography
import Hierarchy
import OpeningHours

/// The slowness of a network's streets over the week: a profile for each directed street.
package struct StreetSpeeds: Sendable {
  package let profiles: SpeedProfiles
  /// The profile of each street in each direction (by `DirectedStreet.index`).
  package let streets: Column<UInt32>
  package var file: WatchedFile?

  package init(_ profiles: SpeedProfiles, streets: Column<UInt32>) {
    (self.profiles, self.streets) = (profiles, streets)
  }

  package func profile(of street: DirectedStreet) -> UInt32 { streets[Int(street.index)] }
}

extension StreetSpeeds {
  /// Creates free-flow speeds with the conditional speed limits of the week that includes `day`; nil if there are none.
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

  /// Returns the mean slowness of each road class in each hour of the week, starting on Monday: the travel time of all
  /// its streets divided by their free-flow time. Nil for a class without streets, or if all are closed.
  package func slownessByHour(on network: StreetNetwork) -> [[Double?]] {
    let classCount = RoadClass.allCases.count
    // The free-flow time of all streets by class and profile: few combinations if profiles depend only on the class.
    var freeFlow: [UInt64: Double] = [:]
    for (id, street) in network.streets.enumerated() where !street.flags.contains(.gate) {
      let roadClass = network.attributes(row: street.attributes).roadClass
      for isReversed in [false, true] where street.isOpen(isReversed: isReversed) {
        let profile = profile(of: DirectedStreet(StreetID(id), isReversed: isReversed))
        freeFlow[UInt64(roadClass.rawValue) << 32 | UInt64(profile), default: 0] +=
          Double(street.milliseconds(isReversed: isReversed))
      }
    }
    let periods = profiles.periodCount / 168
    var (taken, usual) = (
      [[Double]](repeating: Array(repeating: 0, count: 168), count: classCount),
      [[Double]](repeating: Array(repeating: 0, count: 168), count: classCount)
    )
    // Sorted, so that sums are the same in every run.
    for (key, milliseconds) in freeFlow.sorted(by: { $0.key < $1.key }) {
      let (roadClass, profile) = (Int(key >> 32), UInt32(truncatingIfNeeded: key))
      for index in 0..<profiles.periodCount {
        let slowness = profiles.slowness(profile, index)
        guard slowness != .closed else { continue }
        taken[roadClass][index / periods] += milliseconds * slowness.value
        usual[roadClass][index / periods] += milliseconds
      }
    }
    return zip(taken, usual).map { taken, usual in zip(taken, usual).map { $1 > 0 ? $0 / $1 : nil } }
  }
}
