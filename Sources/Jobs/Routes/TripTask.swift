import Settings

/// What jobs of kinds `routes` and `etas` ask for in addition to what all jobs do.
package struct TripTask: Sendable {
  /// A table of pairs.
  package var pairs: String
  /// Whether the shapes of routes are in the database, too, and not in the GeoJSON alone.
  package var hasShapes: Bool

  package enum Keys {
    package static let pairs = SettingKey(
      "pairs", .text, "table of pairs: CSV, TSV, GeoJSON or links of Maps, gzipped or not", example: "pairs.csv")
    package static let shapes = SettingKey(
      "shapes", .bool, default: true,
      "whether the shapes of routes and steps are in the database, too; without them it takes a sixth of the space")
  }

  init(_ root: SettingsObject) throws {
    pairs = try root.value(of: Keys.pairs)
    hasShapes = try root.value(of: Keys.shapes)
  }
}
