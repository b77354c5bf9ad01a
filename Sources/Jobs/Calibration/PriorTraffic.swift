import StreetNetwork

/// What is known of slowness before a calibration: a traffic table, or free flow at all hours.
struct PriorTraffic: Sendable {
  /// By `RoadClass`'s raw value, in slots of five minutes from Monday, midnight.
  private let slowness: [[Double]]

  private static let slotsPerDay = 24 * 12

  /// Free flow where there is no table.
  init(_ table: TrafficTable?) {
    slowness = RoadClass.allCases.map { roadClass in
      table?.slowness(of: roadClass, period: 1) ?? Array(repeating: 1, count: 7 * PriorTraffic.slotsPerDay)
    }
  }

  /// Seconds of a trip that leaves at a time.
  func seconds(_ way: TripTimes, at time: TimeOfWeek) -> Double {
    let slot = time.weekday * PriorTraffic.slotsPerDay + time.minute / 5
    return way.seconds { slowness[Int($0.rawValue)][slot] }
  }

  /// The hours of a class outside some bands at which it has a slowness other than 1.
  func hours(of roadClass: RoadClass, outside bands: [HourBand]) -> [(hours: HourBand, slowness: Double)] {
    let slowness = slowness[Int(roadClass.rawValue)]
    return (0..<7).flatMap { day in
      var runs: [(hours: HourBand, slowness: Double)] = []
      for slot in 0..<PriorTraffic.slotsPerDay {
        let (value, minute) = (slowness[day * PriorTraffic.slotsPerDay + slot], slot * 5)
        guard value != 1, !bands.contains(where: { $0.contains(TimeOfWeek(weekday: day, minute: minute)) }) else {
          continue
        }
        if let last = runs.last, last.slowness == value, last.hours.minutes.upperBound == minute {
          runs[runs.count - 1].hours.minutes = last.hours.minutes.lowerBound..<minute + 5
        } else {
          runs.append((HourBand(days: day...day, minutes: minute..<minute + 5), value))
        }
      }
      return runs
    }
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
