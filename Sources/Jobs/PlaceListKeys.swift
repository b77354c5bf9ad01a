import Settings

/// The key of every kind that starts from a list of places.
enum PlaceListKeys {
  static let origins = SettingKey(
    "origins", .path, "list of places: CSV, TSV, GeoJSON, GeoPackage or a GTFS zip", example: "origins.csv")
}
