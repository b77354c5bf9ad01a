import Geography
import Tables

extension TextBuffer {
  /// Appends a route as a GeoJSON Feature on one line, with its row's columns as properties and its shape as a
  /// LineString, or null if it has no length. Its id is the pair's, followed by the hour, the leg and the number of an
  /// alternate, if it has them. A slash in the pair's own id is doubled, so that no two features share an id.
  mutating func append(_ row: RouteRow, _ axis: RowAxis.Column?, shape: Polyline) {
    guard let found = row.found, let details = found.route else { return }
    append("{\"type\":\"Feature\",\"id\":")
    let parts = [row.hour, row.leg, row.alternative > 0 ? row.alternative : nil].compactMap(\.self)
    if parts.isEmpty, row.pair.isNumber {
      append(row.pair)
    } else {
      let pair = "\(row.pair)".replacing("/", with: "//")
      append(jsonString: ([pair] + parts.map(String.init)).joined(separator: "/"))
    }
    append(",\"properties\":{")
    member("pair_id", row.pair)
    member(axis?.rawValue ?? "departure", row.hour)
    member("leg", row.leg)
    member("alternative", row.alternative)
    member("origin_id", row.origin)
    member("destination_id", row.destination)
    member("status", row.status.rawValue)
    member("distance", decimal: found.centimetres, places: 2)
    member("expected_travel_time", decimal: found.milliseconds, places: 3)
    member("static_travel_time", decimal: found.staticMilliseconds, places: 3)
    member("waiting_time", decimal: found.waitingMilliseconds, places: 3)
    member("ascent", decimal: details.ascent, places: 2)
    member("descent", decimal: details.descent, places: 2)
    member("transport_type", row.transportType)
    member("name", details.name)
    member("step_count", details.stepCount)
    member("crow_fly_distance", decimal: row.straightLineCentimetres, places: 2)
    member("has_tolls", details.hasTolls)
    member("has_highways", details.hasHighways)
    member("advisory_notices", details.advisoryNotices.joined(separator: " "))
    member("departure_date", row.departure)
    member("expected_arrival_date", row.arrival)
    member("link", row.link)
    member("pair_group", row.group)
    guard !shape.isPoint else { return append(text: "},\"geometry\":null}") }
    endFeature(along: shape)
  }
}
