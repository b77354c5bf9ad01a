import Geography
import OpeningHours
import StreetNetwork

/// Hours on certain days of the week: `Mo-Fr 07:30-09:00`.
struct HourBand: Hashable, Sendable {
  /// Monday is 0.
  var days: ClosedRange<Int>
  /// Minutes after midnight; the end is exclusive.
  var minutes: Range<Int>

  /// The accepted format, for messages.
  static let allowed =
    "days and a time range that ends by midnight, e.g. Mo-Fr 07:30-09:00, or Fr 22:00-24:00 and Sa 00:00-02:00 "
    + "for a night"

  init(days: ClosedRange<Int>, minutes: Range<Int>) { (self.days, self.minutes) = (days, minutes) }

  /// Nil for text in another format.
  init?(_ text: some StringProtocol) {
    guard let match = String(text).wholeMatch(of: /\s*(\w\w)(?:-(\w\w))?\s+(\d\d):(\d\d)-(\d\d):(\d\d)\s*/),
      let first = Weekday.names.firstIndex(of: String(match.1)),
      let last = match.2.map({ Weekday.names.firstIndex(of: String($0)) }) ?? first, first <= last,
      let hour = Int(match.3), let minute = Int(match.4), let endHour = Int(match.5), let endMinute = Int(match.6),
      minute < 60, endMinute < 60, hour * 60 + minute < endHour * 60 + endMinute, endHour * 60 + endMinute <= 1440
    else { return nil }
    self.init(days: first...last, minutes: hour * 60 + minute..<endHour * 60 + endMinute)
  }

  func contains(_ time: TimeOfWeek) -> Bool { days.contains(time.weekday) && minutes.contains(time.minute) }

  func overlaps(_ other: HourBand) -> Bool { days.overlaps(other.days) && minutes.overlaps(other.minutes) }

  var text: String { "\(dayText) \(HourBand.clock(minutes.lowerBound))-\(HourBand.clock(minutes.upperBound))" }

  private var dayText: String {
    days.count == 1
      ? Weekday.names[days.lowerBound]
      : "\(Weekday.names[days.lowerBound])-\(Weekday.names[days.upperBound])"
  }

  /// Returns a time of day as text: `07:30`.
  static func clock(_ minute: Int) -> String { "\((minute / 60).twoDigits):\((minute % 60).twoDigits)" }
}

/// A minute of the week, in the map's time zone.
struct TimeOfWeek: Hashable, Sendable {
  /// Monday is 0.
  var weekday: Int
  /// Minutes after midnight.
  var minute: Int
}

/// Groups of hours, each with a calibrated slowness; all other hours are unchanged.
struct HourBands: Sendable {
  let bands: [HourBand]

  /// The minimum number of trips in a band: with fewer, its slowness would be too uncertain.
  static let minimumTrips = 40
  /// Groups of weekdays that share bands.
  private static let dayTypes = [0...4, 5...5, 6...6]

  init(bands: [HourBand]) { self.bands = bands }

  /// Creates the user's bands. *Throws*: `OdometerError` if one is malformed or does not start and end at multiples
  /// of five minutes, or if two overlap.
  init(parsing strings: [String]) throws {
    bands = try strings.map { text in
      guard let band = HourBand(text) else {
        throw .usage("got the hours \(text), expected \(HourBand.allowed)")
      }
      guard band.minutes.lowerBound % 5 == 0, band.minutes.upperBound % 5 == 0 else {
        throw .usage("got the hours \(text), expected start and end at multiples of five minutes")
      }
      return band
    }
    for (index, band) in bands.enumerated() {
      guard let other = bands[..<index].first(where: { $0.overlaps(band) }) else { continue }
      throw .usage("the hours \(other.text) and \(band.text) overlap")
    }
  }

  /// Creates bands of hours with trips, by day type. A range with too few trips is merged with one of its
  /// two adjacent ranges: the one with fewer trips.
  init(of times: [TimeOfWeek]) {
    bands = HourBands.dayTypes.flatMap { days in
      let counts = times.reduce(into: [Int](repeating: 0, count: 24)) { counts, time in
        if days.contains(time.weekday) { counts[time.minute / 60] += 1 }
      }
      return HourBands.joined(counts).map { HourBand(days: days, minutes: $0.lowerBound * 60..<$0.upperBound * 60) }
    }
  }

  /// Returns ranges of hours, each with enough trips unless both adjacent hours have none.
  private static func joined(_ counts: [Int]) -> [Range<Int>] {
    var ranges = counts.indices.filter { counts[$0] > 0 }.map { $0..<$0 + 1 }
    func trips(_ range: Range<Int>) -> Int { counts[range].reduce(0, +) }
    while true {
      let small = ranges.indices.filter { trips(ranges[$0]) < minimumTrips }
        .sorted { (trips(ranges[$0]), $0) < (trips(ranges[$1]), $1) }
      let pairs = small.lazy.compactMap { index -> (Int, Int)? in
        let adjacent = [index - 1, index + 1].filter { other in
          guard ranges.indices.contains(other) else { return false }
          let (first, last) = (ranges[min(index, other)], ranges[max(index, other)])
          return first.upperBound == last.lowerBound
        }
        return adjacent.min { (trips(ranges[$0]), $0) < (trips(ranges[$1]), $1) }.map {
          (min(index, $0), max(index, $0))
        }
      }
      guard let (first, last) = pairs.first else { return ranges }
      ranges[first] = ranges[first].lowerBound..<ranges[last].upperBound
      ranges.remove(at: last)
    }
  }

  /// Returns the index of the first band that contains a time; nil if none does.
  func band(of time: TimeOfWeek) -> Int? { bands.firstIndex { $0.contains(time) } }

  /// The longest of 60, 30, 15 and 5 minutes that divides all starts and ends.
  var period: Int {
    let borders = bands.flatMap { [$0.minutes.lowerBound, $0.minutes.upperBound] }
    return [60, 30, 15].first { period in borders.allSatisfy { $0 % period == 0 } } ?? 5
  }
}

/// The previous slowness: a traffic table, or free flow at all hours.
struct PriorTraffic: Sendable {
  /// By `RoadClass`'s raw value, in slots of five minutes from midnight on Monday.
  private let slowness: [[Double]]

  private static let slotsPerDay = 24 * 12

  /// Uses free flow if there is no table.
  init(_ table: TrafficTable?) {
    slowness = RoadClass.allCases.map { roadClass in
      table?.slowness(of: roadClass, period: 1) ?? Array(repeating: 1, count: 7 * PriorTraffic.slotsPerDay)
    }
  }

  /// Returns the travel time in seconds for a departure at `time`.
  func seconds(_ route: TripTimes, at time: TimeOfWeek) -> Double {
    let slot = time.weekday * PriorTraffic.slotsPerDay + time.minute / 5
    return route.seconds { slowness[Int($0.rawValue)][slot] }
  }

  /// Returns the hours outside `bands` at which a class has a slowness other than 1.
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
}
