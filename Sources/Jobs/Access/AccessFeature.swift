import Geography
import Tables

extension TextBuffer {
  /// Appends an origin as a GeoJSON Feature on one line, with its nearest station, at an hour where the job has hours, and
  /// its weights.
  package mutating func append(_ row: AccessRow, at hour: DepartureRow?, _ places: AccessPlaces) {
    let origin = places.origins[row.origin]
    append("{\"type\":\"Feature\",\"id\":")
    if let hour { append(jsonString: "\(origin.id)/\(hour.number)") } else { append(origin.id) }
    append(",\"properties\":{\"origin_id\":")
    append(origin.id)
    if let hour {
      append(",\"departure\":")
      append(integer: hour.number)
      append(text: ",\"\(hour.dateColumn.rawValue)\":")
      append(jsonString: hour.text)
    }
    append(",\"status\":")
    append(jsonString: row.status.rawValue)
    append(",\"station_id\":")
    if let found = row.found {
      let station = places.stations[found.station]
      append(station.id)
      append(",\"station_name\":")
      if let name = station.name { append(jsonString: name) } else { append(text: "null") }
      append(",\"expected_travel_time\":")
      append(decimal: Int64(found.milliseconds), places: 3)
      if let centimetres = found.centimetres {
        append(",\"distance\":")
        append(decimal: Int64(centimetres), places: 2)
      }
    } else {
      append(text: "null")
    }
    for weight in places.weights where !weight.values[row.origin].isNaN {
      append(",")
      append(jsonString: weight.name)
      append(":")
      append(number: weight.values[row.origin])
    }
    append("},\"geometry\":{\"type\":\"Point\",\"coordinates\":")
    append(positions: [origin.coordinate])
    append("}}")
  }

  /// As JSON has numbers: whole ones without decimals.
  private mutating func append(number: Double) {
    if number == number.rounded() && number.magnitude < 1e15 {
      append(decimal: Int64(number), places: 0)
    } else {
      append(text: "\(number)")
    }
  }
}
