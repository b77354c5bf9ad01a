import Results
import Settings

/// The keys of every kind that starts from a list of places.
enum PlaceListKeys {
  static let origins = SettingKey(
    "origins", .path, "list of places: CSV, TSV, GeoJSON, GeoPackage or a GTFS zip", example: "origins.csv")
  static let id = SettingKey<String?>(
    "id", .text, otherwise: "the first documented name (docs/input.md), else the row's number",
    "column of the places' ids", example: "GEOID")
  static let weight = SettingKey<String?>(
    "weight", .text, otherwise: "the first documented name (docs/input.md), else none",
    "column of the places' weights: residents, jobs", example: "population")
  static let weights = SettingKey<[String]?>(
    "weights", .texts, otherwise: "weight, and in kind access all columns with documented names",
    "columns that are counted, the first as the weight", example: ["population"])
  static let columns = [id.description, weight.description, weights.description]

  /// - Parameter countsAll: Whether the kind counts several weights.
  static func keys(_ root: SettingsObject, countsAll: Bool) throws -> PlaceKeys {
    let (weight, weights) = (try root.value(of: PlaceListKeys.weight), try root.value(of: PlaceListKeys.weights))
    if weight != nil, weights != nil {
      throw root.error(PlaceListKeys.weight, "weights names the columns, too; leave out one of the two")
    }
    if let weights, weights.count > 1, !countsAll {
      throw root.error(
        PlaceListKeys.weights, "got \(weights.count) columns, expected one: only kind access counts several")
    }
    return PlaceKeys(id: try root.value(of: id), weights: weights ?? weight.map { [$0] }, countsAll: countsAll)
  }
}

extension PlaceKeys {
  /// What of the results they decide.
  var identity: Entries<IdentityKey> {
    var identity = Entries<IdentityKey>()
    if let id { identity[.id] = id }
    if let weights { identity.set(.weights, weights) }
    return identity
  }
}
