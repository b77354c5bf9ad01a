import StreetNetwork

/// What is known of slowness before a calibration: a traffic table, or free flow at all hours.
struct PriorTraffic: Sendable {
  /// By `RoadClass`'s raw value, in slots of five minutes from Monday, midnight.
  private let slowness: [[Double]]
  let terminalSeconds: Double

  private static let slotsPerDay = 24 * 12

  /// Free flow where there is no table.
  init(_ table: TrafficTable?) {
    slowness = RoadClass.allCases.map { roadClass in
      table?.slowness(of: roadClass, period: 1) ?? Array(repeating: 1, count: 7 * PriorTraffic.slotsPerDay)
    }
    terminalSeconds = table?.terminalSeconds ?? 0
  }

  /// Seconds of a trip that leaves at a time.
  func seconds(_ way: TripTimes, at time: TimeOfWeek) -> Double {
    let slot = time.weekday * PriorTraffic.slotsPerDay + time.minute / 5
    return terminalSeconds + way.seconds { slowness[Int($0.rawValue)][slot] }
  }

  /// The mean slowness of a group's classes in a band.
  func slowness(_ group: RoadGroup, in band: HourBand) -> Double {
    let slots = band.days.flatMap { day in
      (band.minutes.lowerBound / 5..<band.minutes.upperBound / 5).map { day * PriorTraffic.slotsPerDay + $0 }
    }
    let values = group.classes.flatMap { roadClass in slots.map { slowness[Int(roadClass.rawValue)][$0] } }
    return values.reduce(0, +) / Double(max(1, values.count))
  }
}
