import Geography
import Jobs
import Tables

extension Report {
  /// A page of one pair: its routes on the map, step by step. *Throws*: `ResultsError`.
  package func write(_ pairs: [ListedPair], _ routes: [DrawnRoute], to path: String) throws {
    try Page.write(html(pairs, routes), to: path)
  }

  private func html(_ pairs: [ListedPair], _ routes: [DrawnRoute]) throws -> String {
    let first = pairs[0]
    let ends = pairs.flatMap { [$0.origin.point, $0.destination.point].compactMap(\.self) }
    var content = Content(title: "", subtitle: "", rows: "")
    if var picture = MapPicture(around: ends + routes.flatMap(\.points)) {
      picture.draw(backdrop)
      picture.draw(routes.map { ($0.points, 0) }, width: 40)
      picture.mark(ends.map { ($0, "") })
      picture.explain([("--c0", "route"), ("--station", "end")])
      content.map = picture.html(title: "Route", unit: travelling)
      content.data = tripData(picture.box, ColorScale(times: pairs.compactMap(\.time)), pairs, of: pairs.count, routes)
      content.data?.add(backdrop)
      content.data?.tiles = tiles
    }
    let figures = pairs.prefix(1).flatMap { pair -> [(value: String, text: String)] in
      guard pair.status == .ok else { return [("–", pair.status.reason(snapLimit: snapLimit, route: pair.reason))] }
      return [
        ("\(Format.minutes(pair.time ?? 0)) min", "travel time"),
        ("\(Format.decimal(pair.distance ?? 0)) m", "distance"),
      ]
    }
    let last = pairs[pairs.count - 1]
    return Page(
      title: "Pair \(first.id): \(mapName)", heading: "\(first.origin.label) → \(last.destination.label)",
      subtitle: "pair \(first.id) of \(file(.pairs)), \(travelling), on \(mapName)", figures: figures,
      content: mapHTML(content) + HTML.section("Steps", routes.map(stepTable).joined()),
      version: identity[.version] ?? "", data: content.data
    ).html
  }

  private func stepTable(_ route: DrawnRoute) -> String {
    ReportTable(
      route.name ?? "Route", note: "\(Format.minutes(route.time)) min, \(Format.decimal(route.distance)) m",
      heads: ["#step", "instructions", "notice", "#distance, m", "#time, s"],
      rows: route.steps.enumerated().map { index, step in
        [
          .number(Double(index + 1)) { Format.decimal($0) }, .text(step.instructions), .text(step.notice ?? ""),
          .number(step.distance) { Format.decimal($0) }, .number(step.time) { Format.decimal($0) },
        ]
      }
    ).html
  }
}
