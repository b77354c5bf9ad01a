import Geography
import Jobs
import Tables

extension PageData {
  /// More names than this are too many for a page: of more origins those that are worst off have theirs.
  private static let mostNames = 20_000

  /// Origins with the time to their nearest station, at each hour that is shown, and the stations.
  mutating func add(
    _ origins: [AccessOrigin], times: [[Double?]], hours: [String], stations: [ReportedPlace],
    lines: [Identifier: [String]], snapLimit: String
  ) {
    var reasons = Interner<String>()
    let reason = origins.map { reasons.index(of: $0.status.reason(snapLimit: snapLimit, of: $0.reason)) }
    var listed = Array(origins.indices)
    if origins.count > PageData.mostNames {
      let first = times[0]
      listed = listed.sorted { (first[$0] ?? .infinity, $1) > (first[$1] ?? .infinity, $0) }
        .prefix(PageData.mostNames).sorted()
    }
    var members: [(String, String)] = [
      (
        "points",
        PageData.json(EncodedPolyline.text(of: [origins.map { $0.place.point ?? .init(longitude: 0, latitude: 0) }]))
      ),
      ("seconds", PageData.list(times) { times in PageData.list(times) { PageData.json($0, places: 0) } }),
      ("reason", PageData.list(reason) { String($0) }),
      ("reasons", PageData.list(reasons.values) { PageData.json($0) }),
      ("listed", PageData.list(listed) { String($0) }),
      ("names", PageData.list(listed) { PageData.json(origins[$0].place.label) }),
      ("ids", PageData.list(listed) { PageData.json("\(origins[$0].place.id)") }),
      ("hours", PageData.list(hours, PageData.json)), ("stations", PageData.places(stations)),
      (
        "lines",
        PageData.list(stations) { station in
          let lines = lines[station.id] ?? []
          return PageData.json(lines.count > 8 ? "\(lines.count) lines" : lines.joined(separator: ", "))
        }
      ),
    ]
    if origins.contains(where: { $0.weight != nil }) {
      members.append(("weight", PageData.list(origins) { PageData.json($0.weight ?? 0, places: 1) }))
    }
    if listed.count < origins.count {
      let text =
        "\(Format.decimal(Double(listed.count))) of \(Format.decimal(Double(origins.count))) origins are listed, those that take longest; all are on the map."
      members.append(("leftOut", PageData.json(text)))
    }
    add("access", PageData.object(members))
  }
}
