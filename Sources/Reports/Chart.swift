import Foundation
import Jobs
import Tables

/// A chart as inline SVG with a title: one bar per bin or hour, cumulative curves, or curves over the hours of a day.
package struct Chart {
  private static let (width, height) = (360.0, 200.0)
  private static let (left, right, top, bottom) = (50.0, 10.0, 10.0, 36.0)

  package let html: String

  /// Draws bars showing the number of rows per bin.
  package init(_ histogram: Histogram, title: String? = nil, unit: String? = nil, of rows: String) {
    let heading = histogram.measure.heading
    let unit = unit ?? heading.unit
    let bins = histogram.bins.map {
      Histogram.Bin(low: $0.low / heading.scale, high: $0.high / heading.scale, count: $0.count)
    }
    let (first, last) = (bins[0], bins[bins.count - 1])
    let step = first.high - first.low
    let axis = Axis(from: first.low, to: last.low + step, in: unit == "min" ? .minutes : .number)
    let counts = Axis(from: 0, to: Double(max(1, bins.map(\.count).max() ?? 1)))
    let isOpen = last.high > axis.end * 1.001
    let power = pow(10, Double(heading.places))
    let note = isOpen ? " · last bar up to \(Chart.plain((last.high * power).rounded() / power))" : ""
    html = Chart.figure(
      title: title ?? heading.title, unit: "\(unit)\(note)",
      Chart.frame(axis, counts, x: unit, y: rows, places: heading.places)
        + Chart.bars(bins.map { ($0.low, $0.count) }, wide: step, axis, counts),
      attributes: Chart.brush(histogram, axis, heading.scale))
  }

  /// Returns an attribute for the script that marks ranges: the measure of a histogram; the ends of its axis and the
  /// width of a bin, in the measure's stored unit; and the positions of the axis's ends in the drawing.
  private static func brush(_ histogram: Histogram, _ axis: Axis, _ scale: Double) -> String {
    let (first, ends) = (histogram.bins[0], [axis.start * scale, axis.end * scale])
    let numbers = ends + [first.high - first.low, Chart.left, Chart.width - Chart.right]
    let words = numbers.map { "\(($0 * 1e6).rounded() / 1e6)" }.joined(separator: " ")
    return " data-brush=\"\(histogram.measure.rawValue) \(words)\""
  }

  package typealias Curve = (name: String, points: [(x: Double, y: Double)])

  /// Draws cumulative curves: the share from 0 to 1 that is within each number of minutes. `marks` are thresholds in minutes.
  package init(_ curves: [Curve], title: String, until end: Double, marks: [Double]) {
    let axis = Axis(from: 0, to: end, in: .minutes)
    let shown = curves.map { name, points in
      Curve(name: name, points: points.filter { $0.x <= axis.end }.map { ($0.x, $0.y * 100) })
    }
    self.init(
      shown, title: title, unit: "cumulative per cent, by minute", axis, Axis(from: 0, to: 100), x: "minutes",
      y: "per cent",
      marks: marks.filter { $0 <= axis.end })
  }

  /// More curves than this are unreadable.
  static let maximumCurves = 4

  /// Draws curves over the hours of a day.
  package init(_ curves: [Curve], title: String, x: String, y: String) {
    let points = curves.flatMap(\.points)
    let axis = Axis(from: points.map(\.x).min() ?? 0, to: points.map(\.x).max() ?? 1, in: .hours)
    let values = Axis(from: 0, to: points.map(\.y).max() ?? 1, in: y == "minutes" ? .minutes : .number)
    self.init(curves, title: title, unit: y, axis, values, x: x, y: y)
  }

  private init(
    _ curves: [Curve], title: String, unit: String, _ axis: Axis, _ values: Axis, x: String, y: String,
    marks: [Double] = []
  ) {
    let margin = Chart.margin(for: curves.map(\.name))
    var (drawn, ends) = ("", [(name: String, y: Double)]())
    for mark in marks {
      let x = Chart.short(Chart.x(mark, axis, margin))
      drawn += "<path class=\"mark\" d=\"M\(x) \(Chart.short(Chart.top))V\(Chart.short(Chart.y(0, values)))\"/>"
    }
    for (index, curve) in curves.enumerated() {
      let points = curve.points.map { (x: Chart.x($0.x, axis, margin), y: Chart.y($0.y, values)) }
      drawn += Chart.line(through: points, index)
      if let last = points.last { ends.append((curve.name, last.y)) }
    }
    let (labels, areBesideEnds) = Chart.labels(ends, margin)
    let isLabelled = areBesideEnds && ends.count == curves.count
    html = Chart.figure(
      title: title, unit: unit,
      Chart.frame(axis, values, x: x, y: y, places: 0, right: margin) + drawn + labels,
      after: isLabelled ? "" : Chart.legend(curves.map(\.name)))
  }

  /// Draws one bar for each hour of a day. `marks` are hours.
  init(_ hours: [(hour: Int, departures: Int)], title: String, unit: String, marks: [Double]) {
    let axis = Axis(from: 0, to: 24, in: .hours)
    let counts = Axis(from: 0, to: Double(max(1, hours.map(\.departures).max() ?? 1)))
    let base = Chart.short(Chart.y(0, counts))
    let lines = marks.map { "M\(Chart.short(Chart.x($0, axis))) \(Chart.short(Chart.top))V\(base)" }
    html = Chart.figure(
      title: title, unit: unit,
      Chart.frame(axis, counts, x: "hour", y: "departures", places: 0)
        + Chart.bars(hours.map { (Double($0.hour), $0.departures) }, wide: 1, axis, counts)
        + "<path class=\"mark\" d=\"\(lines.joined())\"/>")
  }

  /// Returns bars of width `step` that begin at `low`.
  private static func bars(
    _ values: [(low: Double, count: Int)], wide step: Double, _ axis: Axis, _ counts: Axis
  ) -> String {
    let base = short(y(0, counts))
    let bars = values.filter { $0.count > 0 }.map { low, count in
      let (x, end) = (x(low, axis), x(low + step, axis))
      return "M\(short(x + 0.5)) \(base)V\(short(y(Double(count), counts)))H\(short(max(x + 1, end - 0.5)))V\(base)z"
    }
    return "<path class=\"bar\" d=\"\(bars.joined())\"/>"
  }

  private static func legend(_ names: [String]) -> String {
    let items = names.enumerated().map { index, name in
      let style = "border-top:3px \(isDashed(index) ? "dashed" : "solid") var(--c\(index * 2 % 6))"
      return "<li><i class=\"dash\" style=\"\(style)\"></i>\(HTML.name(name))</li>"
    }
    return "<ul class=\"legend\">\(items.joined())</ul>"
  }

  private static func isDashed(_ index: Int) -> Bool { index >= 3 }

  private static func line(through points: [(x: Double, y: Double)], _ index: Int) -> String {
    guard !points.isEmpty else { return "" }
    let dashes = isDashed(index) ? ";stroke-dasharray:5 4" : ""
    let path = points.map { "\(short($0.x)) \(short($0.y))" }.joined(separator: "L")
    return "<path class=\"curve\" style=\"stroke:var(--c\(index * 2 % 6))\(dashes)\" d=\"M\(path)\"/>"
  }

  /// The maximum length of names at the ends of curves; longer ones are truncated there and complete in the legend.
  private static let longestLabel = 16

  /// Returns the width of the space to the right of curves, for their names.
  private static func margin(for names: [String]) -> Double {
    max(right, 10 + 6.2 * Double(min(longestLabel, names.map(\.count).max() ?? 0)))
  }

  /// Returns the curves' names to the right of their ends, from top to bottom, without overlaps, and whether all are
  /// complete and next to their ends.
  private static func labels(
    _ ends: [(name: String, y: Double)], _ margin: Double
  ) -> (svg: String, areBesideEnds: Bool) {
    let line = 13.0
    var (highest, areBesideEnds) = (top + 4, true)
    let labels = ends.sorted { ($0.y, $0.name) < ($1.y, $1.name) }.enumerated().map { index, end in
      let below = Double(ends.count - 1 - index) * line
      let y = min(max(end.y + 4, highest), height - bottom - below)
      highest = y + line
      areBesideEnds = areBesideEnds && abs(y - end.y - 4) < 4 && end.name.count <= longestLabel
      let name = end.name.count > longestLabel ? end.name.prefix(longestLabel - 1) + "…" : end.name
      return """
        <text class="end" x="\(short(width - margin + 5))" y="\(short(y))">\(HTML.escaped(String(name)))</text>
        """
    }
    return (labels.joined(), areBesideEnds)
  }

  static func figure(
    title: String, unit: String, _ drawing: String, after: String = "", attributes: String = "",
    size: (width: Double, height: Double) = (width, height)
  ) -> String {
    """
    <figure\(attributes)><figcaption>\(HTML.escaped(title)) <small>\(HTML.escaped(unit))</small></figcaption>
    <svg viewBox="0 0 \(short(size.width)) \(short(size.height))" role="img"><title>\(HTML.escaped("\(title), \(unit)"))</title>\
    \(drawing)</svg>\(after)</figure>

    """
  }

  static func text(_ text: String, _ x: Double, _ y: Double, anchor: String = "middle") -> String {
    "<text x=\"\(short(x))\" y=\"\(short(y))\" text-anchor=\"\(anchor)\">\(HTML.escaped(text))</text>"
  }

  /// Returns the axes with their numbers and units.
  private static func frame(
    _ horizontal: Axis, _ vertical: Axis, x unit: String, y verticalUnit: String, places: Int,
    right margin: Double = right
  ) -> String {
    let (base, end) = (y(vertical.start, vertical), width - margin)
    var frame = "<path class=\"axis\" d=\"M\(Chart.short(left)) \(Chart.short(base))H\(Chart.short(end))"
    var texts = ""
    for tick in vertical.ticks {
      let y = y(tick, vertical)
      frame += "M\(Chart.short(left)) \(Chart.short(y))H\(Chart.short(end))"
      texts += text(compact(tick), left - 5, y + 4, anchor: "end")
    }
    for tick in horizontal.ticks {
      let x = x(tick, horizontal, margin)
      frame += "M\(Chart.short(x)) \(Chart.short(base))v4"
      // Labels at the right edge are right-aligned.
      let (end, anchor) = x > width - 20 ? (width - 2, "end") : (x, "middle")
      texts += text(plain(tick), end, base + 16, anchor: anchor)
    }
    texts +=
      text(unit, (left + end) / 2, height - 4)
      + "<text transform=\"translate(11 \(Chart.short((top + base) / 2)))rotate(-90)\" text-anchor=\"middle\">\(HTML.escaped(verticalUnit))</text>"
    return frame + "\"/>" + texts
  }

  private static func x(_ value: Double, _ axis: Axis, _ margin: Double = right) -> Double {
    left + (value - axis.start) / (axis.end - axis.start) * (width - left - margin)
  }

  private static func y(_ value: Double, _ axis: Axis) -> Double {
    height - bottom - (value - axis.start) / (axis.end - axis.start) * (height - top - bottom)
  }

  /// Returns 12000 as "12k".
  private static func compact(_ value: Double) -> String {
    switch value {
    case 1_000_000...: plain(value / 1_000_000) + "M"
    case 10_000...: plain(value / 1000) + "k"
    default: plain(value)
    }
  }

  /// Returns a coordinate of a drawing, with at most one decimal.
  static func short(_ value: Double) -> String {
    // Values from corrupt results cannot be drawn.
    guard let tenths = Int(exactly: (value * 10).rounded()) else { return "0" }
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  /// Returns a number without unnecessary decimals.
  private static func plain(_ value: Double) -> String {
    for places in 0...3 {
      let scale = [1.0, 10, 100, 1000][places]
      if abs(value * scale - (value * scale).rounded()) < 1e-6 * max(1, abs(value * scale)) {
        return Format.decimal(value, places)
      }
    }
    return Format.decimal(value, 3)
  }
}

/// A numeric range with ticks, usually four to six, at values that are round in its unit.
package struct Axis {
  package enum Unit {
    case number, minutes, hours

    /// The tick intervals used instead of decimal ones, ascending.
    fileprivate var steps: [Double] {
      switch self {
      case .number: []
      case .minutes: [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440]
      case .hours: [1, 2, 3, 4, 6, 12, 24]
      }
    }
  }

  package let start: Double
  package let end: Double
  package let ticks: [Double]

  package init(from low: Double, to high: Double, in unit: Unit = .number) {
    // Edges from corrupt results may be infinite, or so large that adding a step does not change them.
    let (low, high) = low.isFinite && high.isFinite ? (low, high) : (0, 1)
    let span = max(high - low, max(abs(low), abs(high)) * 1e-6, 1e-9)
    let rough = span / 5
    let power = pow(10, log10(rough).rounded(.down))
    let decimal = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999 } ?? 10 * power
    let step = rough < (unit.steps.first ?? .infinity) / 2 ? decimal : unit.steps.first { $0 >= rough * 0.8 } ?? decimal
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
