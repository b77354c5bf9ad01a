import Geography
import Jobs
import Tables

extension PageData {
  /// Traces, their parts, and of some the fixes.
  mutating func add(_ traces: [ReportedTrace], _ parts: [DrawnPart], stops: [ReportedStop], snapLimit: String) {
    var indices: [Identifier: Int] = [:]
    for (index, trace) in traces.enumerated() where indices[trace.id] == nil { indices[trace.id] = index }
    add(
      "traces",
      PageData.object([
        ("id", PageData.list(traces) { PageData.json("\($0.id)") }),
        ("departure", PageData.list(traces) { PageData.json($0.departure) }),
        ("distance", PageData.list(traces) { PageData.json($0.distance, places: 0) }),
        ("moving", PageData.list(traces) { PageData.json($0.movingTime, places: 0) }),
        ("expected", PageData.list(traces) { PageData.json($0.expectedTime, places: 0) }),
        ("ratio", PageData.list(traces) { PageData.json($0.timeRatio, places: 3) }),
        ("fixes", PageData.list(traces) { "[\($0.fixes),\($0.kept),\($0.matched)]" }),
        (
          "why",
          PageData.list(traces) { trace in
            PageData.json(
              trace.status == .ok ? nil : trace.reason ?? trace.status.reason(snapLimit: snapLimit))
          }
        ),
        ("lines", PageData.list(traces) { PageData.json(EncodedPolyline.text(of: [$0.points])) }),
      ]))
    add(
      "parts",
      PageData.list(parts) { part in
        "[\(indices[part.trace] ?? -1),\(PageData.json(part.beginReason)),\(PageData.json(EncodedPolyline.text(of: [part.points])))]"
      })
    add(
      "stops",
      PageData.list(stops) { stop in
        "[\(PageData.json("\(stop.trace)")),\(PageData.json(stop.seconds, places: 0)),\(PageData.json(stop.street)),\(PageData.json(EncodedPolyline.text(of: [[stop.point]])))]"
      })
  }

  /// Streets with what was observed on them, by hour.
  mutating func add(_ streets: [ObservedStreet], of count: Int) {
    add(
      "streets",
      PageData.list(streets) { street in
        let hours = PageData.list(street.hours) { "[\($0.hour),\($0.passes),\(PageData.json($0.slowness, places: 2))]" }
        return "[\(PageData.json(street.name)),\(hours),\(PageData.json(EncodedPolyline.text(of: [street.points])))]"
      })
    guard streets.count < count else { return }
    let text =
      "\(Format.decimal(Double(streets.count))) of \(Format.decimal(Double(count))) streets that were passed are on the map, those passed most."
    add("leftOutStreets", PageData.json(text))
  }
}
