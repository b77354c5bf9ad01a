import Foundation
import Jobs
import Tables

/// A picture of the results for a chat or a slide: the headline above the map, with a legend.
extension Report {
  /// Writes the picture as SVG of 1200 x 630 pixels. *Throws*: `ResultsError`.
  package func writeCard(to path: String) throws { try WrittenFile(path, .card).write(Array(try card().utf8)) }

  func card() throws -> String {
    let content = try content()
    let heading = identity.text(.title) ?? content.title
    let lines = Report.lines(of: HTML.unbroken(try database.headline), width: 56)
    let map = content.map
    let picture = map.range(of: "<svg ").flatMap { start in
      map.range(of: "</svg>", options: .backwards).map { String(map[start.upperBound..<$0.upperBound]) }
    }
    let caption = map.matches(of: /<figcaption>([^<]*) <small>([^<]*)</).prefix(1)
    // The picture shows the slider's first hour.
    let hour = map.firstMatch(of: /data-hours="([^"|]*)/).map { ", " + $0.1 } ?? ""
    let items =
      caption.map { (shape: "", text: Substring("\($0.1), \($0.2)\(hour)")) }
      + map.matches(of: /<li><i(?: class="(\w+)")? style="--color:var\((--[\w-]+)\)(?:;--part:(\d+)%)?"><\/i>([^<]*)</)
      .map { (shape: Report.swatch($0.2, $0.3, shape: $0.1), text: $0.4) }
    let (legend, rows) = Report.legend(items)
    let (top, bottom) = (76 + 46 * lines.count, 616 - 30 * max(2, rows))
    let style = String(decoding: PackageResources.style_css, as: UTF8.self).prefix { $0 != "}" }
    let title = lines.enumerated().map { index, line in
      "<text x=\"40\" y=\"\(92 + 46 * index)\" class=\"headline\">\(HTML.escaped(line))</text>"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img">
      <title>\(HTML.escaped(try database.headline))</title>
      <!-- generator: odometer \(HTML.escaped(identity[.version] ?? "")) -->
      <style>\(style.replacing("color-scheme: light dark;", with: ""))}
      text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }
      .headline { font-size: 36px; font-weight: 600; } .heading { font-size: 20px; fill: var(--soft); }
      .key { font-size: 18px; } .line { fill: none; stroke-linecap: round; stroke-linejoin: round; }
      .cells { fill-opacity: .74; stroke: var(--land); stroke-width: 6; }
      .name { font-size: 11px; stroke: var(--land); stroke-width: 3px; paint-order: stroke; }
      svg svg text { font-size: 11px; fill: var(--soft); } svg svg .large { font-size: 13px; font-weight: 600; }
      </style>
      <rect width="1200" height="630" fill="var(--paper)"/>
      <text x="40" y="46" class="heading">\(HTML.escaped(heading))</text>
      \(title.joined(separator: "\n"))
      <rect y="\(top)" width="1200" height="\(bottom - top)" fill="var(--land)"/>
      \(picture.map { "<svg y=\"\(top)\" width=\"1200\" height=\"\(bottom - top)\" preserveAspectRatio=\"xMidYMid meet\" \($0)" } ?? "")
      <g transform="translate(0 \(bottom + 13))">\(legend)</g>
      </svg>

      """
  }

  /// Returns the legend and its number of rows. The caption has no swatch.
  private static func legend(_ items: [(shape: String, text: Substring)]) -> (svg: String, rows: Int) {
    var (svg, x, row) = ("", 40, 0)
    for (shape, text) in items {
      // Letters of this size are at most twelve pixels wide, and usually ten.
      let mark = shape.isEmpty ? 0 : 23
      let width = mark + text.count * 11
      if x + width > 1170 && x > 40 { (x, row) = (40, row + 1) }
      svg +=
        "<g transform=\"translate(\(x) \(row * 30))\">\(shape)<text x=\"\(mark)\" y=\"15\" class=\"key\">\(text)</text></g>"
      // Items begin below the caption.
      (x, row) = shape.isEmpty ? (40, row + 1) : (x + width + 25, row)
    }
    return (svg, row + 1)
  }

  /// Returns a swatch of 16 pixels that looks like the items on the map: a ring, hatches, or a colour over the land.
  private static func swatch(_ color: Substring, _ opacity: Substring?, shape: Substring?) -> String {
    let square = "<rect width=\"16\" height=\"16\" fill=\"var(--land)\"/>"
    return switch shape {
    case "ring": "<circle cx=\"8\" cy=\"8\" r=\"6\" fill=\"var(--paper)\" stroke=\"var(\(color))\" stroke-width=\"3\"/>"
    case "hatch": square + "<g transform=\"scale(.1)\"><rect width=\"160\" height=\"160\" fill=\"url(#hatch)\"/></g>"
    default:
      square + "<rect width=\"16\" height=\"16\" fill=\"var(\(color))\" "
        + "fill-opacity=\"\(opacity.map { "0.\($0)" } ?? "1")\"/>"
    }
  }

  /// Breaks a sentence into two lines with a maximum number of letters; the second may be truncated.
  private static func lines(of text: String, width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count < width || lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
      } else if lines.count < 2 {
        lines.append(String(word))
      } else {
        // The ellipsis needs room.
        while lines[1].count > width - 3, let end = lines[1].lastIndex(of: " ") { lines[1].removeSubrange(end...) }
        lines[1] += " …"
        break
      }
    }
    return lines
  }
}
