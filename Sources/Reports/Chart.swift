import Foundation
import Results

/// A chart as inline SVG with its title: bars of a histogram, or curves of shares.
struct Chart {
  private static let (width, height) = (360.0, 200.0)
  private static let (left, right, top, bottom) = (46.0, 10.0, 10.0, 36.0)

  let html: String

  /// Bars of how many rows lie in each stretch.
  init(_ histogram: Histogram, title: String? = nil, of rows: String) {
    let heading = histogram.measure.heading
    let axis = Axis(
      from: histogram.bins.first!.low / heading.scale,
      to: histogram.bins.last!.low / heading.scale
        + (histogram.bins.first!.high - histogram.bins.first!.low) / heading.scale)
    let most = Axis(from: 0, to: Double(max(1, histogram.bins.map(\.count).max() ?? 1)))
    let step = (histogram.bins.first!.high - histogram.bins.first!.low) / heading.scale
    var bars = ""
    for bin in histogram.bins where bin.count > 0 {
      let (x, end) = (Chart.x(bin.low / heading.scale, axis), Chart.x(bin.low / heading.scale + step, axis))
      let y = Chart.y(Double(bin.count), most)
      bars +=
        "M\(short(x + 0.5)) \(short(Chart.y(0, most)))V\(short(y))H\(short(max(x + 1, end - 0.5)))V\(short(Chart.y(0, most)))z"
    }
    let last = histogram.bins.last!
    let isOpen = last.high / heading.scale > axis.end * 1.001
    let note = isOpen ? " · last bar up to \(decimal(last.high / heading.scale, heading.places))" : ""
    html = Chart.figure(
      title: title ?? heading.title, unit: "\(heading.unit)\(note)",
      Chart.frame(axis, most, x: heading.unit, y: rows, places: heading.places) + "<path class=\"bar\" d=\"\(bars)\"/>")
  }

  /// A curve: points of minutes and shares, and what it is of.
  struct Curve {
    var name: String
    var points: [(minutes: Double, share: Double)]
  }

  /// How much of each measure is reached within how many minutes. `marks` are thresholds, in minutes.
  init(_ curves: [Curve], title: String, until end: Double, marks: [Double]) {
    let (axis, share) = (Axis(from: 0, to: end), Axis(from: 0, to: 100))
    var drawn = ""
    for mark in marks where mark <= axis.end {
      let x = short(Chart.x(mark, axis))
      drawn += "<path class=\"mark\" d=\"M\(x) \(short(Chart.top))V\(short(Chart.y(0, share)))\"/>"
    }
    for (number, curve) in curves.enumerated() {
      let points = curve.points.filter { $0.minutes <= axis.end }.map { point in
        "\(short(Chart.x(point.minutes, axis))) \(short(Chart.y(point.share * 100, share)))"
      }
      guard !points.isEmpty else { continue }
      drawn += "<path class=\"curve\" style=\"\(Chart.stroke(number))\" d=\"M\(points.joined(separator: "L"))\"/>"
    }
    let legend = curves.enumerated().map { number, curve in
      "<li><i class=\"dash\" style=\"border-color:var(--c\(number * 2 % 6))\"></i>\(escaped(curve.name))</li>"
    }
    html = Chart.figure(
      title: title, unit: "per cent by minutes",
      Chart.frame(axis, share, x: "minutes", y: "per cent", places: 0) + drawn,
      after: "<ul class=\"legend\">\(legend.joined())</ul>")
  }

  private static func stroke(_ number: Int) -> String {
    "stroke:var(--c\(number * 2 % 6))\(number >= 3 ? ";stroke-dasharray:5 4" : "")"
  }

  private static func figure(title: String, unit: String, _ drawing: String, after: String = "") -> String {
    """
    <figure><figcaption>\(escaped(title)) <small>\(escaped(unit))</small></figcaption>
    <svg viewBox="0 0 \(short(width)) \(short(height))" role="img"><title>\(escaped("\(title), \(unit)"))</title>\
    \(drawing)</svg>\(after)</figure>

    """
  }

  /// Axes with their numbers and units.
  private static func frame(_ horizontal: Axis, _ vertical: Axis, x unit: String, y other: String, places: Int)
    -> String
  {
    let (base, end) = (y(vertical.start, vertical), width - right)
    var frame = "<path class=\"axis\" d=\"M\(short(left)) \(short(base))H\(short(end))"
    var texts = ""
    for tick in vertical.ticks {
      let y = y(tick, vertical)
      frame += "M\(short(left)) \(short(y))H\(short(end))"
      texts += "<text x=\"\(short(left - 5))\" y=\"\(short(y + 4))\" text-anchor=\"end\">\(compact(tick))</text>"
    }
    for tick in horizontal.ticks {
      let x = x(tick, horizontal)
      frame += "M\(short(x)) \(short(base))v4"
      // At the right edge a number ends with the drawing.
      let (place, anchor) = x > width - 20 ? (width - 2, "end") : (x, "middle")
      texts += "<text x=\"\(short(place))\" y=\"\(short(base + 16))\" text-anchor=\"\(anchor)\">\(plain(tick))</text>"
    }
    texts +=
      "<text x=\"\(short((left + end) / 2))\" y=\"\(short(height - 4))\" text-anchor=\"middle\">\(escaped(unit))</text>"
      + "<text transform=\"translate(13 \(short((top + base) / 2)))rotate(-90)\" text-anchor=\"middle\">\(escaped(other))</text>"
    return frame + "\"/>" + texts
  }

  private static func x(_ value: Double, _ axis: Axis) -> Double {
    left + (value - axis.start) / (axis.end - axis.start) * (width - left - right)
  }

  private static func y(_ value: Double, _ axis: Axis) -> Double {
    height - bottom - (value - axis.start) / (axis.end - axis.start) * (height - top - bottom)
  }

  /// 12000 as "12k".
  private static func compact(_ value: Double) -> String {
    switch value {
    case 1_000_000...: plain(value / 1_000_000) + "M"
    case 10_000...: plain(value / 1000) + "k"
    default: plain(value)
    }
  }
}

/// A stretch of numbers with four to six round ones on it.
struct Axis {
  let start: Double
  let end: Double
  let ticks: [Double]

  init(from low: Double, to high: Double) {
    let span = max(high - low, abs(high) * 1e-6, 1e-9)
    let rough = span / 5
    let power = pow(10, log10(rough).rounded(.down))
    let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999 } ?? 10 * power
    start = low
    end = low + span
    var ticks: [Double] = []
    var number = (low / step).rounded(.up)
    while number * step <= low + span * 1.0001 {
      ticks.append(number * step)
      number += 1
    }
    self.ticks = ticks
  }
}

/// A coordinate of a drawing: one decimal at most.
func short(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}

/// A number of an axis without needless decimals.
private func plain(_ value: Double) -> String {
  for places in 0...3 {
    let scale = [1.0, 10, 100, 1000][places]
    if abs(value * scale - (value * scale).rounded()) < 1e-6 * max(1, abs(value * scale)) {
      return decimal(value, places)
    }
  }
  return decimal(value, 3)
}
