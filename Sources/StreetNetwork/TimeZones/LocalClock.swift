import OpeningHours
import Foundation

/// The clocks of a time zone, fast: what they show at a moment, and when they show something.
///
/// Every change of the clocks from 1970 to 2100 is looked up once, in the data that Foundation brings along: a machine
/// needs no files of its own, and every machine has the same answers. Before and after, clocks stay as they are then.
package struct LocalClock: Sendable {
  /// IANA's name: "Europe/Lisbon".
  package let timeZone: String
  /// When each offset begins, in seconds since 1970; the first has always been there.
  private let starts: [Int]
  /// Seconds that the clocks are ahead of Greenwich.
  private let offsets: [Int]
  /// The offset that holds when each stretch of `1 << LocalClock.shift` seconds begins.
  private let indices: [UInt16]

  private static let end = 4_102_444_800  // 2100
  private static let week = 604_800
  private static let shift = 22  // 49 days

  /// What is accepted, for messages.
  package static let allowed = "the name of a time zone, e.g. Europe/Lisbon"

  /// Nil for a name that no time zone has.
  package init?(timeZone name: String) {
    // Foundation knows "GMT+2" and "EST", too: what people mean by them differs.
    let isName = name.contains("/") || name == "UTC" || name == "GMT"
    guard isName, let zone = TimeZone(identifier: name) else { return nil }
    func offset(_ seconds: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) }
    timeZone = name
    var starts = [Int.min]
    var offsets = [offset(0)]
    for after in stride(from: LocalClock.week, through: LocalClock.end, by: LocalClock.week) {
      let next = offset(after)
      guard next != offsets[offsets.count - 1] else { continue }
      var (low, high) = (after - LocalClock.week, after)
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(middle) == next { high = middle } else { low = middle }
      }
      starts.append(high)
      offsets.append(next)
    }
    var last = 0
    indices = (0...LocalClock.end >> LocalClock.shift).map { stretch in
      while last + 1 < starts.count && starts[last + 1] <= stretch << LocalClock.shift { last += 1 }
      return UInt16(last)
    }
    (self.starts, self.offsets) = (starts, offsets)
  }

  /// Seconds that the clocks are ahead of Greenwich at a moment, in seconds since 1970.
  package func secondsFromGMT(at time: Int) -> Int { offsets[index(at: time)] }

  /// What the clocks show at a moment: seconds since midnight of 1 January 1970 on them.
  package func localSeconds(at time: Int) -> Int { time + secondsFromGMT(at: time) }

  /// The day of the week; Monday is 0.
  package func weekday(at time: Int) -> Int {
    let seconds = localSeconds(at: time)
    return CalendarDay(number: seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400).weekday
  }

  /// When the clocks show `localSeconds`. When they are turned back they do so twice: the first time is meant; when they
  /// are turned forward never: then as if they had not been turned yet.
  package func time(ofLocalSeconds local: Int) -> Int {
    // Offsets are less than a day; the one before a change is the first that fits.
    let before = index(at: local - 86_400)
    var time = local - offsets[before]
    var next = before + 1
    while next < starts.count, time >= starts[next] {
      // The offset after the change holds only if the clocks show this time after it.
      guard local - offsets[next] >= starts[next] else { break }
      time = local - offsets[next]
      next += 1
    }
    return time
  }

  /// When the clocks show again what they show at a moment, because they are turned back in between; nil if they do not.
  package func repetition(of time: Int) -> Int? {
    let next = index(at: time) + 1
    guard next < starts.count else { return nil }
    let again = localSeconds(at: time) - offsets[next]
    return again > time && index(at: again) == next ? again : nil
  }

  private func index(at time: Int) -> Int {
    let stretch = min(max(time, 0), LocalClock.end) >> LocalClock.shift
    var index = Int(indices[stretch])
    while index + 1 < starts.count && starts[index + 1] <= time { index += 1 }
    return index
  }
}
