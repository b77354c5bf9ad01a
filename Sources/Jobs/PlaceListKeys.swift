import Input
import Settings
import Tables

/// The keys of kinds that start from a list of places.
extension KeyReader {
  mutating func origins() throws -> String {
    try file(
      .init("origins", .path, "list of places: CSV, TSV, GeoJSON, GeoPackage or a GTFS zip", example: "origins.csv"))
  }

  /// - Parameter countsAll: Whether the kind uses several weights.
  mutating func placeColumns(countsAll: Bool) throws -> PlaceKeys {
    let id = try setting(
      "id", .text, otherwise: "the first default name in the file (docs/input.md), else the row number",
      "column with the places' ids", example: "GEOID", isAlwaysEntered: false)
    let weight = try value(
      "weight", .text, otherwise: "the first default name in the file (docs/input.md), else none",
      "column with the places' weights, such as residents or jobs", example: "population")
    let listed = try value(
      "weights", .strings, otherwise: "weight, and in kind access all columns with default names",
      "weight columns, instead of weight; several only in kind access; the first is the weight of the place",
      example: ["population"])
    if weight != nil, listed != nil {
      throw error("weight", "weights also names the columns; leave out one of the two")
    }
    if let listed, listed.count > 1, !countsAll {
      throw error("weights", "got \(listed.count) columns, expected one: only kind access counts several")
    }
    let weights = listed ?? weight.map { [$0] }
    if let weights { enter { $0[.weights] = weights.identityText } }
    return PlaceKeys(id: id, weights: weights, countsAll: countsAll)
  }
}
