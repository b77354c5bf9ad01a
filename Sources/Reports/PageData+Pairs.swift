import Geography
import Jobs
import Tables

extension PageData {
  /// Pairs as columns, one value a pair; what the page says of those left out.
  mutating func add(_ pairs: [ListedPair], of count: Int, snapLimit: String) {
    // Few differ: each once, first that all is well.
    var reasons = Interner([RowStatus.ok.reason(snapLimit: snapLimit)])
    let reason = pairs.map { reasons.index(of: $0.status.reason(snapLimit: snapLimit, route: $0.reason)) }
    var columns: [(String, String)] = [
      ("id", PageData.list(pairs) { PageData.json("\($0.id)") }),
      ("from", PageData.list(pairs) { PageData.json($0.origin.label) }),
      ("to", PageData.list(pairs) { PageData.json($0.destination.label) }),
      ("time", PageData.list(pairs) { PageData.json($0.time, places: 1) }),
      ("distance", PageData.list(pairs) { PageData.json($0.distance, places: 1) }),
      ("detour", PageData.list(pairs) { PageData.json($0.detour, places: 3) }),
      ("reason", PageData.list(reason) { String($0) }),
      ("reasons", PageData.list(reasons.values) { PageData.json($0) }),
      (
        "ends",
        PageData.json(
          EncodedPolyline.text(
            of: [pairs.flatMap { [$0.origin.point ?? .nowhere, $0.destination.point ?? .nowhere] }]))
      ),
    ]
    if pairs.contains(where: { $0.leg > 1 }) { columns.append(("leg", PageData.list(pairs) { String($0.leg) })) }
    if pairs.contains(where: { $0.departure != nil }) {
      columns.append(("departure", PageData.list(pairs) { PageData.json($0.departure) }))
    }
    if pairs.count < count {
      let text =
        "\(Format.decimal(Double(pairs.count))) of \(Format.decimal(Double(count))) pairs are listed: half of them "
        + "without an answer or the longest by travel time, the others evenly chosen; all are in table route."
      columns.append(("leftOut", PageData.json(text)))
    }
    add("pairs", PageData.object(columns))
  }

  /// The routes of pairs, each with its alternates.
  mutating func add(_ routes: [DrawnRoute], of pairs: [ListedPair]) {
    let indices = Dictionary(uniqueKeysWithValues: pairs.enumerated().map { ($1.row, $0) })
    var (entries, start): ([String], Int) = ([], 0)
    while start < routes.count {
      let end = routes[start...].firstIndex { $0.row != routes[start].row } ?? routes.count
      if let index = indices[routes[start].row] {
        entries.append("{\"row\":\(index),\"routes\":\(PageData.list(routes[start..<end], PageData.json))}")
      }
      start = end
    }
    add("routes", "[\(entries.joined(separator: ",\n"))]")
  }

  private static func json(_ route: DrawnRoute) -> String {
    let climbs = route.heights.map { heights in
      [
        ("heights", heights.text), ("ascent", json(route.ascent, places: 1)),
        ("descent", json(route.descent, places: 1)),
      ]
    }
    return object(
      [
        ("line", json(EncodedPolyline.text(of: [route.points]))), ("time", json(route.time, places: 1)),
        ("distance", json(route.distance, places: 1)), ("name", json(route.name)), ("notices", json(route.notices)),
        (
          "steps",
          list(route.steps) { step in
            "[\(json(step.instructions)),\(json(step.notice)),\(json(step.distance, places: 1)),"
              + "\(json(step.time, places: 1)),\(step.points.lowerBound),\(step.points.upperBound)]"
          }
        ),
      ] + (climbs ?? []))
  }
}

extension FixedCoordinate {
  /// A place whose coordinates are not known.
  fileprivate static let nowhere = FixedCoordinate(longitude: 0, latitude: 0)
}
