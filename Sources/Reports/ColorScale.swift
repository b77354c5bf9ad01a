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

  /// Creates a scale with round limits for travel times in seconds: the finest limits that are exceeded by at most one
  /// time in twelve.
  package init(times seconds: [Double]) {
    let sorted = seconds.sorted()
    let most = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 11 / 12] / 60
    breaks = (ColorScale.rounded.first { most <= $0.last! } ?? ColorScale.rounded.last!).map { $0 * 60 }
  }

  /// Returns the shade of a class; shades are far apart if there are few classes.
  static func spread(_ index: Int, of count: Int) -> Int {
    count > 1 ? min(index, count - 1) * (count > 5 ? 5 : 4) / (min(count, 6) - 1) : 0
  }

  package func shade(of value: Double) -> Int { breaks.firstIndex { value <= $0 } ?? breaks.count }

  /// Returns the legend of a scale in seconds.
  package func minutesLegend(word: String) -> [(color: String, text: String)] {
    breaks.enumerated().map { ("--c\($0.offset)", "\(word) \(Format.minutes($0.element)) min") }
      + (breaks.isEmpty ? [] : [("--c\(breaks.count)", "over \(Format.minutes(breaks.last!)) min")])
  }
}
