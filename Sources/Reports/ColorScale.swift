import Tables

/// A scale of six colours for ascending numbers. The first colour is for numbers up to the first break.
package struct ColorScale {
  static let count = 6
  /// The upper limits of classes, ascending; at most five.
  let breaks: [Double]

  package init(breaks: [Double]) { self.breaks = breaks }

  /// Round class limits in minutes.
  private static let rounded: [[Double]] = [
    [1, 2, 3, 4, 5], [2, 4, 6, 8, 10], [3, 6, 9, 12, 15], [5, 10, 15, 20, 30], [10, 20, 30, 45, 60],
    [15, 30, 45, 60, 90], [30, 60, 90, 120, 180], [60, 120, 180, 240, 360], [120, 240, 360, 480, 720],
    [360, 720, 1080, 1440, 2880],
  ]

  /// Creates a scale with round limits for travel times in seconds, for all hours: the finest limits that are exceeded by
  /// at most one time in twelve. If in any hour more than 60 % of the times are in one of their classes, limits near the
  /// sextiles are used, provided that they divide the times more evenly.
  package init(times hours: [[Double]]) {
    let sorted = hours.joined().sorted()
    let most = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 11 / 12] / 60
    let regular = ColorScale(
      breaks: (ColorScale.rounded.first { most <= $0.last! } ?? ColorScale.rounded.last!).map { $0 * 60 })
    let fitted = ColorScale(breaks: ColorScale.fitted(sorted, [3600, 1800, 900, 600, 300, 120, 60, 30]))
    let greatest = regular.greatestShare(of: hours)
    self = greatest > 0.6 && fitted.greatestShare(of: hours) < greatest ? fitted : regular
  }

  package init(times seconds: [Double]) { self.init(times: [seconds]) }

  /// Creates a scale for shares in per cent, the largest first: its limits are negated, so pass negated shares to
  /// `shade(of:)`.
  init(shares: [Double]) { breaks = ColorScale.fitted(shares.sorted(), [20, 10, 5, 2, 1, 0.5]).reversed().map { -$0 } }

  /// Returns limits near the sextiles of sorted values: multiples of the first of `steps` that yields five limits or, if
  /// none does, the most. The page's script fits the scales of its other measures in the same way.
  private static func fitted(_ sorted: [Double], _ steps: [Double]) -> [Double] {
    guard let greatest = sorted.last else { return [] }
    let sextiles = (1...5).map { sorted[(sorted.count - 1) * $0 / 6] }
    func near(_ step: Double) -> [Double] { Set(sextiles.map { max(1, ($0 / step).rounded()) * step }).sorted() }
    let fine = steps.filter { $0 <= greatest }
    return fine.map(near).reduce(near(fine.first ?? steps[steps.count - 1])) { $1.count > $0.count ? $1 : $0 }
  }

  /// Returns the greatest share of an hour's values in one class. Hours with fewer values than classes are ignored
  /// unless all hours have so few: a single value is always in one class.
  private func greatestShare(of hours: [[Double]]) -> Double {
    let full = hours.filter { $0.count >= ColorScale.count }
    return (full.isEmpty ? [hours.flatMap(\.self)] : full).filter { !$0.isEmpty }.map { values in
      var counts = [Int](repeating: 0, count: ColorScale.count)
      for value in values { counts[shade(of: value)] += 1 }
      return Double(counts.max()!) / Double(values.count)
    }.max() ?? 0
  }

  /// Returns the shade of a class; shades are far apart if there are few classes.
  static func spread(_ index: Int, of count: Int) -> Int {
    count > 1 ? min(index, count - 1) * (count > 5 ? 5 : 4) / (min(count, 6) - 1) : 0
  }

  package func shade(of value: Double) -> Int { breaks.firstIndex { value <= $0 } ?? breaks.count }

  /// The legend of a scale in seconds.
  package var minutesLegend: [(color: String, text: String)] { legend { "\(Format.minutes($0)) min" } }

  var sharesLegend: [(color: String, text: String)] {
    let limits = breaks.map { Format.decimal(-$0, $0.truncatingRemainder(dividingBy: 1) == 0 ? 0 : 1) }
    guard let first = limits.first, let last = limits.last else { return [] }
    let ranges = zip(limits.dropFirst(), limits).map { "\($0) to \($1) %" }
    let texts = ["\(first) %\(first == "100" ? "" : " or more")"] + ranges + ["under \(last) %"]
    return texts.enumerated().map { ("--c\($0)", $1) }
  }

  /// Returns the legend of a scale; `text` formats its limits.
  func legend(_ text: (Double) -> String) -> [(color: String, text: String)] {
    breaks.enumerated().map { ("--c\($0.offset)", "up to \(text($0.element))") }
      + (breaks.last.map { [("--c\(breaks.count)", "over \(text($0))")] } ?? [])
  }
}
