import Geography
import Tables

extension TextBuffer {
  /// Appends an origin with its weights and its nearest station, at an hour or percentile if the job has any, as a
  /// GeoJSON Feature on one line.
  ///
  /// - Parameter index: The row's index on the axis; nil for a single row.
  mutating func append(_ row: AccessRow, _ axis: RowAxis, at index: Int?, _ places: AccessPlaces) {
    let origin = places.origins[row.origin]
    append("{\"type\":\"Feature\",\"id\":")
    if let index { append(jsonString: "\(origin.id)/\(axis.numbers[index])") } else { append(origin.id) }
    append(",\"properties\":{")
    member("origin_id", origin.id)
    if let index { member(axis, at: index) }
    member("status", row.status.rawValue)
    if let found = row.found {
      let station = places.stations[found.station]
      member("station_id", station.id)
      member("station_name", orNull: station.name)
      member("expected_travel_time", decimal: Int64(found.milliseconds), places: 3)
      member("distance", decimal: found.centimetres.map { Int64($0) }, places: 2)
    } else {
      member("station_id", orNull: nil)
    }
    for weight in places.weights where !weight.values[row.origin].isNaN {
      separate()
      append(jsonString: weight.name)
      append(":")
      append(number: weight.values[row.origin])
    }
    endFeature(at: origin.coordinate)
  }

  /// Appends the number of an hour or percentile, and an hour's date, as properties; nothing for a single row.
  mutating func member(_ axis: RowAxis, at index: Int) {
    guard let column = axis.column else { return }
    member(column.rawValue, axis.numbers[index])
    if let date = axis.dateColumn { member(date.rawValue, axis.labels[index]) }
  }

  /// Appends a JSON number; integers have no decimals.
  mutating func append(number: Double) {
    if number == number.rounded() && number.magnitude < 1e15 {
      append(decimal: Int64(number), places: 0)
    } else {
      append(text: "\(number)")
    }
  }
}
