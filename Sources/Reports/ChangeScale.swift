import Foundation

/// Six colours for what became less and what became more: three each, the outer ones for the greatest differences.
struct ChangeScale {
  /// The limits of the inner and of the middle class of either side: seconds, or square metres.
  let limits: [Double]
  private let comparesAreas: Bool

  private static let rounded: [[Double]] = [[10, 30], [30, 60], [60, 120], [120, 300], [300, 600], [600, 1800]]

  /// Round limits for some differences: the finest beyond whose last one in six lies, or fewer.
  init(_ differences: [Double], comparesAreas: Bool) {
    let sorted = differences.map(abs).sorted()
    let most = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 5 / 6]
    self.comparesAreas = comparesAreas
    if comparesAreas {
      let power = pow(10, log10(max(most, 100)).rounded(.down))
      limits = [power / 5, power]
    } else {
      limits = ChangeScale.rounded.first { most <= $0[1] } ?? ChangeScale.rounded.last!
    }
  }

  /// From 0, for the greatest decrease, to 5.
  func shade(of difference: Double) -> Int {
    let size = limits.count { abs(difference) > $0 }
    return difference < 0 ? 2 - size : 3 + size
  }

  /// What the colours mean.
  var legend: [(color: String, text: String)] {
    let (less, more) = comparesAreas ? ("smaller", "larger") : ("faster", "slower")
    let sizes = [
      "more than \(text(limits[1]))", "\(text(limits[0])) to \(text(limits[1]))", "less than \(text(limits[0]))",
    ]
    let texts = sizes.map { "\(less) by \($0)" } + sizes.reversed().map { "\(more) by \($0)" }
    return texts.enumerated().map { ("--d\($0.offset)", $0.element) }
  }

  private func text(_ limit: Double) -> String {
    if comparesAreas {
      return limit < 100_000 ? "\(Format.decimal(limit)) m²" : "\(Format.decimal(limit / 1_000_000, 2)) km²"
    }
    return limit < 60 ? "\(Format.decimal(limit)) s" : "\(Format.minutes(limit)) min"
  }
}
