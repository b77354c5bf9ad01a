/// Six colours for growing numbers, the first for those up to the first break.
package struct ColorScale {
  static let count = 6
  /// Ascending, five at most.
  let breaks: [Double]

  package init(breaks: [Double]) { self.breaks = breaks }

  /// Breaks at the next whole minutes of some seconds, four at most.
  package init(minutesAbove seconds: [Double]) {
    breaks = Set(seconds.map { ($0 / 60).rounded(.up) * 60 }).sorted()
  }

  package func shade(of value: Double) -> Int { breaks.firstIndex { value <= $0 } ?? breaks.count }

  /// What the colours mean, of seconds.
  package func minutesLegend(word: String) -> [(color: String, text: String)] {
    breaks.enumerated().map { ("--c\($0.offset)", "\(word) \(Format.minutes($0.element)) min") }
      + (breaks.isEmpty ? [] : [("--c\(breaks.count)", "over \(Format.minutes(breaks.last!)) min")])
  }
}
