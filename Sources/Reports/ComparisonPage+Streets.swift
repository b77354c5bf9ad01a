import Geography
import Jobs
import Tables

/// Streets with the number of trips on them in both runs, and the routes of changed rows.
extension ComparisonPage {
  /// The maximum number of streets: more are too many for a page, and too thin to be visible.
  static let maximumFlows = 6000

  /// Draws streets whose trips changed: increases in one colour, decreases in another.
  func draw(_ flows: [ChangedFlow], by scale: FlowScale, in picture: inout MapPicture) {
    for (shade, width) in FlowScale.widths.enumerated() {
      for (color, isMore) in [("--less", false), ("--more", true)] {
        let drawn = flows.filter {
          (isMore ? $0.difference > 0 : $0.difference < 0) && scale.shade(of: abs($0.difference)) == shade
        }
        picture.draw(drawn.map(\.points), color: color, width: width)
      }
    }
  }

  func streetTable(_ flows: [ChangedFlow], of count: Int, unit: String) -> String {
    let shown = min(flows.count, 50)
    return ReportTable(
      "Streets with the largest change of \(unit)",
      note: "\(shown) of \(Format.count(count)), both directions together; all in table change_of_flow",
      heads: ["street", "#before", "#now", "#change"],
      rows: flows.prefix(shown).map { flow in
        [
          .link(flow.name, flow.points.first.map(HTML.link)), .number(flow.old.forward + flow.old.backward),
          .number(flow.new.forward + flow.new.backward),
          .number(flow.difference) { "\($0 > 0 ? "+" : "")\(Format.decimal($0))" },
        ]
      }
    ).html
  }
}

extension PageData {
  /// Adds streets with the number of trips in both runs, greatest changes first.
  mutating func add(_ flows: [ChangedFlow], by scale: FlowScale, unit: String, isLeft: Bool) {
    guard !flows.isEmpty else { return }
    add(flowsOf: flows.map { ($0.name, $0.points) }, by: scale, unit: unit, isShown: true, isLeft: isLeft) { index in
      let flow = flows[index]
      return [flow.old.forward, flow.new.forward, flow.old.backward, flow.new.backward]
        .map { PageData.json($0, places: 2) }
    }
  }

  /// Returns the routes of rows, by row index.
  static func json(_ routes: [Int: ChangedRoute], of rows: [ComparisonDatabase.Row]) -> String {
    let entries = rows.enumerated().compactMap { index, row in
      routes[row.id].map { route in
        let lines = [route.old.points, route.new.points].map { json(EncodedPolyline.text(of: $0.isEmpty ? [] : [$0])) }
        return "[\(index),\(json(route.old.name)),\(json(route.new.name)),\(lines.joined(separator: ","))]"
      }
    }
    return "[\(entries.joined(separator: ",\n"))]"
  }
}
