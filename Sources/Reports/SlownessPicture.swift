import Jobs
import Tables

/// How slow the streets of each class are over the week: a row for each class, a cell for each hour.
struct SlownessPicture {
  private static let (left, top, height) = (84.0, 4.0, 18.0)
  private static let hour = 4.0
  private static let scale = ColorScale(breaks: [1.05, 1.25, 1.5, 2, 3])
  private static let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

  let html: String

  /// Nothing where there are no rows.
  init(_ rows: [SpeedHourRow]) {
    var classes: [String] = []
    for row in rows where classes.last != row.roadClass { classes.append(row.roadClass) }
    guard !classes.isEmpty else {
      html = ""
      return
    }
    let (left, top, height, scale) = (
      SlownessPicture.left, SlownessPicture.top, SlownessPicture.height, SlownessPicture.scale
    )
    let bottom = top + Double(classes.count) * height
    var drawing = ""
    for (index, name) in classes.enumerated() {
      let y = top + Double(index) * height
      let hours = rows.filter { $0.roadClass == name }
      for shade in 0...scale.breaks.count {
        let cells = hours.filter { scale.shade(of: $0.slowness) == shade }.map { row in
          "M\(Chart.short(left + Double(row.hourOfWeek) * SlownessPicture.hour)) \(Chart.short(y))h\(Chart.short(SlownessPicture.hour))"
            + "v\(Chart.short(height - 2))h\(Chart.short(-SlownessPicture.hour))z"
        }
        if !cells.isEmpty { drawing += "<path fill=\"var(--c\(shade))\" d=\"\(cells.joined())\"/>" }
      }
      drawing +=
        "<text x=\"\(Chart.short(left - 6))\" y=\"\(Chart.short(y + height - 6))\" text-anchor=\"end\">\(HTML.escaped(name))</text>"
    }
    let day = 24 * SlownessPicture.hour
    for (index, name) in SlownessPicture.days.enumerated() {
      let x = left + Double(index) * day
      drawing += "<path class=\"axis\" d=\"M\(Chart.short(x)) \(Chart.short(top))V\(Chart.short(bottom + 4))\"/>"
      drawing +=
        "<text x=\"\(Chart.short(x + day / 2))\" y=\"\(Chart.short(bottom + 14))\" text-anchor=\"middle\">\(name)</text>"
    }
    let width = left + 7 * day + 4
    let title = "Slowness by road class and hour"
    let unit = "time over free flow; each day from 0 to 24 h"
    html = """
      <figure><figcaption>\(title) <small>\(unit)</small></figcaption>
      <svg viewBox="0 0 \(Chart.short(width)) \(Chart.short(bottom + 18))" role="img"><title>\(title), \(unit)</title>\
      \(drawing)</svg>\(SlownessPicture.legend)</figure>

      """
  }

  private static var legend: String {
    let texts =
      scale.breaks.map { "up to \(Format.decimal($0, 2))" } + ["over \(Format.decimal(scale.breaks.last ?? 0, 2))"]
    let items = texts.enumerated().map { "<li><i style=\"background:var(--c\($0.offset))\"></i>\($0.element)</li>" }
    return "<ul class=\"legend\">\(items.joined())</ul>"
  }
}
