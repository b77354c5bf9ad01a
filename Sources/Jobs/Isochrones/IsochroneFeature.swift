import Geography
import Tables

extension TextBuffer {
  /// Appends an isochrone as a GeoJSON Feature on one line.
  ///
  /// - Parameter index: The row's index on the axis; 0 for a single row.
  mutating func append(_ row: IsochroneRow, _ axis: RowAxis, at index: Int, _ area: ReachedArea) {
    begin(row, axis, at: index)
    append("},\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[")
    for (index, rings) in area.polygons.enumerated() {
      append(text: index > 0 ? ",[" : "[")
      append(lines: rings)
      append("]")
    }
    append("]}}")
  }

  /// Appends the streets within a threshold as a GeoJSON Feature on one line.
  mutating func append(_ row: IsochroneRow, _ axis: RowAxis, at index: Int, streets: [[FixedCoordinate]]) {
    begin(row, axis, at: index)
    append("},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[")
    append(lines: streets)
    append("]}}")
  }

  private mutating func begin(_ row: IsochroneRow, _ axis: RowAxis, at index: Int) {
    append("{\"type\":\"Feature\",\"properties\":{")
    member("place_id", row.place)
    member(axis, at: index)
    member("from_threshold", row.fromThreshold)
    member("threshold", row.threshold)
    member("area", decimal: Int64(row.found?.squareMetres ?? 0), places: 0)
    member("street_length", decimal: Int64(row.found?.streetMetres ?? 0), places: 0)
  }

  private mutating func append(lines: [[FixedCoordinate]]) {
    for (index, line) in lines.enumerated() {
      append(text: index > 0 ? ",[" : "[")
      append(positions: line[...])
      append("]")
    }
  }
}
