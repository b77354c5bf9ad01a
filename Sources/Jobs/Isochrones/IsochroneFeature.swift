import Geography
import Tables

extension TextBuffer {
  /// Appends an isochrone as a GeoJSON Feature on one line.
  package mutating func append(_ row: IsochroneRow, _ area: ReachedArea) {
    begin(row)
    append("},\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[")
    for (index, rings) in area.polygons.enumerated() {
      append(text: index > 0 ? ",[" : "[")
      append(lines: rings)
      append("]")
    }
    append("]}}")
  }

  /// Appends the streets within a threshold as a GeoJSON Feature on one line.
  package mutating func append(_ row: IsochroneRow, streets: [[FixedCoordinate]]) {
    begin(row)
    append("},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[")
    append(lines: streets)
    append("]}}")
  }

  private mutating func begin(_ row: IsochroneRow) {
    append("{\"type\":\"Feature\",\"properties\":{\"place_id\":")
    append(row.place)
    if let hour = row.hour {
      append(",\"departure\":")
      append(integer: hour.number)
      append(text: ",\"\(hour.dateColumn.rawValue)\":")
      append(jsonString: hour.text)
    }
    append(",\"from_threshold\":")
    append(integer: row.fromThreshold)
    append(",\"threshold\":")
    append(integer: row.threshold)
    append(",\"area\":")
    append(decimal: Int64(row.found?.squareMetres ?? 0), places: 0)
    append(",\"street_length\":")
    append(decimal: Int64(row.found?.streetMetres ?? 0), places: 0)
  }

  private mutating func append(lines: [[FixedCoordinate]]) {
    for (index, line) in lines.enumerated() {
      append(text: index > 0 ? ",[" : "[")
      append(positions: line[...])
      append("]")
    }
  }
}
