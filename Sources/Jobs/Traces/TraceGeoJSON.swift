import Geography
import Tables

extension TextBuffer {
  /// Appends a part of a trace as a GeoJSON Feature on one line.
  mutating func append(_ row: TracePartRow, shape: Polyline) {
    append("{\"type\":\"Feature\",\"properties\":{")
    member("trace_id", row.trace)
    member("part", row.part)
    member("begin_reason", row.beginReason)
    for (name, date) in [("departure_date", row.departure), ("arrival_date", row.arrival)] {
      guard let date else { continue }
      key(name)
      append("\"")
      append(date)
      append("\"")
    }
    member("distance", decimal: Int64(row.centimetres), places: 2)
    member("expected_travel_time", decimal: Int64(row.milliseconds), places: 3)
    member("observed_time", decimal: row.observedMilliseconds.map { Int64($0) }, places: 3)
    member("name", row.name)
    endFeature(along: shape)
  }
}
