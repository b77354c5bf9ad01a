/// A time of the day on a clock: `07:30`, `07:30:15`; `24:00` is the day's end.
struct DayTime: Hashable, Comparable, Sendable {
  /// Since midnight: at most 86,400.
  let seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  /// Nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy(DayTime.isNumber), let hour = Int(parts[0]),
      let minute = Int(parts[1]), let second = parts.count > 2 ? Int(parts[2]) : 0, minute < 60, second < 60
    else { return nil }
    seconds = hour * 3600 + minute * 60 + second
    guard seconds <= 86_400 else { return nil }
  }

  private static func isNumber(_ text: Substring) -> Bool {
    (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// `07:30`, and seconds where there are any.
  var text: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(seconds / 3600)):\(two(seconds / 60 % 60))"
    return seconds % 60 == 0 ? clock : "\(clock):\(two(seconds % 60))"
  }

  static func < (a: DayTime, b: DayTime) -> Bool { a.seconds < b.seconds }
}
