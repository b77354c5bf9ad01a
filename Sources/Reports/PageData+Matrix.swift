import Geography
import Jobs
import Tables

extension PageData {
  /// A matrix: its places, summaries of its origins, and the cells of as many origins as a page holds.
  mutating func add(
    _ cells: ShownCells, origins: [ReportedPlace], destinations: [ReportedPlace], _ summaries: [ReportedOrigin],
    hours: [String]
  ) {
    func times(_ value: (ReportedOrigin) -> Double?) -> String {
      PageData.list(summaries) { PageData.json(value($0), places: 0) }
    }
    var members: [(String, String)] = [
      ("origins", PageData.places(origins)), ("destinations", PageData.places(destinations)),
      ("mean", times(\.meanTime)), ("nearest", times(\.nearestTime)),
      ("nearestTo", PageData.list(summaries) { PageData.json($0.nearest.map { "\($0)" }) }),
      ("reached", PageData.list(summaries) { String($0.reachable) }),
      ("hours", PageData.list(cells.hours) { PageData.json(hours[$0]) }),
      ("rows", PageData.list(cells.rows) { String($0) }),
      ("cells", "[\(cells.texts.map { "\"\($0)\"" }.joined(separator: ",\n"))]"),
    ]
    if let note = cells.note { members.append(("leftOut", PageData.json(note))) }
    add("matrix", PageData.object(members))
  }

  /// Places as columns.
  static func places(_ places: [ReportedPlace]) -> String {
    object([
      ("id", list(places) { json("\($0.id)") }),
      ("name", list(places) { json($0.label) }),
      ("ok", list(places) { $0.status == .ok ? "1" : "0" }),
      ("points", json(EncodedPolyline.text(of: [places.map(\.point)]))),
    ])
  }
}
