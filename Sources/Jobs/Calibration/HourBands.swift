/// Hours of some days of the week: `Mo-Fr 07:30-09:00`.
struct HourBand: Hashable, Sendable {
  /// Monday is 0.
  var days: ClosedRange<Int>
  /// Minutes after midnight; the last is not among them.
  var minutes: Range<Int>

  static let dayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
  /// What is accepted, for messages.
  static let allowed = "days and hours, e.g. Mo-Fr 07:30-09:00"

  init(days: ClosedRange<Int>, minutes: Range<Int>) { (self.days, self.minutes) = (days, minutes) }

  /// Nil where the text is not of this form.
  init?(_ text: some StringProtocol) {
    guard let match = String(text).wholeMatch(of: /\s*(\w\w)(?:-(\w\w))?\s+(\d\d):(\d\d)-(\d\d):(\d\d)\s*/),
      let first = HourBand.dayNames.firstIndex(of: String(match.1)),
      let last = match.2.map({ HourBand.dayNames.firstIndex(of: String($0)) }) ?? first, first <= last,
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
      ? HourBand.dayNames[days.lowerBound]
      : "\(HourBand.dayNames[days.lowerBound])-\(HourBand.dayNames[days.upperBound])"
  }

  /// `07:30`.
  static func clock(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minute / 60)):\(two(minute % 60))"
  }
}

/// A minute of the week, on the clocks of the map.
struct TimeOfWeek: Hashable, Sendable {
  /// Monday is 0.
  var weekday: Int
  /// After midnight.
  var minute: Int
}

/// The hours of the week that have a slowness of their own; what is in none of them stays as it is.
struct HourBands: Sendable {
  let bands: [HourBand]

  /// An hour with fewer trips says too little by itself.
  static let leastTrips = 40
  /// Days that are alike.
  private static let dayTypes = [0...4, 5...5, 6...6]

  init(bands: [HourBand]) { self.bands = bands }

  /// The bands that a person names. *Throws*: `CalibrationError` where they are not of the form, or two share a time.
  init(texts: [String]) throws {
    bands = try texts.map { text in
      guard let band = HourBand(text) else {
        throw CalibrationError(description: "got the hours \(text), expected \(HourBand.allowed)")
      }
      guard band.minutes.lowerBound % 5 == 0, band.minutes.upperBound % 5 == 0 else {
        throw CalibrationError(description: "got the hours \(text), expected borders on five minutes")
      }
      return band
    }
    for (index, band) in bands.enumerated() {
      guard let other = bands[..<index].first(where: { $0.overlaps(band) }) else { continue }
      throw CalibrationError(description: "the hours \(other.text) and \(band.text) overlap")
    }
  }

  /// Hours of the day by kind of day, as far as there are trips: those with too few are joined with the hour beside
  /// them that has fewer.
  init(of times: [TimeOfWeek]) {
    bands = HourBands.dayTypes.flatMap { days in
      let counts = times.reduce(into: [Int](repeating: 0, count: 24)) { counts, time in
        if days.contains(time.weekday) { counts[time.minute / 60] += 1 }
      }
      return HourBands.joined(counts).map { HourBand(days: days, minutes: $0.lowerBound * 60..<$0.upperBound * 60) }
    }
  }

  /// Ranges of hours with enough trips each, unless hours without any stand on both sides.
  private static func joined(_ counts: [Int]) -> [Range<Int>] {
    var ranges = counts.indices.filter { counts[$0] > 0 }.map { $0..<$0 + 1 }
    func trips(_ range: Range<Int>) -> Int { counts[range].reduce(0, +) }
    while true {
      let small = ranges.indices.filter { trips(ranges[$0]) < leastTrips }
        .sorted { (trips(ranges[$0]), $0) < (trips(ranges[$1]), $1) }
      let pairs = small.lazy.compactMap { index -> (Int, Int)? in
        let beside = [index - 1, index + 1].filter { other in
          guard ranges.indices.contains(other) else { return false }
          let (first, last) = (ranges[min(index, other)], ranges[max(index, other)])
          return first.upperBound == last.lowerBound
        }
        return beside.min { (trips(ranges[$0]), $0) < (trips(ranges[$1]), $1) }.map { (min(index, $0), max(index, $0)) }
      }
      guard let (first, last) = pairs.first else { return ranges }
      ranges[first] = ranges[first].lowerBound..<ranges[last].upperBound
      ranges.remove(at: last)
    }
  }

  /// The first band that has a time; nil where none has.
  func band(of time: TimeOfWeek) -> Int? { bands.firstIndex { $0.contains(time) } }

  /// Minutes of the longest period that has all borders among its own.
  var period: Int {
    let borders = bands.flatMap { [$0.minutes.lowerBound, $0.minutes.upperBound] }
    return [60, 30, 15].first { period in borders.allSatisfy { $0 % period == 0 } } ?? 5
  }
}
