import Geography
import Tables

extension TextBuffer {
  /// Appends a part of a trace as a GeoJSON Feature on one line.
  package mutating func append(_ row: TracePartRow, shape: Polyline) {
    append("{\"type\":\"Feature\",\"properties\":{\"trace_id\":")
    append(row.trace)
    append(",\"part\":")
    append(integer: row.part)
    append(",\"begin_reason\":")
    append(jsonString: row.beginReason)
    for (key, date) in [("departure_date", row.departure), ("arrival_date", row.arrival)] {
      guard let date else { continue }
      append(text: ",\"\(key)\":\"")
      append(date)
      append("\"")
    }
    append(",\"distance\":")
    append(decimal: Int64(row.centimetres), places: 2)
    append(",\"expected_travel_time\":")
    append(decimal: Int64(row.milliseconds), places: 3)
    if let observed = row.observedMilliseconds {
      append(",\"observed_time\":")
      append(decimal: Int64(observed), places: 3)
    }
    if let name = row.name {
      append(",\"name\":")
      append(jsonString: name)
    }
    append("},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[")
    append(positions: shape.points)
    append("]}}")
  }
}
