import Foundation
import Hierarchy
import OpeningHours

/// Fast conversion between instants and local time in a time zone.
///
/// Every clock change from 1970 to 2100 is looked up once, in Foundation's own data: no time zone files are needed, and
/// all machines give the same results. Before and after, the offset is constant.
package struct LocalClock: Sendable {
  /// The IANA name: "Europe/Lisbon".
  package let timeZone: String
  /// The start of each offset, in seconds since 1970; the first is unbounded.
  private let starts: [Int]
  /// Seconds ahead of UTC.
  private let offsets: [Int]
  /// The index of the offset at the start of each interval of `1 << LocalClock.shift` seconds.
  private let indices: [UInt16]

  private static let end = 4_102_444_800  // 2100
  private static let week = 604_800
  private static let shift = 22  // 49 days

  /// The accepted format, for messages.
  package static let allowed = "the name of a time zone, e.g. Europe/Lisbon"

  /// The names of the tz database without a slash. Foundation also accepts "GMT+2" and "PST", whose meanings are
  /// ambiguous.
  private static let shortNames = Set(
    """
    CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran \
    Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK \
    Singapore Turkey UCT UTC Universal W-SU WET Zulu
    """.split(separator: " ").map(String.init))

  /// Returns the time zone with a name of the tz database; nil if there is none.
  package static func zone(_ name: String) -> TimeZone? {
    name.contains("/") || shortNames.contains(name) ? TimeZone(identifier: name) : nil
  }

  /// Returns nil for an unknown time zone.
  package init?(timeZone name: String) {
    guard let zone = LocalClock.zone(name) else { return nil }
    func offset(_ seconds: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) }
    timeZone = name
    var starts = [Int.min]
    var offsets = [offset(0)]
    for after in stride(from: LocalClock.week, through: LocalClock.end, by: LocalClock.week) {
      let next = offset(after)
      guard next != offsets[offsets.count - 1] else { continue }
      starts.append((after - LocalClock.week..<after).partitionPoint { offset($0) == next })
      offsets.append(next)
    }
    var last = 0
    indices = (0...LocalClock.end >> LocalClock.shift).map { interval in
      while last + 1 < starts.count && starts[last + 1] <= interval << LocalClock.shift { last += 1 }
      return UInt16(last)
    }
    (self.starts, self.offsets) = (starts, offsets)
  }

  /// Returns the seconds ahead of UTC at an instant, given in seconds since 1970.
  package func secondsFromGMT(at time: Int) -> Int { offsets[index(at: time)] }

  /// Returns the local time at an instant: seconds since midnight of 1 January 1970, local time.
  package func localSeconds(at time: Int) -> Int { time + secondsFromGMT(at: time) }

  package func day(at time: Int) -> CalendarDay {
    let seconds = localSeconds(at: time)
    return CalendarDay(number: seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }

  /// Returns the instant of a local time. A local time that occurs twice, when clocks are turned back, means the first
  /// occurrence; one that is skipped is interpreted with the offset before the change.
  package func time(ofLocalSeconds local: Int) -> Int {
    // Offsets are less than a day; the one before a change is the first candidate.
    let before = index(at: local - 86_400)
    var time = local - offsets[before]
    var next = before + 1
    while next < starts.count, time >= starts[next] {
      // The offset after the change applies only if this local time is after it.
      guard local - offsets[next] >= starts[next] else { break }
      time = local - offsets[next]
      next += 1
    }
    return time
  }

  /// Returns the second instant with the same local time if clocks are turned back in between; otherwise nil.
  package func repetition(of time: Int) -> Int? {
    let next = index(at: time) + 1
    guard next < starts.count else { return nil }
    let again = localSeconds(at: time) - offsets[next]
    return again > time && index(at: again) == next ? again : nil
  }

  private func index(at time: Int) -> Int {
    let interval = min(max(time, 0), LocalClock.end) >> LocalClock.shift
    var index = Int(indices[interval])
    while index + 1 < starts.count && starts[index + 1] <= time { index += 1 }
    return index
  }
}
