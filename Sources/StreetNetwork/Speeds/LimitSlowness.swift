import Geography
import OpeningHours

/// The effect of conditional speed limits on the free-flow speeds of their streets, over a week.
struct LimitSlowness {
  /// Speeds in metres per second for each minute of the week; nil for the usual speed.
  private let speeds: [DirectedStreet: [Double?]]
  /// The number of limits that apply only on certain dates, which a typical week does not have.
  let datedCount: Int

  /// - Parameter week: Any day in the week; nil for a typical week without holidays.
  init(_ network: StreetNetwork, week: LocalTime?) {
    guard !network.conditionalLimits.isEmpty else {
      (speeds, datedCount) = ([:], 0)
      return
    }
    let monday = week.map { $0.day.adding(-$0.day.weekday) } ?? .typicalMonday
    let moments = LocalTime.week(
      of: monday, every: 1, secondsFromGMT: week?.secondsFromGMT ?? 0, holidays: week?.holidays ?? .none)
    var speeds: [DirectedStreet: [Double?]] = [:]
    var known: [UInt32: [SunPlace?: [Double?]]] = [:]
    var dated = 0
    for entry in network.conditionalLimits {
      guard let limits = ConditionalLimits(network.name(entry.limits)) else { continue }
      guard week != nil || limits.isWeekly else {
        dated += 1
        continue
      }
      let point = network.point(network.shape(of: entry.street.street).lowerBound).coordinate
      let sun = limits.usesSun ? SunPlace(point) : nil
      let all = known[entry.limits]?[sun] ?? LimitSlowness.speeds(limits, near: point, moments)
      known[entry.limits, default: [:]][sun] = all
      speeds[entry.street] = all
    }
    self.speeds = speeds
    datedCount = dated
  }

  /// Returns the speed in each minute. If the first and the last of five minutes have the same speed, the minutes in
  /// between are assumed to have it as well.
  private static func speeds(_ limits: ConditionalLimits, near place: Coordinate, _ moments: [LocalTime]) -> [Double?] {
    stride(from: 0, to: moments.count, by: 5).flatMap { start in
      let slot = moments[start..<start + 5]
      let (first, last) = (
        limits.metresPerSecond(at: slot[start], near: place), limits.metresPerSecond(at: slot[start + 4], near: place)
      )
      return first == last
        ? Array(repeating: first, count: 5) : slot.map { limits.metresPerSecond(at: $0, near: place) }
    }
  }

  /// The affected streets, in each direction.
  var streets: [DirectedStreet] { speeds.keys.sorted { $0.index < $1.index } }

  /// The longest period in slots within which no limit begins or ends; one slot if limits begin within slots.
  var longestPeriod: Int {
    let changes = Set(
      Set(speeds.values).lazy.flatMap { speeds in
        speeds.indices.filter { $0 > 0 && speeds[$0] != speeds[$0 - 1] }.map { $0 / 5 }
      })
    return WeekHours.longestPeriod { period in changes.allSatisfy { $0.isMultiple(of: period) } }
  }

  /// The speeds as bytes, for a digest.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (street, speeds) in speeds.sorted(by: { $0.key.index < $1.key.index }) {
      withUnsafeBytes(of: street.index) { bytes += $0 }
      var last: Double?? = .none
      for (minute, speed) in speeds.enumerated() where last != .some(speed) {
        withUnsafeBytes(of: (UInt32(minute), speed.map { Float($0) } ?? -1)) { bytes += $0 }
        last = speed
      }
    }
    return bytes
  }

  /// Returns the slowness in each period of `period` slots: the mean over its minutes, which corresponds to the
  /// harmonic mean of speeds; nil without a conditional limit. `isExact` is true if no limit begins or ends within a
  /// period.
  func slowness(of street: DirectedStreet, _ network: StreetNetwork, period: Int) -> (values: [Double], isExact: Bool)?
  {
    let record = network.street(street.street)
    guard let speeds = speeds[street], let usual = record.metresPerSecond(isReversed: street.isReversed) else {
      return nil
    }
    let minutes = period * 5
    var isExact = true
    let values = stride(from: 0, to: speeds.count, by: minutes).map { first in
      let period = speeds[first..<first + minutes]
      if period.contains(where: { $0 != period[first] }) { isExact = false }
      return period.reduce(0.0) { $0 + ($1.map { usual / $0 } ?? 1) } / Double(minutes)
    }
    return (values, isExact)
  }
}

extension Street {
  /// Returns the free-flow speed; nil if the street has no length or is not used in that direction.
  func metresPerSecond(isReversed: Bool) -> Double? {
    let milliseconds = milliseconds(isReversed: isReversed)
    guard milliseconds > 0, centimetres > 0, isOpen(isReversed: isReversed) else { return nil }
    return Double(centimetres) * 10 / Double(milliseconds)
  }
}
