import Geography
import Tables

extension TextBuffer {
  /// Appends a route as a GeoJSON Feature on one line: its row's columns as properties, its shape as a LineString, null if
  /// it has no length. Its id is the pair's, followed by the hour, the leg and the number of an alternate where there are
  /// such; a slash of the pair's own id is doubled, so that no two features share an id.
  package mutating func append(_ row: RouteRow, shape: Polyline) {
    guard let found = row.found, let details = found.route else { return }
    append("{\"type\":\"Feature\",\"id\":")
    let parts = [row.hour, row.leg, row.alternative > 0 ? row.alternative : nil].compactMap(\.self)
    if parts.isEmpty, row.pair.isNumber {
      append(row.pair)
    } else {
      let pair = "\(row.pair)".replacing("/", with: "//")
      append(jsonString: ([pair] + parts.map(String.init)).joined(separator: "/"))
    }
    append(",\"properties\":{\"pair_id\":")
    append(row.pair)
    if let hour = row.hour {
      append(",\"departure\":")
      append(integer: hour)
    }
    if let leg = row.leg {
      append(",\"leg\":")
      append(integer: leg)
    }
    append(",\"alternative\":")
    append(integer: row.alternative)
    append(",\"origin_id\":")
    append(row.origin)
    append(",\"destination_id\":")
    append(row.destination)
    append(",\"status\":")
    append(jsonString: row.status.rawValue)
    append(",\"distance\":")
    append(decimal: found.centimetres, places: 2)
    append(",\"expected_travel_time\":")
    append(decimal: found.milliseconds, places: 3)
    for (key, value) in [
      ("static_travel_time", found.staticMilliseconds), ("waiting_time", found.waitingMilliseconds),
    ] {
      guard let value else { continue }
      append(text: ",\"\(key)\":")
      append(decimal: value, places: 3)
    }
    for (key, value) in [("ascent", details.ascent), ("descent", details.descent)] {
      guard let value else { continue }
      append(text: ",\"\(key)\":")
      append(decimal: value, places: 2)
    }
    append(",\"transport_type\":")
    append(jsonString: row.transportType)
    append(",\"name\":")
    append(jsonString: details.name)
    append(",\"step_count\":")
    append(integer: details.stepCount)
    append(",\"crow_fly_distance\":")
    append(decimal: row.straightLineCentimetres, places: 2)
    append(",\"has_tolls\":")
    append(text: details.hasTolls ? "true" : "false")
    append(",\"has_highways\":")
    append(text: details.hasHighways ? "true" : "false")
    append(",\"advisory_notices\":")
    append(jsonString: details.advisoryNotices.joined(separator: " "))
    for (key, value) in [("departure_date", row.departure), ("expected_arrival_date", row.arrival), ("link", row.link)]
    {
      guard let value else { continue }
      append(text: ",\"\(key)\":")
      append(jsonString: value)
    }
    if let group = row.group {
      append(",\"pair_group\":")
      append(jsonString: group)
    }
    guard shape.points.count > 2 || shape.points.first != shape.points.last else {
      return append(text: "},\"geometry\":null}")
    }
    append("},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[")
    append(positions: shape.points)
    append("]}}")
  }
}
